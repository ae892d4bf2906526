"""Statistics of lily-poker: hands won, and how many of those without showing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Attempt
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import HandBegun
from lilygames_rules.poker.deal import HandShown
from lilygames_rules.poker.session import HandScored


def attempts(events: Sequence[Any], _: Any) -> Iterator[Attempt]:
    """Yield for each hand which dealt-in seats won chips, and for the winners whether they showed nothing."""
    dealt: tuple[Seat, ...] = ()
    shown: set[Seat] = set()
    for event in events:
        match event:
            case HandBegun():
                dealt, shown = tuple(seat for seat, _ in event.chips), set()
            case HandShown():
                shown.add(event.seat)
            case HandScored():
                for seat in dealt:
                    won = event.changes[seat] > 0
                    yield Attempt(seat, "hands won", won)
                    if won:
                        yield Attempt(seat, "hands won without showing", seat not in shown)
