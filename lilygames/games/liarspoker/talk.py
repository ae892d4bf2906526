"""Remarks of bots about bids that were counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames.remarks import Remark
from rules.liarspoker import HandScored

_MADE = ("They were all there.", "I knew I could count on you.", "That came out nicely.")
_FAILED = ("One bid too many.", "I thought there would be more.", "I pushed that too far.")


def remarks(event: Any) -> Iterator[Remark]:
    """Yield what seats may say about an event that everyone has seen."""
    match event:
        case HandScored(bidder=bidder, units=units) if units:
            yield Remark(bidder, _MADE if units > 0 else _FAILED)
