"""Achievements of lily-poker. Only cards that everyone saw count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Achievement
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import HandBegun
from lilygames_rules.poker.deal import HandShown
from lilygames_rules.poker.hands import Kind
from lilygames_rules.poker.session import HandScored

_MANY = 40
"""Chips won in a hand."""


def _quads(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    """Yield the seats that won a hand with four of a kind or better, which they showed."""
    shown: dict[Seat, Kind] = {}
    for event in events:
        match event:
            case HandBegun():
                shown = {}
            case HandShown() if event.worth:
                shown[event.seat] = event.worth.kind
            case HandScored():
                yield from (seat for seat, kind in shown.items() if kind >= Kind.QUADS and event.changes[seat] > 0)


def _unseen(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    """Yield the seats that won many chips in a hand without showing it."""
    shown: set[Seat] = set()
    for event in events:
        match event:
            case HandBegun():
                shown = set()
            case HandShown():
                shown.add(event.seat)
            case HandScored():
                won = (seat for seat, change in enumerate(event.changes) if change >= _MANY)
                yield from (seat for seat in won if seat not in shown)


ACHIEVEMENTS = (
    Achievement("Four of a kind", "won a hand by showing four of a kind or better", _quads),
    Achievement("Poker face", f"won {_MANY} chips or more in a hand without showing it", _unseen),
)
