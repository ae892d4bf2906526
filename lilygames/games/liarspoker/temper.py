"""Tempers of bots in Liar's Poker: what they bid and challenge otherwise than others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import attrs

from lilygames.house.tempers import in_character
from rules.bidding.ladder import Bid, Challenge
from rules.kit import Luck
from rules.liarspoker import View

_DARES = 5
"""A bold bot makes one bid in this many one digit higher."""
_SLOWS = 2
"""A careful bot makes one opening bid in this many one digit lower."""
_DOUBTS = 8
"""A grumpy bot challenges one bid in this many instead of beating it; a talkative one does the opposite."""


def change(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    standing = view.auction.bid if view.auction else None
    other: Any
    match temper, move:
        case "bold", Bid():
            other, often = attrs.evolve(move, count=move.count + 1), _DARES
        case "careful", Bid() if not standing:
            other, often = attrs.evolve(move, count=move.count - 1), _SLOWS
        case "grumpy", Bid():
            other, often = Challenge(), _DOUBTS
        case "talkative", Challenge() if standing:
            other, often = attrs.evolve(standing, count=standing.count + 1), _DOUBTS
        case _:
            return move
    return other if luck.roll(often) == 1 and other in moves else move


IN_CHARACTER = partial(in_character, change)
