"""Judges of moves value any legal move at any table, and find more fault with novices than with sharks."""

from __future__ import annotations

import itertools
import math

import pytest

from lilygames.game import Budget, Thinker
from lilygames.games import games
from lilygames.gametest.plays import luck_of
from lilygames.testing import play

GAMES = {name: game for name, game in games().items() if game.judge}
SMALL = Budget(20)
OPTIONS = {
    "liarsdice": [{"reveal": "always", "passing": "next"}, {"reveal": "never", "kickers": "strict", "max_rounds": 3}],
    "liedie": [{"truth": "atleast", "thirteen": "nothing"}, {"games": 2, "first": "turns"}],
    "liarspoker": [{"hands": 2, "choose": "manual", "rebid": False}, {"hands": 2, "numbers": "bills", "hero": False}],
    "lilypoker": [{"hands": 2, "variant": variant, "limit": "no"} for variant in ("draw", "stud7", "holdem")],
}


def judged(name, view, made, moves, luck):
    """Return the judgement of a move with a small budget."""
    others = [move for move in moves if move != made]
    return Thinker(GAMES[name].judge.decide, SMALL)(view, [made, *others], luck)


def chances(name, options, seed):
    """Yield the first decisions of a random game: the view, the moves and the luck of the position."""
    game = GAMES[name]
    seats = game.rules.SEATS[seed % 3]
    purses = (100,) * seats if game.purse else ()
    for number, turn in enumerate(itertools.islice(play(game, seats, options, seed, purses=purses), 25)):
        for seat in range(seats):
            moves = game.rules.moves(turn.state, seat)
            if len(moves) > 1:
                yield game.rules.view(turn.state, seat), moves, luck_of(seed, number, "hint")


@pytest.mark.parametrize(("name", "options"), [(name, options) for name in OPTIONS for options in OPTIONS[name]])
def test_any_move_is_judged_at_any_table(name, options):
    if name not in GAMES:
        pytest.skip("this game has been deleted")
    for seed in range(3):
        for view, moves, luck in chances(name, GAMES[name].rules.Options(**options), seed):
            for made in (moves[0], moves[-1], moves[len(moves) // 2]):
                advice = judged(name, view, made, moves, luck)

                assert advice.move in moves
                assert math.isfinite(advice.facts["cost"])
                assert advice.facts["cost"] >= 0
                assert not {"{", "CLAIMED"} & {*advice.sentence, *advice.sentence.split()}


def costs(name, level):
    """Return the sum of the costs of a bot's moves in random positions."""
    game, found = GAMES[name], 0.0
    player, options = game.players[level], game.rules.Options(**OPTIONS[name][-1])
    for seed in range(6):
        for view, moves, luck in chances(name, options, seed):
            move = player(view, moves, luck)
            found += judged(name, view, move, moves, luck).facts["cost"]
    return found


@pytest.mark.parametrize("name", OPTIONS)
def test_novices_make_costlier_moves_than_sharks(name):
    if name not in GAMES:
        pytest.skip("this game has been deleted")
    assert costs(name, "novice") > 2 * costs(name, "shark")
