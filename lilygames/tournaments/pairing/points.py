"""Place points of a table, and the standings of a tournament with their tie-breaks. Nothing here reads a clock.

Points are stored in halves, as integers: 24 halves are the 12 points of a win.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import attrs

from lilygames_rules.kit import Seat

HalfPoints = int
"""Tournament points in halves."""
WIN: HalfPoints = 24
"""Points for the first place alone: 12. Every table averages half of that."""
AVERAGE: HalfPoints = WIN // 2
"""6 points: a late joiner gets them once, and everyone at a table that can't be replayed."""
SEATS = range(2, 6)
"""Table sizes at which all places are whole halves of points."""


def place_points(scores: Sequence[int], left: Collection[Seat] = ()) -> tuple[HalfPoints, ...]:
    """Return each seat's points: 12 x (seats beaten + half of those tied) / (seats - 1).

    Players in `left`, who didn't play to the end, come last, whatever their seats score.
    """
    keys = [(seat not in left, 0 if seat in left else score) for seat, score in enumerate(scores)]
    return tuple(_points(key, keys) for key in keys)


def _points(mine: tuple[bool, int], keys: Sequence[tuple[bool, int]]) -> HalfPoints:
    beaten, tied = sum(other < mine for other in keys), keys.count(mine) - 1
    return (WIN * beaten + WIN // 2 * tied) // (len(keys) - 1)


def shown(points: HalfPoints) -> str:
    """Return points as people read them: `12`, or `10.5`."""
    return f"{points // 2}.5" if points % 2 else str(points // 2)


@attrs.frozen
class TableResult:
    """A finished table: who sat at each seat (empty for a bot), the seats' scores, and the seats whose player left."""

    round: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    left: frozenset[Seat] = frozenset()

    @cached_property
    def people(self) -> dict[Seat, str]:
        """The people at this table, by seat."""
        return {seat: name for seat, name in enumerate(self.players) if name}

    @cached_property
    def points(self) -> dict[str, HalfPoints]:
        """Each person's points."""
        points = place_points(self.scores, self.left)
        return {name: points[seat] for seat, name in self.people.items()}

    @cached_property
    def wins(self) -> dict[str, Fraction]:
        """Each winner's share of the win, 1 / m if m players share the first place. Bots count among them."""
        points = place_points(self.scores, self.left)
        first = [seat for seat, one in enumerate(points) if one == max(points)]
        return {name: Fraction(1, len(first)) for seat, name in self.people.items() if seat in first}

    @cached_property
    def margins(self) -> dict[str, Fraction]:
        """Each person's score less the mean of the table."""
        mean = Fraction(sum(self.scores), len(self.scores))
        return {name: self.scores[seat] - mean for seat, name in self.people.items()}


@attrs.frozen
class Row:
    """Someone's row in the standings. Fields after `name` are in the order in which they decide."""

    name: str
    points: HalfPoints = 0
    wins: Fraction = Fraction(0)
    """Tables won; a shared win counts in part."""
    opponents: Fraction = Fraction(0)
    """The mean of the opponents' points per round played, in halves."""
    margin: Fraction = Fraction(0)
    """The sum of the own scores less the means of the tables."""
    lot: str = ""

    @property
    def order(self) -> tuple[Fraction | int | str, ...]:
        """The sort key of the standings, best first."""
        return (-self.points, -self.wins, -self.opponents, -self.margin, self.lot)


def standings(
    names: Iterable[str],
    results: Sequence[TableResult],
    given: Mapping[str, HalfPoints],
    lots: Mapping[str, str],
) -> list[Row]:
    """Return the standings, best first.

    `given` are points without a table: byes, and the like. They count as points, and in no tie-break.
    """
    totals = _Totals()
    for result in results:
        totals.add(result)
    return sorted((totals.row(name, given.get(name, 0), lots[name]) for name in names), key=lambda row: row.order)


class _Totals:
    """The sums of people's results: points, rounds played, wins, margins, and everyone they met."""

    def __init__(self) -> None:
        self._points = defaultdict[str, HalfPoints](int)
        self._played = defaultdict[str, int](int)
        self._wins = defaultdict[str, Fraction](Fraction)
        self._margins = defaultdict[str, Fraction](Fraction)
        self._met = defaultdict[str, list[str]](list)

    def add(self, result: TableResult) -> None:
        """Add the results of a table."""
        for name, points in result.points.items():
            self._points[name] += points
            self._played[name] += 1
            self._margins[name] += result.margins[name]
            self._met[name] += (other for other in result.points if other != name)
        for name, share in result.wins.items():
            self._wins[name] += share

    def row(self, name: str, given: HalfPoints, lot_drawn: str) -> Row:
        """Return someone's row. Each meeting counts in the opponents' average."""
        rates = [Fraction(self._points[other], self._played[other]) for other in self._met[name]]
        opponents = sum(rates, Fraction()) / len(rates) if rates else Fraction()
        points = self._points[name] + given
        return Row(name, points, self._wins[name], opponents, self._margins[name], lot_drawn)


def lot(seed: str, name: str) -> str:
    """Return someone's lot: the SHA-256 of the tournament's seed and their account's key. The lowest is drawn first."""
    return hashlib.sha256(f"lilygames tournament lot\0{seed}\0{name}".encode()).hexdigest()


def lots_hash(seed: str) -> str:
    """Return the hash of a seed, which is published before the first round, so that nobody can choose lots."""
    return hashlib.sha256(f"lilygames tournament seed\0{seed}".encode()).hexdigest()
