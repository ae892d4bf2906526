"""Achievements of Lie Die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Achievement
from lilygames_rules.dice.throws import Throw
from lilygames_rules.kit import Seat
from lilygames_rules.liedie import Challenged


def _is_yahtzee(throw: Throw) -> bool:
    return len(set(throw.dice)) == 1


def _yahtzee_bluff(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, Challenged) and event.lied and _is_yahtzee(event.throw):
            yield event.seat


def _yahtzee_truth(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, Challenged) and not event.lied and _is_yahtzee(event.throw):
            yield event.claimant


ACHIEVEMENTS = (
    Achievement("No Yahtzee", "caught a false claim of a Yahtzee", _yahtzee_bluff),
    Achievement("Yahtzee indeed", "were challenged on a Yahtzee, and it was true", _yahtzee_truth),
)
