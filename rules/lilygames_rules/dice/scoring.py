"""Scores of the dice games: after each challenge one seat gains a point and another loses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import attrs

from lilygames_rules.kit import Event, Seat

OptionsT = TypeVar("OptionsT")
ChallengedT = TypeVar("ChallengedT")


@attrs.frozen
class Scored(Event):
    """A challenge was settled: one seat gains a point, the other loses one; with the new scores."""

    number: int
    winner: Seat
    loser: Seat
    scores: tuple[int, ...]


@attrs.frozen
class Ended(Event):
    """The match ended; the seats with the highest score share the win."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


@attrs.frozen
class Match(Generic[OptionsT, ChallengedT]):
    """The options, the points by seat, and the challenges so far."""

    options: OptionsT
    scores: tuple[int, ...]
    sheet: tuple[ChallengedT, ...] = ()

    @property
    def number(self) -> int:
        """The number of the current game or round."""
        return len(self.sheet) + 1


def moved(scores: Sequence[int], winner: Seat, loser: Seat) -> tuple[int, ...]:
    """Return the scores after a point has gone from the loser to the winner."""
    return tuple(score + (seat == winner) - (seat == loser) for seat, score in enumerate(scores))


def leaders(scores: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats with the highest score."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
