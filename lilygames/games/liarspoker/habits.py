"""The habit that bots of Liar's Poker remember: bids that were counted weren't made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lilygames.game import LIES, Habit, Memory, Shown
from lilygames.house.habits import STRANGER, known
from lilygames_rules.bidding.ladder import Auction
from lilygames_rules.bidding.stakes import Match, Row
from lilygames_rules.liarspoker import HandScored

HABITS = (LIES,)
USUAL = 0.7
"""Share of counted bids that aren't made: 0.2 to 0.5 of those of novices, and 0.7 to 0.95 of those of clubs."""


def reveals(events: Iterable[Any]) -> Iterator[Shown]:
    """Yield whether the bids of hands that are over were missed."""
    for event in events:
        if isinstance(event, HandScored | Row):
            yield Shown(event.bidder, did=event.verdict == "missed")


def lies_behind(auction: Auction, match: Match, memory: Memory | None) -> Habit:
    """Return how often bids like the standing one were missed, as a bot with a memory knows its bidder."""
    if memory is None or auction.bidder is None:
        return STRANGER
    return known(memory, auction.bidder, LIES, reveals(match.sheet))
