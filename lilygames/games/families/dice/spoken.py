"""What is said of the games of dice under a cup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice.words import rolled
from lilygames.spoken import does
from rules.dice.cup import Glimpse
from rules.dice.passing import Peek

_SAID = 2
"""Moves that are said with their numbers, the best ones; `/moves` has more."""


def challenges(event: Any, reader: Reader) -> str:
    """Return who challenges, in a row of its own; nothing to who has just typed it."""
    said = does("challenges", "challenge")(event, reader)
    return f"{said}\n" if said else ""


def numbered(offers: Sequence[Any], said: Callable[[Any], str]) -> str:
    """Return the best moves behind their numbers, each as it is `said`: `1 roll king, nine; 2 claim pair of aces`."""
    return "; ".join(f"{number} {said(move)}" for number, move in enumerate(offers[:_SAID], 1))


def roll(move: Any, cup: Glimpse, shown: Callable[[Sequence[int]], str]) -> str:
    """Return `roll king, nine`, `roll all` or `look`; `shown` says some dice."""
    return rolled(move, cup, shown) or ("look" if isinstance(move, Peek) else "roll all")
