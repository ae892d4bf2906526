"""Remarks of bots at Lie Die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.games.families.dice.talk import challenged, claimed_high, passed_on
from lilygames.remarks import Remark
from lilygames_rules.dice.throws import Type, rank
from lilygames_rules.liedie import Challenged, ClaimMade

_HIGH = [*Type].index(Type.FULL)
"""The least claim that is worth a remark as it is made."""


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    for event in events:
        match event:
            case Challenged(seat, claimant, _, _, lied):
                yield from challenged(seat, claimant, honest=not lied)
            case ClaimMade(seat, throw) if rank(throw)[0] >= _HIGH:
                yield from claimed_high(seat)
    yield from passed_on(events)
