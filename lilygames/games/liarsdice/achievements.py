"""Achievements of Liars Dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Achievement
from lilygames_rules.dice.claims import Category
from lilygames_rules.dice.passing import Challenged
from lilygames_rules.kit import Seat


def _royal_bluff(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, Challenged) and not event.honest and event.hand.category is Category.FIVE:
            yield event.seat


def _royal_truth(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, Challenged) and event.honest and event.hand.category is Category.FIVE:
            yield event.passer


ACHIEVEMENTS = (
    Achievement("Royal bluff caught", "caught a false claim of five of a kind", _royal_bluff),
    Achievement("Royal truth", "were challenged on five of a kind, and it was true", _royal_truth),
)
