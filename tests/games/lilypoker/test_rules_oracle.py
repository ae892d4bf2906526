"""Compare lily-poker with pokerkit: the turn, the legal moves, and the stacks after the hand, chip by chip."""

from __future__ import annotations

import warnings
from itertools import combinations, pairwise

import pytest

from lilygames_rules.cards import DECK
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker import hands as pokerhands
from tests.games.lilypoker.pokerkit_hands import compared, text

pk = pytest.importorskip("pokerkit", reason="pokerkit, of the oracles dependency group, is not installed")

pytestmark = pytest.mark.oracle

FEW, MANY = 300, 10_000
GAMES = [(variant, limit) for variant in ("draw", "stud7", "holdem") for limit in ("fixed", "pot", "no")]


def play(variant, limit, hands):
    seen = dict.fromkeys(("decisions", "showdowns", "side pots", "odd chips", "reopened"), 0)
    with warnings.catch_warnings(action="ignore"):  # pokerkit warns of a fold that nobody asked for
        for number in range(hands):
            compared(pk, variant, limit, number, seen)
    return seen


@pytest.mark.parametrize(("variant", "limit"), GAMES)
def test_we_agree_with_pokerkit_on_every_decision_and_every_chip(variant, limit):
    seen = play(variant, limit, FEW)

    assert seen["decisions"] > 6 * FEW, seen
    assert seen["showdowns"] > FEW / 3, seen
    assert seen["side pots"] > FEW / 20, seen


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "limit"), GAMES)
def test_we_agree_with_pokerkit_on_ten_thousand_hands(variant, limit):
    assert play(variant, limit, MANY)["decisions"] > 6 * MANY


def test_we_rank_hands_as_pokerkit_does():
    """Two hands of five to seven cards each compare in the same way there."""
    luck = KeyedLuck(b"hands")
    for _ in range(1000):
        cards = luck.shuffle(DECK)
        pairs = [(cards[:size], cards[7 : 7 + size]) for size in (5, 6, 7)]
        for pair in pairs:
            ours = [pokerhands.strength(one) for one in pair]
            theirs = [pk.StandardHighHand.from_game(text(one)) for one in pair]

            assert (ours[0] > ours[1], ours[0] == ours[1]) == (theirs[0] > theirs[1], theirs[0] == theirs[1])


def test_class_is_one_of_pokerkits():
    """One hand for each class, in order: each beats the one before it there too."""
    of_class = {}
    luck = KeyedLuck(b"classes")
    for _ in range(4000):
        cards = luck.shuffle(DECK)[:5]
        of_class[pokerhands.strength(cards)] = cards
    hands = [pk.StandardHighHand(text(cards)) for _, cards in sorted(of_class.items())]

    assert all(worse < better for worse, better in pairwise(hands))


@pytest.mark.slow
def test_all_hands_fall_into_pokerkits_classes():
    """All 2,598,960 hands: each class of ours has one index of theirs, in the same order."""
    lookup = pk.StandardLookup()
    of_card = {card: next(pk.Card.parse(text([card]))) for card in DECK}
    theirs = {}
    for five in combinations(DECK, 5):
        entry = lookup.get_entry([of_card[card] for card in five])
        assert theirs.setdefault(pokerhands.strength(five), entry.index) == entry.index
    in_order = [index for _, index in sorted(theirs.items())]

    assert len(theirs) == len(pokerhands.classes())
    assert all(worse < better for worse, better in pairwise(in_order))
