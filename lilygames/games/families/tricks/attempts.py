"""Statistics of the exact-bid games: the bids that were made, by their size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Attempt
from lilygames_rules.tricks.exactbid import RoundScored

_SMALL = 2
"""Bids below it are counted separately."""


def attempts(events: Sequence[Any], _: Any) -> Iterator[Attempt]:
    """Yield each seat's bid of each round, and whether it took exactly that many tricks."""
    for event in events:
        if isinstance(event, RoundScored):
            for seat, (bid, taken) in enumerate(zip(event.bids, event.taken, strict=True)):
                size = f"bid {bid}" if bid < _SMALL else f"bid {_SMALL} and up"
                yield Attempt(seat, "bids made", bid == taken, size)
