"""Compare results of the same seat with the same cards at several tables: matchpoints, as in duplicate bridge.

A deal gives 2 points for each result beaten and 1 for each equal one, as a share of the most possible. Neuberg's
formula makes up for results that are missing or spoiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction

import attrs


class Spoiled(Enum):
    """A deal without a result: the share of the points a player gets (Laws of Duplicate Bridge 2017, 12C2)."""

    NOT_AT_FAULT = Fraction(60, 100)
    PARTLY_AT_FAULT = Fraction(50, 100)
    AT_FAULT = Fraction(40, 100)


Points = int | Spoiled
"""A player's score in a deal, in the game's own points, or why there is none."""


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
        return sum(points for points in self.deals if isinstance(points, int))


@attrs.frozen
class Placed:
    """A result with its place from 1, its share of the matchpoints, and how many others it beats by that share."""

    result: Result
    place: int
    share: Fraction
    beaten: int
    others: int


def matchpoints(points: Sequence[Points]) -> list[Fraction | None]:
    """Return the matchpoints of each result in one deal; None for a spoiled one.

    With N results expected and n played, a score of s becomes (N / n)(s + 1) - 1 (Neuberg; English Bridge Union).
    """
    played = [one for one in points if isinstance(one, int)]
    return [_scored(one, played, len(points)) if isinstance(one, int) else None for one in points]


def _scored(mine: int, played: Sequence[int], expected: int) -> Fraction:
    beaten, equal = sum(other < mine for other in played), played.count(mine) - 1
    return neuberg(2 * beaten + equal, expected, len(played))


def neuberg(points: int, expected: int, played: int) -> Fraction:
    """Return matchpoints scored among `played` results as if all that were `expected` had been played."""
    return Fraction(expected, played) * (points + 1) - 1


def shares(points: Sequence[Points]) -> list[Fraction]:
    """Return each result's share of the most matchpoints possible in one deal, from 0 to 1.

    A lone result gets half.
    """
    most = 2 * (len(points) - 1)
    if not most:
        return [one.value if isinstance(one, Spoiled) else Fraction(1, 2) for one in points]
    scored = matchpoints(points)
    return [
        one.value if isinstance(one, Spoiled) else Fraction(score or 0) / most
        for one, score in zip(points, scored, strict=True)
    ]


def compared(results: Sequence[Result]) -> list[Placed]:
    """Return the results in order: the mean share over the deals first, then the total; equal results share a place.

    A table that hasn't played as many deals as others counts as not at fault in the missing ones.
    """
    deals = max((len(one.deals) for one in results), default=0)
    filled = [one.deals + (Spoiled.NOT_AT_FAULT,) * (deals - len(one.deals)) for one in results]
    by_deal = [shares(points) for points in zip(*filled, strict=True)]
    means = [sum(own, Fraction()) / deals for own in zip(*by_deal, strict=True)]
    keys = [(mean, one.total) for mean, one in zip(means, results, strict=True)]
    placed = [
        Placed(
            one, 1 + sum(other > key for other in keys), key[0], sum(other < key for other in keys), len(results) - 1
        )
        for one, key in zip(results, keys, strict=True)
    ]
    return sorted(placed, key=lambda one: (one.place, one.result.table))
