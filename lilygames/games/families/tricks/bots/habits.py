"""Habits that bots of the exact-bid games remember: people took more tricks than they had bid, or fewer.

So a bot knows what to make of their bids. Everyone sees these facts on the score sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from lilygames.game import Memory, Shown
from lilygames.house.habits import known, share, weight
from lilygames_rules.kit import Seat
from lilygames_rules.tricks.exactbid import RoundScored, Row

OVER, UNDER = HABITS = ("over", "under")
"""The habits: taking more tricks than bid, and fewer."""
_USUAL = 0.25
"""Share of rounds in which players take more tricks than they bid, and of those in which they take fewer."""


@attrs.frozen
class Trust:
    """The meaning of a bid for its bidder's tricks, as far as a bot knows the bidder."""

    weight: float = 0.0
    """How much it counts."""
    leaning: float = 0.0
    """The tricks that the bidder usually takes above the bid."""

    @property
    def beyond(self) -> float:
        """The tricks above the bid to expect."""
        return self.weight * self.leaning


def reveals(events: Iterable[Any]) -> Iterator[Shown]:
    """Yield which seats took more tricks than they bid in a round, and which fewer."""
    for event in events:
        if isinstance(event, RoundScored | Row):
            for seat, (bid, taken) in enumerate(zip(event.bids, event.taken, strict=True)):
                yield Shown(seat, taken > bid, OVER)
                yield Shown(seat, taken < bid, UNDER)


def trusts(memory: Memory | None, sheet: Sequence[Row], seats: int) -> Sequence[Trust]:
    """Return what each seat's bids say to a bot with a memory of earlier games and the rounds of this one."""
    if memory is None:
        return [Trust()] * seats
    shown = [*reveals(sheet)]
    return [_trust(memory, seat, shown) for seat in range(seats)]


def _trust(memory: Memory, seat: Seat, shown: Sequence[Shown]) -> Trust:
    over, under = (known(memory, seat, habit, shown) for habit in HABITS)
    return Trust(weight(over), share(over, _USUAL) - share(under, _USUAL))
