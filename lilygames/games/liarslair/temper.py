"""Tempers of bots in Liar's Lair: how they differ from others in volunteering and declaring."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from lilygames.games.liarslair.house import apart, doubts
from lilygames.house.tempers import in_character
from lilygames_rules.kit import Luck
from lilygames_rules.lair.moves import Declare, Pass, Volunteer
from lilygames_rules.lair.table import Declaring, View

_RISKS = 4
"""Once in this many chances a bold bot declares although one of its cards is in doubt."""
_WAITS = 2
"""Once in this many chances a careful bot doesn't declare if any of its cards is in doubt."""
_EAGER = 3
"""Once in this many games a grumpy bot volunteers to start, and a talkative one doesn't."""


def change(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    declaring = isinstance(view.match.phase, Declaring)
    other: Any
    match temper, move:
        case "bold", Pass() if declaring and apart(view) and doubts(view) == 1:
            other, often = Declare(), _RISKS
        case "careful", Declare("honest") if doubts(view):
            other, often = Pass(), _WAITS
        case "grumpy", Pass() if Volunteer() in moves:
            other, often = Volunteer(), _EAGER
        case "talkative", Volunteer():
            other, often = Pass(), _EAGER
        case _:
            return move
    return other if luck.roll(often) == 1 and other in moves else move


IN_CHARACTER = partial(in_character, change)
