"""The master of Lie Die: it solves each step further than the shark, at the tables where that is shown to be better."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from lilygames.game import LIES, Character, Habit
from lilygames.games.liedie import GAME, ladder, master_steps
from lilygames.house import discounted
from tests.house import variants

SHARK, MASTER = GAME.players["shark"], GAME.players["master"]


STEP = (60, (2, 2, 3, 6, 1), 2)
"""A claim, the dice, and how many of them are thrown."""


def test_master_has_a_smaller_budget_while_many_moves_wait():
    assert [one.iterations for one in MASTER.less] < [MASTER.budget.iterations]


def test_master_groups_no_throws_of_a_step_that_is_small_enough():
    assert {1} == {len(group) for group in master_steps.solved(200, *STEP[1:], 20).groups}


@pytest.mark.parametrize("claim", [0, 60, 120])
@pytest.mark.parametrize("thrown", range(1, 6))
def test_master_groups_each_throw_once_with_others_of_the_same_important_part(claim, thrown):
    every = sorted({rung for kept in combinations(sorted(STEP[1]), 5 - thrown) for rung in ladder.fallen(kept)})
    groups, labels = master_steps.grouped(every, claim)

    assert every == sorted(rung for group in groups for rung in group)
    assert all(len({ladder.heads()[rung] for rung in group}) == 1 for group in groups)
    assert [True] * labels + [False] * (len(groups) - labels) == [min(group) > claim for group in groups]
    assert master_steps.cost(len(groups), labels) <= master_steps.SIZE


def test_stakes_of_groups_are_means_of_those_of_their_throws():
    """Throws weigh as often as they fall; a true claim is about one throw only."""
    groups, often = ((100, 101), (5, 7, 8)), ladder.fallen(())
    worth = ladder.learned().worth
    true = sum((1 - worth[rung][rung]) * often[rung] for rung in groups[0]) / sum(often[rung] for rung in groups[0])
    pairs = {(said, rung): often[said] * often[rung] for said in groups[0] for rung in groups[1]}
    false = sum((1 - worth[said][rung]) * share for (said, rung), share in pairs.items()) / sum(pairs.values())

    assert [pytest.approx([true]), pytest.approx([false])] == master_steps.stakes(groups, 1)


def gap(solve, rounds):
    """Return what both players of a small game may win by other moves than those of a solution."""
    stakes, shares = [[0.5, 1.5], [1.2, 0.3], [1.4, 0.9]], [[0.2, 0.2, 0.6], [0.1, 0.5, 0.4]]
    kept, believed, says = solve(stakes, 2, shares, rounds)
    pays = [
        [q * stake + 2 * (1 - q) * (said == group) for said, (q, stake) in enumerate(zip(believed, row, strict=True))]
        for group, row in enumerate(stakes)
    ]
    most = max(sum(share * max(row) for share, row in zip(some, pays, strict=True)) for some in shares)
    arrives = [sum(x * share for x, share in zip(kept, column, strict=True)) for column in zip(*shares, strict=True)]
    least = sum(
        min(sum(arrives[g] * says[g][said] * stakes[g][said] for g in range(3)), 2 * arrives[said] * says[said][said])
        for said in range(2)
    )
    return most - least


def test_discounted_regrets_solve_a_small_game():
    assert 0 <= gap(discounted.solve, 300) < 0.001 < gap(discounted.solve, 3)


def test_master_has_neither_temper_nor_memory():
    """It must not depart from its solution."""
    for temper in ("", "bold", "careful", "talkative", "grumpy"):
        assert MASTER == GAME.in_character(MASTER, "master", Character(temper, {0: {LIES: Habit(yes=20)}}))


def exploited(name, budget, changed=None):
    """Return what an opponent that looks one step ahead wins from bots with one die of four faces.

    The module `name` solves their steps with a budget; `changed` are numbers in it. The second result is what a best
    response wins from sharks with that budget.
    """
    pytest.importorskip("numpy", reason="the opponent needs numpy")
    more = "lab.solving.liedie_exploiter", f"lilygames.games.liedie.{name}"
    *_, knows, script, exploiter, solver = variants._liedie(1, 4, *more)
    worth, thrown = script.table(0, 200)
    knows.TABLE = script.packed(worth).tobytes() + thrown.tobytes()
    for number, value in (changed or {}).items():
        setattr(solver, number, value)
    bot = exploiter.Exploiter(lambda claim, dice, many: solver.solved(claim, dice, many, budget))
    return fmean(bot.wins(Random(game)) for game in range(1000)), script.exploited(budget)


def test_opponent_wins_next_to_nothing_from_bots_who_solve_their_steps():
    wins, best = exploited("ladder", 30)

    assert -0.01 < wins < best + 0.01 < 0.03


def test_opponent_wins_much_from_bots_who_hardly_solve_them_but_no_more_than_a_best_response():
    wins, best = exploited("ladder", 1, {"MOST": 1})

    assert 0.05 < wins < best + 0.01


def test_opponent_wins_next_to_nothing_from_a_master():
    wins, _ = exploited("master_steps", 20)

    assert -0.01 < wins < 0.01


def test_opponent_wins_much_from_a_master_who_hardly_solves_its_steps():
    wins, _ = exploited("master_steps", 1, {"_MOST": 1})

    assert wins > 0.05
