"""Five dice under a cup: which seat sees which, for how long, and how people name them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.dice import cup as dicecup
from lilygames_rules.dice.cup import Cup, Joined, Looked, Memory, Named, Rolled
from lilygames_rules.kit import KeyedLuck, Malformed, Refused, Scripted

FILLED = dicecup.filled(3, 1, Scripted(1, 2, 3, 4, 5), number=1)


def faces(word):
    return [int(digit) for digit in word] if word.isdigit() else ()


def test_dice_are_rolled_in_the_order_of_their_places():
    cup = dicecup.rolled(FILLED, 1, (2, 4), Scripted(6, 1), number=1)

    assert (1, 6, 3, 1, 5) == cup.dice


def test_only_the_roller_sees_the_dice():
    """The others know that no die is open."""
    seen = [dicecup.glimpse(FILLED, seat).dice for seat in (0, 1, 2, None)]

    assert [(None,) * 5, (1, 2, 3, 4, 5), (None,) * 5, (None,) * 5] == seen


def test_passer_knows_the_dice_until_another_seat_rolls():
    passed = dicecup.looked(FILLED, 2)

    assert dicecup.glimpse(passed, 1).known
    assert (0, 0) == dicecup.glimpse(passed, 1).since[1:]

    seen = dicecup.glimpse(dicecup.rolled(passed, 2, (1, 2), Scripted(6, 6), number=1), 1)
    assert ((None,) * 5, (1, 2, 3, 4, 5), (None, 2, 0)) == (seen.dice, seen.last, seen.since)


def test_kept_dice_that_are_shown_lie_open_to_all_until_they_are_rolled():
    cup = dicecup.rolled(FILLED, 1, (1, 2), Scripted(6, 6), number=1, shows=True)
    assert (None, None, 3, 4, 5) == dicecup.glimpse(cup, None).dice

    cup = dicecup.rolled(cup, 2, (1, 3), Scripted(1, 1), number=1)
    assert (None, None, None, 4, 5) == dicecup.glimpse(cup, None).dice


def test_roll_is_public_and_its_dice_only_for_the_roller():
    event = Rolled(1, 2, 1, (None,) * 5, (1, 6, 3, 1, 5))

    assert event is event.seen_by(1)
    assert Rolled(1, 2, 1, (None,) * 5, None) == event.seen_by(0) == event.seen_by(None)


def test_look_is_public_and_the_dice_only_for_the_looker():
    event = Looked(1, (1, 6, 3, 1, 5))

    assert (event, Looked(1, None), Looked(1, None)) == tuple(map(event.seen_by, (1, 0, None)))


cups = st.builds(
    lambda dice, lying, since, last: Cup(
        dice, lying, (None, Memory(dice if since == 0 else last, since), Memory(dice))
    ),
    st.tuples(*[st.integers(1, 6)] * 5),
    st.tuples(*[st.booleans()] * 5),
    st.integers(0, 7),
    st.tuples(*[st.integers(1, 6)] * 5),
)


@given(cups, st.sampled_from([0, 1, 2, None]), st.binary(max_size=4))
def test_imagined_cup_looks_the_same(cup, seat, key):
    seen = dicecup.glimpse(cup, seat)

    assert seen == dicecup.glimpse(dicecup.imagined(seen, seat, KeyedLuck(key)), seat)


@given(st.binary(max_size=4))
def test_imagined_cup_has_no_more_new_dice_than_were_rolled(key):
    """A seat that saw 1 2 3 4 5 before two dice were rolled knows that three of them are still there."""
    cup = dicecup.rolled(FILLED, 2, (1, 4), Scripted(6, 6), number=1)
    dice = dicecup.imagined(dicecup.glimpse(cup, 1), 1, KeyedLuck(key)).dice

    assert 3 <= sum(now == then for now, then in zip(dice, FILLED.dice, strict=True))


def test_every_choice_of_dice_is_listed_all_five_first():
    assert (1, 2, 3, 4, 5) == dicecup.subsets()[0]
    assert 31 == len(set(dicecup.subsets()))


@pytest.mark.parametrize(
    ("places", "left", "code"),
    [((1,), 0, "no-rolls-left"), ((2, 1), 1, "bad-dice"), ((1, 1), 1, "bad-dice"), ((0, 6), 1, "bad-dice")],
)
def test_roll_without_rolls_left_or_of_wrong_dice_is_refused(places, left, code):
    with pytest.raises(Refused) as refused:
        dicecup.checked(places, left)

    assert code == refused.value.code


# Naming dice.


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("all", Named((1, 2, 3, 4, 5), ())),
        ("none", Named((), ())),
        ("#1 #3", Named((1, 3), ())),
        ("33 6", Named((), (3, 3, 6))),
        ("#2, 5", Named((2,), (5,))),
    ],
)
def test_dice_are_named_by_place_or_by_face(text, named):
    assert named == dicecup.named(text, faces)


@pytest.mark.parametrize("text", ["", "#6", "#0", "#1 #1", "all 3", "x", "#", "1 x"])
def test_text_that_names_no_dice_is_malformed(text):
    with pytest.raises(Malformed):
        dicecup.named(text, faces)


@pytest.mark.parametrize(
    ("text", "places"), [("3", (1,)), ("33", (1, 3)), ("#1 3", (1, 3)), ("63", (1, 5)), ("#4 #2", (2, 4))]
)
def test_face_means_the_first_die_that_shows_it(text, places):
    assert places == dicecup.found(dicecup.named(text, faces), (3, 1, 3, 2, 6))


@pytest.mark.parametrize(
    ("text", "dice", "code"),
    [
        ("3", (None,) * 5, "peek-first"),
        ("33", (3, None, 1, 1, 1), "peek-first"),
        ("33", (3, 2, 1, 1, 1), "no-such-die"),
    ],
)
def test_face_that_is_not_visible_is_refused(text, dice, code):
    """By place, people can name dice that nobody has seen."""
    with pytest.raises(Refused) as refused:
        dicecup.found(dicecup.named(text, faces), dice)

    assert (code, 3) == (refused.value.code, refused.value.facts["face"])
    assert (1, 2) == dicecup.found(dicecup.named("#2 #1", faces), dice)


def test_dice_not_kept_are_rolled():
    assert (2, 4, 5) == dicecup.others((1, 3))


def test_joined_lists_are_one_list():
    joined = Joined(((1, 2), (), range(3, 6)))

    assert [1, 2, 3, 4, 5] == list(joined)
    assert (5, 5, [2, 3], True, False) == (len(joined), joined[-1], joined[1:3], 4 in joined, 6 in joined)
    with pytest.raises(IndexError):
        joined[5]


def test_index_in_joined_lists_uses_the_parts():
    joined = Joined(((1, 2), (), range(3, 6)))

    assert [0, 1, 2, 3, 4] == [joined.index(move) for move in joined]
    for call in (lambda: joined.index(6), lambda: joined.index(5, 0, 4), lambda: joined.index(1, 1)):
        with pytest.raises(ValueError, match=r"\d"):
            call()
