"""Swiss pairing for tables of two to five seats: by standing, with as few repeated meetings as swaps can achieve.

No library pairs tables of more than two. The method is our own: cut the standings into tables, then swap people of
nearby tables while a cost falls. These numbers make up the cost, and an earlier one decides first:

- pairs at one table who must stay apart
- the sum over pairs of (meetings so far) squared
- people at a short table who sat at one before
- the sum over pairs of (point difference) squared

Swaps reach only a few tables away, so that late rounds stay close to the standings. In the last round a search follows
(`fewest_repeats`), so that nobody meets again who needn't, and the leaders meet if they can.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

import attrs

from lilygames.tournaments.pairing.fewest_repeats import fewest_repeats
from lilygames.tournaments.pairing.points import HalfPoints
from lilygames.tournaments.pairing.table_sizes import table_sizes

WINDOW = 3
"""How many tables apart two people can be to swap places."""
Table = tuple[str, ...]
"""The people at a table."""
Cost = tuple[int, ...]


@attrs.frozen
class Pairing:
    """The tables of a round, best first, and the people who have a bye."""

    tables: tuple[Table, ...]
    byes: tuple[str, ...] = ()


@attrs.frozen
class Seating:
    """How a tournament seats people: seats at a table, the sizes the game allows, and whether bots fill up tables."""

    seats: int
    legal: Container[int]
    filled: bool = False

    def sizes(self, people: int) -> tuple[int, ...]:
        """Return the table sizes for so many people."""
        return table_sizes(people, self.seats, self.legal, filled=self.filled)


class Past:
    """The earlier rounds of a tournament: meetings, short tables, byes, and who must not meet at all."""

    def __init__(self, rounds: Iterable[Pairing] = (), apart: Iterable[tuple[str, str]] = ()) -> None:
        self.met: Mapping[str, dict[str, int]] = defaultdict(dict)
        """How often two people met at a table."""
        self.short = defaultdict[str, int](int)
        """How often someone sat at a table below the largest of its round."""
        self.had_bye = set[str]()
        self.apart: Mapping[str, set[str]] = defaultdict(set)
        for one, other in apart:
            self.apart[one].add(other)
            self.apart[other].add(one)
        for earlier in rounds:
            self._add(earlier)

    def _add(self, earlier: Pairing) -> None:
        largest = max(map(len, earlier.tables), default=0)
        self.had_bye |= set(earlier.byes)
        for table in earlier.tables:
            for one in table:
                self.short[one] += len(table) < largest
                met = self.met[one]
                for other in table:
                    if other != one:
                        met[other] = met.get(other, 0) + 1

    def kept_apart(self, table: Iterable[str]) -> int:
        """Return how many pairs at a table should be apart."""
        return sum(other in self.apart[one] for one, other in combinations(table, 2)) if self.apart else 0


def first_round(order: Sequence[str], seating: Seating, past: Past) -> Pairing:
    """Pair round 1: with T tables, table t gets t, t+T, t+2T and so on of an order by lot or rating."""
    present, byes = _with_byes(order, seating, past)
    sizes = seating.sizes(len(present))
    tables: list[list[str]] = [[] for _ in sizes]
    for number, name in enumerate(present):
        tables[number % len(sizes)].append(name)
    return _repaired(tables, byes, _Apart(past))


def later_round(order: Sequence[str], points: Mapping[str, HalfPoints], seating: Seating, past: Past) -> Pairing:
    """Pair a round between the first and the last: cut the standings, then swap while the cost falls."""
    present, byes = _with_byes(order, seating, past)
    tables = _cut(present, seating)
    cost = _FewRepeats(past, points, max(map(len, tables), default=0))
    costs = [cost.of(table) for table in tables]
    while _swapped_everywhere(tables, costs, cost):
        pass
    return Pairing(tuple(map(tuple, tables)), byes)


def last_round(order: Sequence[str], points: Mapping[str, HalfPoints], seating: Seating, past: Past) -> Pairing:
    """Pair the last round: as few repeats as possible, and then by standing, from the leaders down."""
    paired = later_round(order, points, seating, past)
    present, cost = [name for name in order if name not in paired.byes], _Repeats(past)
    most = tuple(map(sum, zip(*map(cost.of, paired.tables), strict=True)))
    found = fewest_repeats(present, seating.sizes(len(present)), cost.of, most) if most else None
    return Pairing(found or paired.tables, paired.byes)


def _with_byes(order: Sequence[str], seating: Seating, past: Past) -> tuple[list[str], tuple[str, ...]]:
    """Return who plays, in order, and who doesn't fit: the lowest who had no bye so far."""
    over = len(order) - sum(seating.sizes(len(order)))
    lowest_first = order[::-1]
    byes = tuple(sorted(lowest_first, key=past.had_bye.__contains__)[:over])
    return [name for name in order if name not in byes], byes


