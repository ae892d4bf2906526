"""For each game, a function that makes another world for a seat: from the *View* line of the rules only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from lilygames_rules.cards import DECK
from lilygames_rules.kit import Luck, Seat
from tests.rules.tricks.worlds import dealt_anew


def _tally(state: Any, seat: Seat | None, luck: Luck) -> Any:
    return dealt_anew(state, seat, DECK, lambda cards: cards[0].suit if cards else None, luck)


FOLDERS = sorted(file.parent.name for file in Path(__file__).parent.glob("*/worlds.py"))
OURS: Mapping[str, Callable[[Any, Seat | None, Luck], Any]] = {
    name: import_module(f"tests.games.{name}.worlds").hide for name in FOLDERS
}
"""The installed games, each from its own folder."""
WORLDS = {**OURS, "tally": _tally}
