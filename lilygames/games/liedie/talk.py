"""Remarks of bots at Lie Die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.games.families.dice.talk import challenged
from lilygames.remarks import Remark
from rules.liedie import Challenged


def remarks(events: Sequence[Any]) -> Iterator[Remark]:
    """Yield what seats may say about the events of a move, as everyone has seen them."""
    for event in events:
        match event:
            case Challenged(seat, claimant, _, _, lied):
                yield from challenged(seat, claimant, honest=not lied)
