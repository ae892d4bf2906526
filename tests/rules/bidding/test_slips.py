"""Bills and slips: "Liars Poker" (rules of February 10, 1986), "Use of Bills" and "Salomon's Liars Poker Strips"."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.bidding.slips import any_number, drawn, held, imagined, is_odd, lowest, next_line
from lilygames_rules.kit import KeyedLuck, Scripted

lines = st.lists(st.integers(1, 15), min_size=1, max_size=13, unique=True)


def test_slip_has_fifteen_numbers_of_eight_digits_and_two_letters():
    slip = drawn("slips", KeyedLuck(b"slip"))

    assert [8] * 15 == [len(number) for number in slip.numbers]
    assert 2 == len(slip.letters)
    assert slip.letters.isupper()


def test_letters_are_drawn_first_then_the_digits_from_the_left():
    script = Scripted(*"BK", *"47001392")
    bill = drawn("bills", script)

    assert script.spent
    assert ("BK", ("47001392",)) == (bill.letters, bill.numbers)


def test_digits_are_uniform():
    luck = KeyedLuck(b"uniform")
    seen = Counter("".join(any_number(luck) for _ in range(2000)))

    assert set("0123456789") == set(seen)
    assert max(abs(times - 1600) for times in seen.values()) < 200


def test_rank_ten_counts_the_digit_zero():
    assert (2, 1, 0) == (held("47001392", 10), held("47001392", 1), held("47001392", 5))


def test_zero_is_even():
    assert [False, True] == [is_odd("11111110"), is_odd("00000001")]


@pytest.mark.parametrize(
    ("played", "odd", "line"),
    [
        ([1], 3, 5),
        ([1], 0, 2),
        ([1, 5, 13], 3, 3),
        ([15], 0, 1),
        ([1, 3], 0, 4),
        ([3, 2], 0, 4),
        ([14], 1, 1),
        (list(range(1, 15)), 7, 15),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 14),
    ],
)
def test_unplayed_number_is_skipped_per_odd_last_digit(played, odd, line):
    """If the bottom is reached, the skipping wraps around to the top, as often as necessary."""
    assert line == next_line(played, odd)


@given(lines, st.integers(0, 10))
def test_no_line_is_played_twice(played, odd):
    line = next_line(played, odd)

    assert line in range(1, 16)
    assert line not in played


@given(lines, st.integers(0, 9))
def test_one_more_odd_digit_leads_to_the_next_unplayed_line(played, odd):
    assert next_line(played, odd + 1) == next_line([*played, next_line(played, odd)], 0)


def test_lowest_letters_open_and_the_first_seat_breaks_ties():
    assert 2 == lowest([(0, "BA"), (1, "AZ"), (2, "AB"), (3, "AB")])


@given(st.integers(1, 10), st.integers(0, 8), st.sampled_from([True, False, None]), st.integers(0, 999))
def test_imagined_number_agrees_with_its_count(rank, count, odd, seed):
    """Eight of one rank fix the last digit's parity; anything else is possible."""
    if count == 8:
        odd = rank % 2 == 1
    number = imagined(rank, count, odd, KeyedLuck(b"%d" % seed))

    assert (8, count) == (len(number), held(number, rank))
    assert odd is None or odd == is_odd(number)


def test_imagined_numbers_are_uniform():
    """Of all numbers with one seven and an odd end, 7 x 4 in 7 x 4 + 9 do not end in the seven."""
    luck = KeyedLuck(b"imagined")
    ends = Counter(imagined(7, 1, is_odd("1"), luck)[-1] == "7" for _ in range(6000))

    assert abs(ends[True] / 6000 - 9 / 37) < 0.012
