"""Remarks of bots about hands that are over, never about the cards in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames.remarks import Remark
from rules.poker.session import HandScored, WentBroke

_WON = ("Thank you, I can use those.", "That pot was worth waiting for.", "A good hand for me.")
_LOST = ("Well played.", "You can have that one.", "That was expensive.")
_BROKE = ("That was all I had.", "I'm out of chips. Good luck, everyone!")
_LARGE = 12
"""Chips won or lost in a hand that are worth a remark."""


def remarks(event: Any) -> Iterator[Remark]:
    """Yield what seats may say about an event that everyone has seen."""
    match event:
        case HandScored(_, changes):
            for seat, change in enumerate(changes):
                if abs(change) >= _LARGE:
                    yield Remark(seat, _WON if change > 0 else _LOST)
        case WentBroke(seat):
            yield Remark(seat, _BROKE)
