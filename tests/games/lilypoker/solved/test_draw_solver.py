"""The solver of two players' fixed-limit five-card draw, and what can be won from the table that it wrote."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="scripts/setup oracles installs numpy")
from lab.solving.limit_draw import ANTE, Strategies, exploitable, learn, sampled  # noqa: E402
from lilygames.games.lilypoker.solved.draw_groups import STRENGTHS, choices  # noqa: E402 - needs numpy
from lilygames.games.lilypoker.solved.draw_solution import SIZES, learned  # noqa: E402
from lilygames.games.lilypoker.solved.solution import MIXES, STEPS  # noqa: E402

CARDS = sampled(3, 4000, 3)
"""Hands that the shipped table wasn't learned from."""


def shipped():
    """Return the shipped table as strategies."""
    found, shares = Strategies(), np.array(MIXES).T / STEPS
    for mixing, part in zip((found.before, *found.draws, found.after), learned().parts, strict=True):
        numbers = np.frombuffer(part, np.uint8).reshape(len(mixing.told), *mixing.told.shape[2:])
        mixing.told[:] = np.moveaxis(shares[:, numbers], 0, 1)
    return found


def test_hands_are_dealt_and_drawn_with_probability_1():
    there = CARDS.dealt > 0

    assert pytest.approx(1) == CARDS.dealt.sum()
    for group in np.flatnonzero(there):
        sums = CARDS.after[:, group].sum(1)
        assert [pytest.approx(float(one in choices(group // STRENGTHS))) for one in range(3)] == [*sums]


def test_learning_leaves_less_to_win():
    strategies, found = Strategies(), []
    for number in range(1, 41):
        learn(CARDS, strategies, number)
        if number in (1, 10, 40):
            found.append(exploitable(CARDS, strategies))

    assert found[0] > 4 * found[1] > 8 * found[2] > 0
    assert found[0] < 10 * ANTE


def test_same_rounds_give_the_same_strategies():
    found = []
    for _ in range(2):
        strategies = Strategies()
        for number in range(1, 4):
            learn(CARDS, strategies, number)
        found.append(strategies.after.told.tobytes())

    assert found[0] == found[1]


def test_shipped_table_leaves_two_small_bets_in_100_hands_at_most():
    """That is in groups of hands, and if no card of one player changes the chances of the other."""
    assert SIZES == tuple(map(len, learned().parts))
    assert 0 < 100 * exploitable(sampled(5, 40_000, 4), shipped()) < 2
