"""Habits of people that bots remember: a strategy that can use a memory, and how much a memory counts.

A memory decides at most 30 of 100, and less as long as it is short. So a false reputation is worth little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from lilygames.game import Budget, Habit, Memory, Shown, Strategy, Thinker
from lilygames_rules.kit import Luck, Seat

_MOST = 0.3
"""Share of a decision or an estimate that a memory has at most."""
STRANGER = Habit()
"""The habit of someone whom a bot doesn't know."""
BEFORE = 4
"""Times of a habit that a bot imagines of someone it doesn't know (a Beta distribution)."""


@attrs.frozen
class Remembering:
    """A strategy, or how a `Thinker` decides, that can use a memory: `decide(..., memory=None)`."""

    decide: Callable[..., Any]
    memory: Memory | None = None

    def __call__(self, view: Any, moves: Any, luck: Luck, *budget: Budget) -> Any:
        """Return the move of a bot with this memory; None if it remembers nothing."""
        return self.decide(view, moves, luck, *budget, memory=self.memory)


def with_memory(strategy: Strategy, memory: Memory | None) -> Strategy:
    """Return a strategy as a bot with a memory plays it; the same one if it can't use any."""
    match strategy:
        case Thinker(decide=Remembering() as decide):
            return attrs.evolve(strategy, decide=attrs.evolve(decide, memory=memory))
        case Remembering():
            return attrs.evolve(strategy, memory=memory)
    return strategy


def known(memory: Memory, seat: Seat, habit: str, shown: Iterable[Shown]) -> Habit:
    """Return a seat's habit, from a memory of earlier games and what this one has shown."""
    found = memory.get(seat, {}).get(habit, STRANGER)
    for one in shown:
        if (one.seat, one.habit) == (seat, habit):
            found = found.after(did=one.did)
    return found


def weight(habit: Habit) -> float:
    """Return the share of a decision that the memory of a habit has."""
    return _MOST * habit.times / (habit.times + BEFORE)


def share(habit: Habit, usual: float) -> float:
    """Return how often to expect a habit of which others have a usual share."""
    return (habit.yes + BEFORE * usual) / (habit.times + BEFORE)


def believed(chance: float, lies: Habit, usual: float) -> float:
    """Return the probability that a claim is true, from its chance and how often such claims of its maker were lies.

    By Bayes' rule, a claim of someone who lies more often than the usual share is less likely. That counts as much as
    the memory weighs.
    """
    liar = share(lies, usual)
    true, false = chance * (1 - liar) / (1 - usual), (1 - chance) * liar / usual
    return chance + weight(lies) * (true / (true + false) - chance)
