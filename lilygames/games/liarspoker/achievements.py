"""Achievements of Liar's Poker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Achievement
from lilygames_rules.kit import Seat
from lilygames_rules.liarspoker import Counted, HandScored


def _thin_air(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    """Yield the bidders who made a bid although the count found none of it on their own slip."""
    own: dict[Seat, int] = {}
    for event in events:
        match event:
            case Counted():
                own = dict(event.fingers)
            case HandScored():
                if event.units > 0 and own and not own.get(event.bidder, 0):
                    yield event.bidder
                own = {}


def _hero(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, HandScored) and event.verdict == "hero":
            yield event.bidder


ACHIEVEMENTS = (
    Achievement("Out of thin air", "made a bid without one of its digits on your own slip", _thin_air),
    Achievement("Hero", "won a hand as the hero", _hero),
)
