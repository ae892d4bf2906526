"""The master of Lie Die: it solves each step further than the shark, at the tables where that is shown to be better."""

from __future__ import annotations

from itertools import islice
from random import Random
from statistics import fmean

import attrs
import pytest

from lilygames.game import LIES, Character, Habit
from lilygames.games.liedie import GAME, ladder
from lilygames.gametest.bot_record import positions
from lilygames.gametest.plays import luck_of
from rules import liedie
from tests.house import variants

SHARK, MASTER = GAME.players["shark"], GAME.players["master"]


def moves(bot, seats, many=60):
    """Return a bot's moves in positions from random moves."""
    return [
        bot(liedie.view(one.state, one.seat), liedie.moves(one.state, one.seat), luck_of(one.seed, one.turn, "bot"))
        for one in islice(positions(GAME, liedie.Options(games=8), seats), many)
    ]


def test_master_in_the_greatest_hurry_makes_the_moves_of_a_shark():
    assert moves(SHARK, 2) == moves(attrs.evolve(MASTER, budget=MASTER.less[-1]), 2)


def test_master_has_smaller_budgets_while_many_moves_wait():
    budgets = [one.iterations for one in (MASTER.budget, *MASTER.less)]

    assert sorted({*budgets}, reverse=True) == budgets
    assert SHARK.budget.iterations == budgets[-1]


def test_larger_budget_keeps_more_throws_separate():
    sizes = [len(ladder.solved(60, (2, 2, 3, 6, 1), 2, budget).groups) for budget in (8, 30, 100)]

    assert sizes[0] == sizes[1] < sizes[2]


def test_master_has_neither_temper_nor_memory():
    """It must not depart from its solution."""
    for temper in ("", "bold", "careful", "talkative", "grumpy"):
        assert MASTER == GAME.in_character(MASTER, "master", Character(temper, {0: {LIES: Habit(yes=20)}}))


def exploited(budget, most):
    """Return what an opponent that looks one step ahead, and a best response, win from bots with one die of four faces.

    The bots solve their steps with a budget, but with `most` iterations.
    """
    pytest.importorskip("numpy", reason="the opponent needs numpy")
    *_, knows, script, exploiter = variants._liedie(1, 4, "scripts.solving.liedie_exploiter")
    worth, thrown = script.table(0, 200)
    knows.TABLE, knows.MOST = script.packed(worth).tobytes() + thrown.tobytes(), most
    bot = exploiter.Exploiter(budget)
    return fmean(bot.wins(Random(game)) for game in range(1000)), script.exploited(budget)


def test_opponent_wins_next_to_nothing_from_bots_who_solve_their_steps():
    wins, best = exploited(30, 120)

    assert -0.01 < wins < best + 0.01 < 0.03


def test_opponent_wins_much_from_bots_who_hardly_solve_them_but_no_more_than_a_best_response():
    wins, best = exploited(1, 1)

    assert 0.05 < wins < best + 0.01
