"""Luck from a key: fair, the same for ever; and luck from a script, which lets a test state a deal."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import count, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kit import KeyedLuck, Scripted

ONE_IN_A_THOUSAND = {2: 10.83, 3: 13.82, 6: 20.52, 24: 49.73}
"""The chi-square of so many outcomes that a fair draw exceeds once in a thousand."""


def chi_square(drawn, outcomes):
    fair = len(drawn) / outcomes
    return sum((seen - fair) ** 2 / fair for seen in Counter(drawn).values()) + (outcomes - len(set(drawn))) * fair


def stream(key):
    """Yield the bits of the stream as the docstring of `KeyedLuck` states it, the slow way."""
    for block in count():
        for byte in sha256(key + block.to_bytes(8, "big")).digest():
            yield from (byte >> place & 1 for place in range(7, -1, -1))


def read(bits, n):
    """Return the next number below n: as many bits as n - 1 has, and again while they say too much."""
    number = int("0" + "".join(map(str, islice(bits, (n - 1).bit_length()))), 2)
    return number if number < n else read(bits, n)


def test_a_key_gives_the_same_luck_for_ever():
    """These numbers may never change: every table ever played is replayed from them."""
    luck = KeyedLuck(b"lily")

    assert [65, 61, 19, 2, 60, 96, 40, 27] == [luck.below(100) for _ in range(8)]
    assert (2, 4, 1, 5, 3, 6, 0, 9, 7, 8) == luck.shuffle(range(10))
    assert (4, True, "b") == (luck.roll(6), luck.coin(), luck.choice("abc"))


@given(st.binary(max_size=40), st.lists(st.integers(1, 5000), max_size=300))
def test_numbers_come_from_the_stream_by_rejection(key, limits):
    """Read bit by bit, too large ones thrown away whole: nothing is folded, so each number is exactly as likely."""
    luck, bits = KeyedLuck(key), stream(key)

    assert [read(bits, n) for n in limits] == [luck.below(n) for n in limits]


@pytest.mark.parametrize("sides", [2, 3, 6, 24])
def test_a_die_shows_each_side_as_often(sides):
    """A thousand throws a side."""
    luck = KeyedLuck(b"a die")

    assert chi_square([luck.roll(sides) for _ in range(1000 * sides)], sides) < ONE_IN_A_THOUSAND[sides]


def test_a_coin_falls_either_way():
    """As often True as False."""
    luck = KeyedLuck(b"a coin")

    assert chi_square([luck.coin() for _ in range(2000)], 2) < ONE_IN_A_THOUSAND[2]


def test_a_shuffle_brings_each_order_as_often():
    """Four cards have 24 orders."""
    luck = KeyedLuck(b"a deck")
    orders = [luck.shuffle("CDHS") for _ in range(4800)]

    assert set(permutations("CDHS")) == set(orders)
    assert chi_square(orders, 24) < ONE_IN_A_THOUSAND[24]


@given(st.lists(st.integers()))
def test_a_shuffle_keeps_every_card(cards):
    """No card is lost or doubled, and the pack itself stays as it was."""
    before = list(cards)

    assert sorted(cards) == sorted(KeyedLuck(b"").shuffle(cards))
    assert before == cards


def test_other_keys_are_other_luck():
    """Two tables do not share a deck."""
    assert KeyedLuck(b"a").shuffle(range(52)) != KeyedLuck(b"b").shuffle(range(52))


@pytest.mark.parametrize("draw", [lambda luck: luck.below(0), lambda luck: luck.roll(0), lambda luck: luck.choice(())])
def test_there_is_no_luck_among_nothing(draw):
    """A mistake of the rules is an error, never a table that hangs."""
    with pytest.raises(ValueError, match="no whole number below 0"):
        draw(KeyedLuck(b""))


def test_a_script_is_handed_out_in_order():
    """The cards stated come first, the rest of the pack follows."""
    luck = Scripted(*("HS", 3, "b", False))

    assert ("H", "S", "C", "D") == luck.shuffle("CDHS")
    assert not luck.spent
    assert (3, "b", False) == (luck.roll(6), luck.choice("abc"), luck.coin())
    assert luck.spent


@pytest.mark.parametrize(
    ("script", "draw", "sentence"),
    [
        ([], lambda luck: luck.coin(), "no draw left for a coin"),
        ([7], lambda luck: luck.roll(6), "a die of 6 sides does not show 7"),
        ([0], lambda luck: luck.roll(6), "a die of 6 sides does not show 0"),
        (["d"], lambda luck: luck.choice("abc"), "d is not one of abc"),
        ([3], lambda luck: luck.coin(), "a coin does not show 3"),
        (["HX"], lambda luck: luck.shuffle("CDHS"), "X is not in the pack"),
        (["HH"], lambda luck: luck.shuffle("CDHS"), "H is not in the pack, or not so often"),
    ],
)
def test_a_script_that_cannot_be_is_an_error(script, draw, sentence):
    """A test that states an impossible deal proves nothing."""
    with pytest.raises(AssertionError, match=sentence):
        draw(Scripted(*script))
