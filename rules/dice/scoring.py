"""A match of dice under a cup: after each challenge one seat gains a point and another loses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import attrs

from rules.kit import Event, Seat

OptionsT = TypeVar("OptionsT")
ChallengedT = TypeVar("ChallengedT")


@attrs.frozen
class Scored(Event):
    """A challenge is settled: one seat gains a point, the other loses one; with all points so far."""

    number: int
    winner: Seat
    loser: Seat
    scores: tuple[int, ...]


@attrs.frozen
class Ended(Event):
    """The highest score wins, and who ties for it shares the win."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


@attrs.frozen
class Match(Generic[OptionsT, ChallengedT]):
    """What the table agreed on, the points by seat, and how the challenges so far ended."""

    options: OptionsT
    scores: tuple[int, ...]
    sheet: tuple[ChallengedT, ...] = ()

    @property
    def number(self) -> int:
        """The number of what is in play, up to its challenge."""
        return len(self.sheet) + 1


def moved(scores: Sequence[int], winner: Seat, loser: Seat) -> tuple[int, ...]:
    """Return the points after one has gone from the loser to the winner."""
    return tuple(score + (seat == winner) - (seat == loser) for seat, score in enumerate(scores))


def leaders(scores: Sequence[int]) -> tuple[Seat, ...]:
    """Return who has the highest score."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
