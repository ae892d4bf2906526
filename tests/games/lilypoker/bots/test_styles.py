"""Opponents for duels: each does what its name says, whatever it holds."""

from __future__ import annotations

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.house import STYLES, tight
from lilygames.testing import play
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.lilypoker import Options
from lilygames_rules.poker.bets import Bet, Call, Check, Raise


def bets(style, variant, limit="fixed"):
    """Yield the bets owed and the moves of a style, from a game between players of that style."""
    options = Options(variant=variant, limit=limit, hands=5)
    for turn in play(GAME, 3, options, 1, STYLES[style], purses=[100] * 3)[:-1]:
        for seat in range(3):
            view, moves = GAME.rules.view(turn.state, seat), GAME.rules.moves(turn.state, seat)
            if len(moves) > 1 and view.deal and view.deal.phase == "bet" and not view.deal.betting.bring_in:
                yield view, moves, STYLES[style](view, moves, KeyedLuck(b"luck"))


@pytest.mark.parametrize("variant", ["stud7", "holdem"])
def test_call_all_checks_and_calls(variant):
    assert {Check, Call} == {type(move) for _, _, move in bets("call-all", variant)}


def test_call_all_never_bets():
    assert {Check} == {type(move) for _, _, move in bets("call-all", "draw")}


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_raise_all_bets_or_raises_while_it_may(variant):
    for _, moves, move in bets("raise-all", variant):
        assert isinstance(move, Bet | Raise) == (len(moves) > 2)


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_all_in_bets_as_much_as_it_may(variant):
    for _, moves, move in bets("all-in", variant, limit="no"):
        assert move == (moves[-1] if len(moves) > 2 else moves[0])


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_bet_when_checked_to_bets_first_and_is_tight_afterwards(variant):
    for view, moves, move in bets("bet-when-checked-to", variant):
        if not view.deal.betting.owed:
            assert isinstance(move, Bet | Raise)
        else:
            assert move == tight(view, moves, KeyedLuck(b"luck"))
