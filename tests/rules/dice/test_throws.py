"""How throws of five dice rank in Lie Die, from nickthecoder's page."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.dice.throws import Throw, Type, ladder, rank, rungs
from lilygames_rules.kit import Malformed

throws = st.sampled_from(ladder())
readings = st.sampled_from(["straight", "nothing"])


def throw(text):
    return Throw.parse(text)


@pytest.mark.parametrize(
    ("low", "high"),
    [*pairwise("12356 33145 33115 22214 12346 12345 22233 22224 22222".split())],
)
def test_types_of_hand_from_worst_to_best(low, high):
    """The page's own examples; its "nothing" is another throw here, since 1 3 4 5 6 holds a short straight."""
    assert throw(high).beats(throw(low))
    assert not throw(low).beats(throw(high))


@pytest.mark.parametrize(("low", "high"), [*pairwise("22226 33335 33336".split())])
def test_kicker_is_only_considered_last(low, high):
    """Four 3s and a 6 is better than four 3s and a 5. But four 2s and a 6 is beaten by four 3s and a 5."""
    assert throw(high).beats(throw(low))


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("33651", "44125"),
        ("33216", "33651"),
        ("22331", "11442"),
        ("33442", "44335"),
        ("11166", "22211"),
        ("44413", "12344"),
        ("12344", "12346"),
        ("12346", "23451"),
        ("23455", "34561"),
        ("65321", "65421"),
        ("12345", "23456"),
        ("55555", "66666"),
    ],
)
def test_important_part_decides_then_the_kickers_high_to_low(low, high):
    assert throw(high).beats(throw(low))
    assert not throw(low).beats(throw(high))


def test_1_2_3_4_4_is_a_short_straight_with_a_kicker_of_4():
    """Better than any three of a kind, though it has a pair."""
    assert (4, 4, 4) == rank(throw("12344"))
    assert throw("12344").beats(throw("44413"))


def test_1_3_4_5_6_is_a_short_straight_by_the_definition_and_nothing_by_the_example():
    """The page contradicts itself: no straight "e.g. 1, 3, 4, 5, 6", four consecutive numbers are a short straight."""
    assert ("a short straight", "nothing") == (throw("13456").words(), throw("13456").words("nothing"))
    assert throw("13456").beats(throw("44413"))
    assert throw("11235").beats(throw("13456"), "nothing")


def test_by_definition_only_two_throws_are_nothing():
    assert ["65321", "65421"] == [str(one) for one in ladder() if one.words() == "nothing"]
    assert 3 == sum(one.words("nothing") == "nothing" for one in ladder())


def test_7776_rolls_fall_into_nine_types():
    falls = Counter(rank(Throw.of(fallen))[0] for fallen in product(range(1, 7), repeat=5))

    assert [240, 2880, 1800, 1200, 960, 240, 300, 150, 6] == [falls[height] for height in range(len(Type))]


@pytest.mark.parametrize("thirteen", ["straight", "nothing"])
def test_ladder_has_252_rungs(thirteen):
    ranks = [rank(one, thirteen) for one in ladder(thirteen)]

    assert sorted(set(ranks)) == ranks
    assert 252 == len(ranks)
    assert list(range(252)) == list(rungs(thirteen).values())


@given(throws, throws, throws, readings)
def test_ladder_is_a_strict_total_order(one, two, three, thirteen):
    assert one.beats(two, thirteen) + two.beats(one, thirteen) + (one == two) == 1
    if one.beats(two, thirteen) and two.beats(three, thirteen):
        assert one.beats(three, thirteen)


@given(throws, st.permutations(range(5)))
def test_throw_is_typed_in_any_order(one, order):
    digits = [str(one)[place] for place in order]

    assert [one] * 3 == [throw("".join(digits)), throw(" ".join(digits)), throw(", ".join(digits))]


@pytest.mark.parametrize(("text", "shown"), [("13453", "33541"), ("53412", "12345"), ("64321", "12346")])
def test_important_dice_come_first_in_the_notation(text, shown):
    assert shown == str(throw(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12356", "nothing"),
        ("33145", "a pair of threes"),
        ("33115", "two pairs, threes and ones"),
        ("22214", "three twos"),
        ("12346", "a short straight"),
        ("12345", "a long straight"),
        ("22233", "a full house, twos over threes"),
        ("66664", "four sixes"),
        ("22222", "five twos"),
    ],
)
def test_throws_are_said_in_words(text, words):
    assert words == throw(text).words()


@pytest.mark.parametrize("text", ["", "1234", "123456", "12347", "1234x", "nothing"])
def test_throw_is_five_digits_from_1_to_6(text):
    with pytest.raises(Malformed):
        throw(text)
