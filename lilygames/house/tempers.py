"""Characters of bots in games without dice: a temper changes some of a bot's moves, and so does a memory.

Sharks and masters play without a temper.
Each game says what a temper changes. It knows only what the bot may use: the view, the legal moves, and luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from lilygames.game import Budget, Character, Strategy, Thinker
from lilygames.house.habits import with_memory
from lilygames_rules.kit import Luck

STEADY = frozenset({"shark", "master"})
"""Levels that play without a temper."""
Change = Callable[[str, Any, Sequence[Any], Any, Luck], Any]
"""Returns a move as a bot of a temper makes it: from temper, view, legal moves, the strategy's move, and luck.

It must be importable by name, for the workers.
"""


def in_character(change: Change, strategy: Strategy, level: str, character: Character) -> Strategy:
    """Return a level's strategy as a bot with a temper and a memory plays it."""
    strategy = with_memory(strategy, character.memory)
    if level in STEADY or not character.temper:
        return strategy
    if isinstance(strategy, Thinker):
        return attrs.evolve(strategy, decide=Tempered(change, character.temper, strategy.decide))
    return Tempered(change, character.temper, strategy)


@attrs.frozen
class Tempered:
    """A strategy, or how a `Thinker` decides, in a temper."""

    change: Change
    temper: str
    decide: Callable[..., Any]

    def __call__(self, view: Any, moves: Sequence[Any], luck: Luck, *budget: Budget) -> Any:
        """Return the strategy's move, or another one that fits the temper."""
        if len(moves) == 1:
            return moves[0]
        return self.change(self.temper, view, moves, self.decide(view, moves, luck, *budget), luck)