def _cut(order: Sequence[str], seating: Seating) -> list[list[str]]:
    tables, start = [], 0
    for size in seating.sizes(len(order)):
        tables.append([*order[start : start + size]])
        start += size
    return tables


class _CostOfTable(Protocol):
    """The cost of one table; a pairing costs the sum of its tables."""

    def of(self, table: Sequence[str]) -> Cost:
        """Return the cost of a table; an earlier number decides before a later one."""


class _FewRepeats:
    """The cost of later rounds."""

    def __init__(self, past: Past, points: Mapping[str, HalfPoints], largest: int) -> None:
        self._past, self._points, self._largest = past, points, largest

    def of(self, table: Sequence[str]) -> Cost:
        repeats = spread = 0
        met, points = self._past.met, self._points
        for at, one in enumerate(table):
            met_by, own = met[one], points[one]
            for other in table[at + 1 :]:
                times = met_by.get(other)
                if times:
                    repeats += times * times
                spread += (own - points[other]) ** 2
        again = sum(self._past.short[one] > 0 for one in table) if len(table) < self._largest else 0
        return self._past.kept_apart(table), repeats, again, spread


class _Apart:
    """The cost of the first round: only who must stay apart."""

    def __init__(self, past: Past) -> None:
        self._past = past

    def of(self, table: Sequence[str]) -> Cost:
        return (self._past.kept_apart(table),)


class _Repeats:
    """The cost of the last round: who must stay apart, and how often people met before."""

    def __init__(self, past: Past) -> None:
        self._past = past

    def of(self, table: Sequence[str]) -> Cost:
        met = self._past.met
        return self._past.kept_apart(table), sum(met[one].get(other, 0) ** 2 for one, other in combinations(table, 2))


def _sum(one: Cost, other: Cost) -> Cost:
    return tuple(map(int.__add__, one, other))


def _swapped_everywhere(tables: list[list[str]], costs: list[Cost], cost: _CostOfTable) -> bool:
    """Go through all pairs of nearby tables once, and swap wherever the cost falls; return whether it did."""
    swapped = False
    for first in range(len(tables)):
        for second in range(first + 1, min(first + 1 + WINDOW, len(tables))):
            swapped |= _swapped(tables, costs, cost, first, second)
    return swapped


def _swapped(tables: list[list[str]], costs: list[Cost], cost: _CostOfTable, first: int, second: int) -> bool:
    """Swap people of two tables wherever the cost falls; return whether it did."""
    one, other = tables[first], tables[second]
    swapped = False
    for here in range(len(one)):
        for there in range(len(other)):
            one[here], other[there] = other[there], one[here]
            new = cost.of(one), cost.of(other)
            if _sum(*new) < _sum(costs[first], costs[second]):
                costs[first], costs[second] = new
                swapped = True
            else:
                one[here], other[there] = other[there], one[here]
    return swapped


def _repaired(tables: list[list[str]], byes: tuple[str, ...], cost: _CostOfTable) -> Pairing:
    """Swap people only where a table costs anything; the lowest at a table go first, and no farther than needed."""
    costs = [cost.of(table) for table in tables]
    for first in range(len(tables)):
        for second in _nearest(first, len(tables)):
            if any(costs[first]):
                _swap_last(tables, costs, cost, first, second)
    return Pairing(tuple(map(tuple, tables)), byes)


def _nearest(first: int, tables: int) -> list[int]:
    """Return all other tables, the nearest ones first; of two, the lower one."""
    others = [second for second in range(tables) if second != first]
    return sorted(others, key=lambda second: (abs(second - first), -second))


def _swap_last(tables: list[list[str]], costs: list[Cost], cost: _CostOfTable, first: int, second: int) -> None:
    """Make the first swap of two tables that lowers their cost, if there is one."""
    one, other = tables[first], tables[second]
    for here in reversed(range(len(one))):
        for there in range(len(other)):
            one[here], other[there] = other[there], one[here]
            new = cost.of(one), cost.of(other)
            if _sum(*new) < _sum(costs[first], costs[second]):
                costs[first], costs[second] = new
                return
            one[here], other[there] = other[there], one[here]


def may_still_join(started: int, rounds: int) -> bool:
    """Whether someone can join when so many of the rounds have started: until more than half have."""
    return 2 * started <= rounds
