"""Remarks of bots at Lie Die."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames.games.families.dice.talk import challenged
from lilygames.remarks import Remark, at_the_end
from rules.dice.scoring import Ended
from rules.liedie import Challenged


def remarks(event: Any) -> Iterator[Remark]:
    """Yield what seats may say about an event that everyone has seen."""
    match event:
        case Challenged(seat, claimant, _, _, lied):
            yield from challenged(seat, claimant, honest=not lied)
        case Ended(scores, winners):
            yield from at_the_end(winners, len(scores))
