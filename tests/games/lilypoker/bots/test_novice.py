"""The novice of lily-poker: legal, not silly, and no wiser than its view."""

from __future__ import annotations

import attrs
import pytest

from lilygames.game import Budget, Thinker
from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.house import LEVELS, chance, novice
from lilygames.games.lilypoker.views.draw import thrown
from lilygames.testing import at_random, play
from lilygames_rules import lilypoker
from lilygames_rules.cards import cards
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.deal import Discard
from lilygames_rules.poker.session import Row
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import begun, said
from tests.games.lilypoker.worlds import hide

QUIET = KeyedLuck(b"no bluff")
"""A luck with which the novice does not bluff."""
STRONG, WEAK = "AS AD AH 7C 2D", "9S 7D 5H 3C 2H"


def move(hands, text=""):
    """Return the next move of the novice in turn."""
    step = begun(hands)
    state = said(step, text).state if text else step.state
    seat = lilypoker.turn(state)
    return novice(lilypoker.view(state, seat), lilypoker.moves(state, seat), KeyedLuck(b"no bluff"))


def test_good_cards_are_bet_and_raised():
    assert Bet(2) == move(f"{STRONG} | {WEAK}")
    assert Raise(4) == move(f"{WEAK} | {STRONG}", "bet 2")


def test_bad_cards_are_checked_and_folded():
    """A bet of 2 into a pot of 3 is not worth it against two others."""
    assert Check() == move(f"{WEAK} | {STRONG} | KS KD QH 8C 4S")
    assert Fold() == move(f"{STRONG} | {WEAK} | KS KD QH 8C 4S", "bet 2")


def test_middling_cards_call():
    assert Call() == move(f"{STRONG} | JS 9D 9H 3C 2H", "bet 2")


@pytest.mark.parametrize(
    ("hand", "away"),
    [
        ("AS AD KH 7C 2D", "KH 7C 2D"),
        ("AS AD KH KC 2D", "2D"),
        ("9S 9D 9H 4C 5C", "5C 4C"),
        ("AS QS 9S 4S 5C", "5C"),
        ("JD 10S 9H 8C 2C", "2C"),
        ("AS KD 9H 7C 2D", "9H 7C 2D"),
        ("AS KS QS JS 9S", ""),
        ("AS AD KH KC KD", ""),
    ],
)
def test_useless_cards_are_discarded(hand, away):
    assert set(cards(away)) == set(thrown(cards(hand)))


def test_discards_respect_the_tables_maximum():
    step = said(begun("AS KD 9H 7C 2D | 9S 9D 9C 4C 5C", max_draw=2), "check, check")
    seat = lilypoker.turn(step.state)

    assert Discard(cards("7C 2D")) == novice(lilypoker.view(step.state, seat), lilypoker.moves(step.state, seat), QUIET)


def test_winning_chance_falls_with_more_opponents():
    hands = [STRONG, "JS 9D 9H 3C 2H", "KS KD QH 8C 4S", "QS QD 10H 8D 4D"]
    two, four = (begun(" | ".join(hands[:seats])).state.deal for seats in (2, 4))

    assert 0.9 < chance(two, 0, KeyedLuck(b"two")) <= 1
    assert 0.6 > chance(four, 1, KeyedLuck(b"four")) < chance(two, 1, KeyedLuck(b"two"))


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_novice_beats_random_players(variant):
    """The bound is 300 chips in 200 hands at bets of 2 and 4."""
    won = 0
    for seed in range(10):

        def choose(view, moves, luck):
            return (novice if view.seat == 0 else at_random)(view, moves, luck)

        state = play(GAME, 4, Options(variant=variant, hands=20, buyin=1000), seed, choose)[-1].state
        won += lilypoker.outcome(state).scores[0]

    assert won > 300


@pytest.mark.parametrize("limit", ["fixed", "pot", "no"])
@pytest.mark.parametrize("seats", [2, 6])
def test_games_between_novices_end_and_reach_showdowns(seats, limit):
    """They don't raise for ever, and they don't always fold."""
    turns = play(GAME, seats, Options(variant="choice", limit=limit, hands=20, showdown="ask"), 1, novice)
    shown = sum(type(event).__name__ == "HandShown" for turn in turns for event in turn.events)

    assert shown > 3


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_bot_makes_the_same_move_in_states_it_cannot_tell_apart(level, variant):
    """The others' cards are dealt again; the same view and the same luck give the same move."""
    differed, strategy = 0, LEVELS[level]
    if isinstance(strategy, Thinker):
        strategy = Thinker(strategy.decide, Budget(15))
    for number, turn in enumerate(play(GAME, 4, Options(variant=variant, hands=8, showdown="ask"), 1)):
        seat = lilypoker.turn(turn.state)
        if seat is None:
            continue
        other = hide(turn.state, seat, KeyedLuck(b"%d" % number))
        differed += other != turn.state
        here, there = (
            strategy(lilypoker.view(world, seat), lilypoker.moves(world, seat), KeyedLuck(b"same"))
            for world in (turn.state, other)
        )

        assert here == there
    assert differed > 50


def test_novice_on_tilt_bets_on_nothing_more_often():
    step = begun(f"{WEAK} | {STRONG}")
    seat = lilypoker.turn(step.state)
    view, moves = lilypoker.view(step.state, seat), lilypoker.moves(step.state, seat)
    lost = Row(1, "draw", tuple(-4 if other == seat else 4 for other in range(2)))
    tilted = attrs.evolve(view, match=attrs.evolve(view.match, sheet=(lost,)))
    bets = [sum(novice(one, moves, KeyedLuck(b"%d" % n)) == Bet(2) for n in range(200)) for one in (view, tilted)]

    assert 0 < bets[0] < bets[1] < 50
