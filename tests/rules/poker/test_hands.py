"""Values of poker hands: the order of standard high poker, and how often each kind occurs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.cards import DECK, cards
from lilygames_rules.poker import hands
from lilygames_rules.poker.hands import Kind

PK_1 = """AS KS QS JS TS | 5H 4H 3H 2H AH | 9C 9D 9H 9S 2C | 8C 8D 8H 3S 3C | AD JD 8D 4D 2D
5C 4D 3H 2S AC | QC QD QH 7S 2C | JC JD 4H 4S AC | TC TD 9H 5S 2C | AC KD JH 9S 7C"""
FREQUENCIES = {
    Kind.STRAIGHT_FLUSH: 40,
    Kind.QUADS: 624,
    Kind.FULL_HOUSE: 3744,
    Kind.FLUSH: 5108,
    Kind.STRAIGHT: 10200,
    Kind.TRIPS: 54912,
    Kind.TWO_PAIR: 123552,
    Kind.PAIR: 1098240,
    Kind.HIGH_CARD: 1302540,
}
"""Of the 2,598,960 hands of five cards."""


def test_pk_1_the_kinds_of_hand_in_their_order():
    """PK-1: each of ten hands beats the next one."""
    strengths = [hands.strength(cards(hand)) for hand in PK_1.replace("\n", "|").split("|")]

    assert all(better > worse for better, worse in pairwise(strengths))


def test_there_are_7462_classes():
    assert 7462 == len(hands.classes()) == len(set(hands.classes()))


def test_ace_is_low_in_the_wheel_and_nowhere_else():
    wheel, six, around = (hands.worth(cards(hand)) for hand in ("AC 2D 3H 4S 5C", "2D 3H 4S 5C 6C", "QC KD AH 2S 3C"))

    assert (Kind.STRAIGHT, Kind.STRAIGHT, Kind.HIGH_CARD) == (wheel.kind, six.kind, around.kind)
    assert wheel.ranks[0] < six.ranks[0]


def test_suits_never_break_a_tie():
    assert hands.strength(cards("AC KC QD JD 9D")) == hands.strength(cards("AS KS QH JH 9H"))


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("AS KS QS JS 10S", "a royal flush"),
        ("5H 4H 3H 2H AH", "a straight flush to the five"),
        ("9C 9D 9H 9S 2C", "four nines"),
        ("8C 8D 8H 3S 3C", "a full house, eights over threes"),
        ("AD JD 8D 4D 2D", "a flush, ace high"),
        ("6C 5C 4D 3H 2S", "a straight to the six"),
        ("QC QD QH 7S 2C", "three queens"),
        ("JC JD 4H 4S AC", "two pair, jacks and fours"),
        ("6C 6D 9H 5S 2C", "a pair of sixes"),
        ("AC KD JH 9S 7C", "ace high"),
        ("AC AD KH KS 2C 2D 3H", "two pair, aces and kings"),
        ("AC KC QC JC 9C 9D 9H", "a flush, ace high"),
    ],
)
def test_hand_is_named_in_words(hand, words):
    """Of six or seven cards the best five count."""
    assert words == hands.worth(cards(hand)).words


@given(st.permutations(DECK), st.integers(6, 7))
def test_hand_is_worth_its_best_five_cards(pack, size):
    held = pack[:size]

    assert hands.strength(held) == max(map(hands.strength, combinations(held, 5)))


@pytest.mark.parametrize("size", [0, 4, 8])
def test_hand_has_five_to_seven_cards(size):
    with pytest.raises(ValueError, match="a hand has 5 to 7 cards"):
        hands.strength(DECK[:size])


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4C 8H 4D 8S", "10C 4H 10D 2D"),
        ("2C 2D 2H 3S", "AC AD KH KS"),
        ("2C 2D", "AC KD"),
        ("AC 3D", "KC QD"),
        ("9C 9D KH", "9H 9S QD"),
    ],
)
def test_visible_cards_are_compared_by_pairs_then_high_cards(better, worse):
    """Four of a kind, three, two pair, a pair, then high cards; kickers count."""
    assert hands.showing(cards(better)) > hands.showing(cards(worse))


@pytest.mark.slow
def test_all_hands_fall_into_the_classes_as_often_as_they_should():
    """2,598,960 hands: the number of each kind matches published counts, and no class is empty."""
    places = Counter(map(hands.strength, combinations(DECK, 5)))
    kinds = Counter()
    for place, times in places.items():
        kinds[hands.classes()[place].kind] += times

    assert FREQUENCIES == kinds
    assert set(range(7462)) == set(places)
