"""The novice of Liar's Poker: legal, not silly, and no wiser than its view."""

from __future__ import annotations

from math import isclose

import attrs
import pytest

from lilygames.games.liarspoker import GAME
from lilygames.games.liarspoker.house import LEVELS, chance, naively, novice
from lilygames.testing import at_random, play
from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, Challenge, Stand
from lilygames_rules.bidding.stakes import Row
from lilygames_rules.kit import KeyedLuck, Scripted
from lilygames_rules.liarspoker import Options
from tests.games.liarspoker.talk import begun, said
from tests.games.liarspoker.worlds import hide

EARNEST = 2
"""A roll with which the novice does not bluff."""


def move(numbers, text=""):
    """Return the novice's next call, when it holds the cards of the seat in turn."""
    state = begun(numbers).state
    state = said(state, text).state if text else state
    seat = liarspoker.turn(state)
    return novice(liarspoker.view(state, seat), liarspoker.moves(state, seat), Scripted(EARNEST))


def test_chances_are_those_of_digits_drawn_one_in_ten():
    """Three players: with two of a rank in hand, three of it stand in 82 of 100 hands."""
    assert isclose(0.815, chance(1, 16), abs_tol=0.001)
    assert isclose(1, chance(0, 8))
    assert isclose(1, chance(-3, 8))
    assert 0 == chance(9, 8)


def test_bid_fits_the_own_number():
    assert 7 == move("77771234 | 11111111 | 22222222").rank


def test_incredible_bid_is_challenged():
    assert Challenge() == move("11111111 | 12344589 | 22222222", "9 sevens")


def test_certain_bid_is_raised():
    """The others would pay for it, and a higher bid pays more."""
    assert isinstance(move("11111111 | 77771234 | 22222222", "3 sevens"), Bid)


def test_good_bid_challenged_by_everyone_stands():
    assert Stand() == move("77771234 | 11111111 | 22222222", "5 sevens, x, x")


def test_last_rung_can_only_be_challenged():
    assert Challenge() == move("11111111 | 12344589", "16 tens")


def test_novice_hopes_for_more_of_its_best_rank_more_often_after_a_loss():
    state = begun("77771234 | 11111111 | 22222222").state
    seat = liarspoker.turn(state)
    view, moves = liarspoker.view(state, seat), liarspoker.moves(state, seat)
    changes = tuple(-4 if other == seat else 2 for other in range(3))
    lost = Row(1, 1, Bid(3, 7), seat, (0, 0, 0), "missed", changes)
    sore = attrs.evolve(view, match=attrs.evolve(view.match, sheet=(lost,)))
    seen = [[novice(one, moves, KeyedLuck(b"%d" % n)) for n in range(200)] for one in (view, sore)]
    usual, hopeful = (naively(view, moves, KeyedLuck(b"any"), bluff) for bluff in (None, 7))

    assert usual != hopeful
    assert 0 < seen[0].count(hopeful) < seen[1].count(hopeful) < 50


@pytest.mark.parametrize("seats", [2, 4])
def test_novice_beats_random_players(seats):
    """The bound is 80 units in 100 hands at single stakes."""
    options, won = Options(progressive=False), 0
    for seed in range(10):

        def choose(view, moves, luck):
            return (novice if view.seat == 0 else at_random)(view, moves, luck)

        won += liarspoker.outcome(play(GAME, seats, options, seed, choose)[-1].state).scores[0]

    assert won > 80


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_games_between_novices_end_with_many_bids_made(seats):
    """Bidding ends, and players dare: of ten bids, two to nine are made."""
    sheets = [play(GAME, seats, Options(), seed, novice)[-1].state.match.sheet for seed in range(4)]
    made = [row.verdict in {"made", "hero"} for sheet in sheets for row in sheet]

    assert 0.2 < sum(made) / len(made) < 0.95


@pytest.mark.parametrize("level", LEVELS)
def test_bot_makes_the_same_move_in_states_it_cannot_tell_apart(level):
    """The others' digits are drawn again; the same view and the same luck give the same move."""
    differed = 0
    for number, turn in enumerate(play(GAME, 4, Options(choose="manual"), 1)):
        seat = liarspoker.turn(turn.state)
        if seat is None:
            continue
        other = hide(turn.state, seat, KeyedLuck(b"%d" % number))
        differed += other != turn.state
        here, there = (
            LEVELS[level](liarspoker.view(world, seat), liarspoker.moves(world, seat), KeyedLuck(b"same"))
            for world in (turn.state, other)
        )

        assert here == there
    assert differed > 50
