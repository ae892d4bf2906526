"""Moods of novices, who err as people do: they chase what they have lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lilygames_rules.kit import Seat


class Settled(Protocol):
    """A round in a sheet."""

    @property
    def changes(self) -> Sequence[int]:
        """The points or chips that each seat has won, or lost if negative."""


def has_just_lost(seat: Seat | None, sheet: Sequence[Settled]) -> bool:
    """Return whether a seat lost the last round in a sheet; not if it joined later."""
    return bool(sheet) and seat is not None and any(won < 0 for won in sheet[-1].changes[seat : seat + 1])
