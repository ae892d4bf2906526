"""Statistics of Liar's Poker: the counted bids, and whether they were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Attempt
from lilygames_rules.liarspoker import HandScored


def attempts(events: Sequence[Any], _: Any) -> Iterator[Attempt]:
    """Yield the bid of each hand for its bidder."""
    for event in events:
        if isinstance(event, HandScored):
            yield Attempt(event.bidder, "bids made", event.units > 0)
