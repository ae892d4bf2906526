"""Remarks of bots at Liars Dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lilygames.games.families.dice.talk import challenged
from lilygames.remarks import Remark, at_the_end
from rules.dice.passing import Challenged
from rules.liarsdice import GameEnded


def remarks(event: Any) -> Iterator[Remark]:
    """Yield what seats may say about an event that everyone has seen."""
    match event:
        case Challenged(seat, passer, _, _, honest):
            yield from challenged(seat, passer, honest=honest)
        case GameEnded(scores, winners):
            yield from at_the_end(winners, len(scores))
