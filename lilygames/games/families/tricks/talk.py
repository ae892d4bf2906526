"""Remarks of bots about bids that came out, or didn't."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames.remarks import Remark, at_the_end
from rules.tricks.exactbid import GameEnded, RoundScored

_PROUD = ("Exactly as I planned it.", "Just what I wanted.", "Right on the number!")
_SORRY = ("Well, that went wrong.", "I counted on other tricks.", "Not my round.")
_LARGE = 2
"""A bid, or a miss, worth a remark."""


def remarks(event: Any) -> Iterator[Remark]:
    """Yield what seats may say about an event that everyone has seen."""
    match event:
        case RoundScored(_, bids, taken):
            for seat, (bid, tricks) in enumerate(zip(bids, taken, strict=True)):
                if bid == tricks >= _LARGE:
                    yield Remark(seat, _PROUD)
                elif abs(bid - tricks) >= _LARGE:
                    yield Remark(seat, _SORRY)
        case GameEnded(scores, winners):
            yield from at_the_end(winners, len(scores))
