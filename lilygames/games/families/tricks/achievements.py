"""Achievements of the exact-bid games: what can be done with a hand and a bid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lilygames.game import Achievement
from lilygames_rules.cards import Card
from lilygames_rules.kit import Seat
from lilygames_rules.tricks.exactbid import HandDealt, RoundScored

_SLAM, _FLAWLESS = 5, 8
"""Cards of a round, and rounds of a game, from which they count."""


def made_with(holds: Callable[[Sequence[Card]], bool], bid: int) -> Callable[[Sequence[Any], Any], Iterator[Seat]]:
    """Return a function that finds the seats that made such a bid with a hand that `holds` something."""

    def seats(events: Sequence[Any], _: Any) -> Iterator[Seat]:
        hands: dict[Seat, tuple[Card, ...]] = {}
        for event in events:
            match event:
                case HandDealt():
                    hands[event.seat] = event.cards
                case RoundScored():
                    for seat, hand in hands.items():
                        if event.bids[seat] == event.taken[seat] == bid and holds(hand):
                            yield seat
                    hands = {}

    return seats


def _slam(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, RoundScored):
            for seat, (bid, taken) in enumerate(zip(event.bids, event.taken, strict=True)):
                if bid == taken == sum(event.taken) >= _SLAM:
                    yield seat


def _flawless(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    rounds = [event for event in events if isinstance(event, RoundScored)]
    if len(rounds) >= _FLAWLESS:
        for seat in range(len(rounds[0].bids)):
            if all(event.bids[seat] == event.taken[seat] for event in rounds):
                yield seat


SLAM = Achievement("Slam", f"bid and took every trick of a round of {_SLAM} cards or more", _slam)
FLAWLESS = Achievement("Flawless", f"made every bid of a game of {_FLAWLESS} rounds or more", _flawless)
