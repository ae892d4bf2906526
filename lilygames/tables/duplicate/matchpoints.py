"""Compare results of the same seat with the same cards at several tables: matchpoints, as in duplicate bridge.

A deal gives 2 points for each result beaten and 1 for each equal one, as a share of the most possible. Neuberg's
formula makes up for missing results.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from fractions import Fraction

import attrs

Points = int | None
"""A player's score in a deal, in the game's own points; None if it wasn't played."""
NOT_AT_FAULT = Fraction(60, 100)
"""The share that a player gets in a deal that they couldn't play (Laws of Duplicate Bridge 2017, 12C2)."""


@attrs.frozen
class Result:
    """One player's result in a set: the table, the name, and their points in each deal.

    A game whose deals depend on each other counts as one deal.
    """

    table: int
    name: str
    deals: tuple[Points, ...]

    @property
    def total(self) -> int:
        """The sum of all points."""
        return sum(points for points in self.deals if points is not None)


@attrs.frozen
class Placed:
    """A result with its place from 1, its share of the matchpoints, and how many others it beats by that share."""

    result: Result
    place: int
    share: Fraction
    beaten: int
    others: int


def neuberg(points: int, expected: int, played: int) -> Fraction:
    """Return matchpoints scored among `played` results as if all the `expected` ones had been played.

    With N results expected and n played, a score of s becomes (N / n)(s + 1) - 1 (Neuberg; English Bridge Union).
    """
    return Fraction(expected, played) * (points + 1) - 1


@attrs.frozen
class _Deal:
    """All results of one deal: how many there should be, and the points of those that were played, sorted."""

    expected: int
    played: tuple[int, ...]

    @classmethod
    def of(cls, points: Sequence[Points]) -> _Deal:
        """Return a deal with these results."""
        return cls(len(points), tuple(sorted(one for one in points if one is not None)))

    def score(self, mine: int) -> Fraction:
        """Return the matchpoints of one of these results."""
        beaten, below = bisect_left(self.played, mine), bisect_right(self.played, mine)
        return neuberg(2 * beaten + (below - beaten - 1), self.expected, len(self.played))

    def share(self, mine: Points) -> Fraction:
        """Return the share of the most matchpoints possible of one of these results; a lone one gets half."""
        if mine is None:
            return NOT_AT_FAULT
        most = 2 * (self.expected - 1)
        return self.score(mine) / most if most else Fraction(1, 2)

    def joined(self, mine: Points) -> _Deal:
        """Return the deal with one more result."""
        played = [*self.played]
        if mine is not None:
            insort(played, mine)
        return _Deal(self.expected + 1, tuple(played))


class Field:
    """Results that are compared with each other. Others can be compared with them and change nothing.

    If a result has fewer deals than others, its player counts as not at fault in the missing ones.
    """

    def __init__(self, results: Sequence[Result]) -> None:
        self._size = max((len(one.deals) for one in results), default=0)
        self._deals = [_Deal.of(points) for points in zip(*map(self._filled, results), strict=True)]
        self._keys = {id(one): self._key(one, self._deals) for one in results}
        self._sorted = sorted(self._keys.values())
        self._results = results

    def _filled(self, result: Result) -> tuple[Points, ...]:
        return (result.deals + (None,) * (self._size - len(result.deals)))[: self._size]

    def _key(self, result: Result, deals: Sequence[_Deal]) -> tuple[Fraction, int]:
        """Return what orders results: the mean share over the deals, then the total."""
        own = [deal.share(points) for deal, points in zip(deals, self._filled(result), strict=True)]
        return (sum(own, Fraction()) / len(own) if own else Fraction(1, 2)), result.total

    def _placed(self, result: Result, key: tuple[Fraction, int], others: int) -> Placed:
        better = len(self._sorted) - bisect_right(self._sorted, key)
        return Placed(result, 1 + better, key[0], bisect_left(self._sorted, key), others)

    def order(self) -> list[Placed]:
        """Return the results in order; equal ones share a place."""
        placed = [self._placed(one, self._keys[id(one)], len(self._results) - 1) for one in self._results]
        return sorted(placed, key=lambda one: (one.place, one.result.table))

    def place(self, result: Result) -> Placed:
        """Return the place that another result would have among these."""
        deals = [deal.joined(points) for deal, points in zip(self._deals, self._filled(result), strict=True)]
        return self._placed(result, self._key(result, deals), len(self._results))


def compared(results: Sequence[Result]) -> list[Placed]:
    """Return the results in order: the mean share over the deals first, then the total; equal results share a place."""
    return Field(results).order()
