"""Tempers of bots in lily-poker: how they bet otherwise than others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from lilygames.house.tempers import in_character
from rules.kit import Luck
from rules.lilypoker import View
from rules.poker.bets import Bet, Call, Check, Fold, Raise

_DARES = 8
"""Once in this many chances a bold bot bets or raises instead of checking or calling."""
_SHRINKS = 4
"""Once in this many chances a careful bot checks or calls instead of betting or raising."""
_DOUBTS = 8
"""Once in this many chances a grumpy bot calls instead of folding."""


def change(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    other: Any
    match temper, move:
        case "bold", Check() | Call():
            other, often = _raised(moves), _DARES
        case "careful", Bet() | Raise():
            other, often = moves[0], _SHRINKS
        case "grumpy", Fold():
            other, often = moves[0], _DOUBTS
        case _:
            return move
    return other if luck.roll(often) == 1 and other is not None else move


def _raised(moves: Sequence[Any]) -> Bet | Raise | None:
    """Return the lowest bet or raise, if any."""
    return next((one for one in moves if isinstance(one, Bet | Raise)), None)


IN_CHARACTER = partial(in_character, change)
