"""Arena: play as many tables as you like in a fixed time. Winning twice in a row doubles what follows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction

import attrs

from lilygames.tournaments.pairing.log import BOTS_AFTER
from lilygames.tournaments.pairing.points import HalfPoints
from lilygames.tournaments.pairing.table_sizes import FEWEST

FIRE: HalfPoints = 16
"""8 points: two tables in a row with as many set a player on fire."""
IN_A_ROW = 2
SMALL_TABLE_AFTER = 45.0
"""Seconds that someone waits before three people are enough for a table."""


def arena_points(tables: Iterable[HalfPoints]) -> list[HalfPoints]:
    """Return what each of someone's tables counts, in order: double while they are on fire.

    Two tables in a row with 8 points or more, counted undoubled, set them on fire. A table under 8 is still doubled and
    ends it. For duels these are the points of a Lichess arena, times 6.
    """
    counted, good = [], 0
    for points in tables:
        counted.append(points * 2 if good >= IN_A_ROW else points)
        good = good + 1 if points >= FIRE else 0
    return counted


@attrs.frozen
class ArenaRow:
    """Someone's row in an arena: points, tables played, and when they reached these points."""

    name: str
    points: HalfPoints
    tables: int
    reached: float

    @property
    def order(self) -> tuple[Fraction | float | str, ...]:
        """The sort key: points, then the average of a table, then who was earlier."""
        average = Fraction(self.points, self.tables) if self.tables else Fraction()
        return (-self.points, -average, self.reached, self.name)


def arena_standings(tables: Mapping[str, Sequence[tuple[float, HalfPoints]]]) -> list[ArenaRow]:
    """Return the standings from everyone's tables, each with its time of end and place points."""
    rows = []
    for name, played in tables.items():
        counted = arena_points(points for _, points in played)
        reached = max((at for (at, _), points in zip(played, counted, strict=True) if points), default=0.0)
        rows.append(ArenaRow(name, sum(counted), len(played), reached))
    return sorted(rows, key=lambda row: row.order)


@attrs.frozen
class Waiting:
    """Someone who waits for a table, since when, and the people at their previous table."""

    name: str
    since: float
    last: frozenset[str] = frozenset()


@attrs.frozen
class Opening:
    """A table to open: its people, and how many bots sit down with them."""

    people: tuple[str, ...]
    bots: int = 0


def openings(
    waiting: Iterable[Waiting], now: float, seats: int, legal: Container[int], bots_after: float = BOTS_AFTER
) -> list[Opening]:
    """Return the tables to open now. Those who have waited longest play first.

    A table opens when `seats` people wait. After 45 s three are enough, and after `bots_after` bots fill it up.
    """
    queue = sorted(waiting, key=lambda one: (one.since, one.name))
    found = []
    while queue and (opening := _next(queue, now, seats, legal, bots_after)):
        found.append(opening)
        queue = [one for one in queue if one.name not in opening.people]
    return found


def _next(queue: Sequence[Waiting], now: float, seats: int, legal: Container[int], bots_after: float) -> Opening | None:
    waited = now - queue[0].since
    if len(queue) >= seats:
        return Opening(_not_again(queue, seats))
    if len(queue) >= FEWEST and len(queue) in legal and waited >= SMALL_TABLE_AFTER:
        return Opening(tuple(one.name for one in queue))
    if waited >= bots_after:
        return Opening(tuple(one.name for one in queue), seats - len(queue))
    return None


def _not_again(queue: Sequence[Waiting], seats: int) -> tuple[str, ...]:
    """Return the first people in the queue; if they have just played with each other, the next person joins them."""
    chosen = queue[:seats]
    names = {one.name for one in chosen}
    if len(queue) > seats and all(names <= one.last for one in chosen):
        chosen = [*queue[: seats - 1], queue[seats]]
    return tuple(one.name for one in chosen)
