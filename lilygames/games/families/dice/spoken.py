"""Reader-mode lines shared by the dice games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.dice.words import rolled
from lilygames.spoken import does
from rules.dice.cup import Glimpse
from rules.dice.passing import Peek

_SAID = 2
"""Number of best moves a prompt reads with their numbers; `/moves` lists all."""


def challenges(event: Any, reader: Reader) -> str:
    """Return a line that says who challenges; empty for the player who has just typed it."""
    said = does("challenges", "challenge")(event, reader)
    return f"{said}\n" if said else ""


def numbered(offers: Sequence[Any], said: Callable[[Any], str]) -> str:
    """Return the best moves with their numbers: `1 roll king, nine; 2 claim pair of aces`."""
    return "; ".join(f"{number} {said(move)}" for number, move in enumerate(offers[:_SAID], 1))


def roll(move: Any, cup: Glimpse, shown: Callable[[Sequence[int]], str]) -> str:
    """Return `roll king, nine`, `roll all` or `look`; `shown` words some dice."""
    return rolled(move, cup, shown) or ("look" if isinstance(move, Peek) else "roll all")
