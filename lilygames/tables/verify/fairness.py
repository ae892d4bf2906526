"""Fairness statistics: counts of every draw in finished games, with a chi-square test.

Dice count by face, choices and coins by the item taken, shuffles by the first item.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Draft, Entry, Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Luck

LOG = "draws"
"""The log of the draws of each game."""
KIND = "fairness"
"""The kind of the record with their total."""
_PAGE = 100
"""Games that are counted at once, in about a millisecond."""
_KEPT_AFTER = 500
"""Games after which the total is kept again."""
T = TypeVar("T")
Counts = dict[str, Counter[int]]
"""Number of times each result came up, by kind of draw (`roll of 6`)."""


class CountedLuck:
    """The luck of a move, with its draws counted."""

    def __init__(self, luck: Luck, counts: Counts) -> None:
        self._luck = luck
        self._counts = counts

    def _count(self, kind: str, size: int, result: int) -> None:
        if size > 1:
            self._counts.setdefault(f"{kind} of {size}", Counter())[result] += 1

    def for_(self, *purpose: str | int) -> CountedLuck:
        """Return the luck for a purpose, counted too."""
        return CountedLuck(self._luck.for_(*purpose), self._counts)

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order."""
        places = self._luck.shuffle(range(len(pack := [*items])))
        if places:
            self._count("shuffle", len(places), places[0])
        return tuple(pack[place] for place in places)

    def roll(self, sides: int) -> int:
        """Return a random integer from 1 to `sides`."""
        result = self._luck.roll(sides)
        self._count("roll", sides, result - 1)
        return result

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, all equally likely."""
        place = self._luck.choice(range(len(items)))
        self._count("choice", len(items), place)
        return items[place]

    def coin(self) -> bool:
        """Return True or False, each with probability 1/2."""
        return self._luck.coin()

    def pick(self, items: Sequence[T], allowed: Sequence[T] | None = None) -> T:
        """Return one of the allowed items, all equally likely; it counts as a choice of them."""
        choices = items if allowed is None else allowed
        picked = self._luck.pick(items, allowed)
        self._count("choice", len(choices), choices.index(picked))
        return picked

    def order(self, items: Sequence[T], present: Sequence[T]) -> tuple[T, ...]:
        """Return the items that are present in a random order; it counts as a shuffle of them."""
        ordered = self._luck.order(items, present)
        if ordered:
            self._count("shuffle", len(ordered), present.index(ordered[0]))
        return ordered


def counted(table: Table, entries: Iterable[Entry]) -> Counts:
    """Return the counts of all draws in a game, from its header and log."""
    counts: Counts = {}
    again = Table(table.header, table.game, table.secret, lucky=partial(CountedLuck, counts=counts))
    for entry in entries:
        again, _ = again.read(entry)
    return counts


@attrs.frozen
class Total:
    """The counts over all games up to an entry of the log of draws."""

    seq: int
    counts: dict[str, dict[int, int]]


class Fairness:
    """All draws of finished games: a log of them by table, and their total."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._counts: Counts = {}
        self._seq: int | None = None
        """The last entry counted, None before the first total."""

    async def finished(self, table: Table) -> None:
        """Count the draws of a finished game, once. Tables of a duplicate set repeat the draws of one of them."""
        if table.header.keyed:
            return
        entries = await Archive(self._store).entries(table.header.number)
        counts = await asyncio.to_thread(counted, table, entries)  # replaying a whole game is slow: let other tasks run
        body = {kind: dict(results) for kind, results in counts.items()}
        cmd = f"table/{table.header.number}"
        await self._store.append(LOG, None, [Draft("table", json.dumps(body))], cmd=cmd)

    async def total(self) -> Counts:
        """Return the counts over all finished games."""
        if self._seq is None:
            kept = await self._kept()
            if self._seq is None:  # otherwise it has been read meanwhile
                self._seq = kept.seq
                self._counts = {kind: Counter(counts) for kind, counts in kept.counts.items()}
        began = self._seq
        while entries := (await self._store.read(LOG, self._seq, _PAGE)).entries:
            for entry in entries:
                if entry.seq > self._seq:  # someone else who asks may have got further
                    self._count(entry)
                    self._seq = entry.seq
        if self._seq - began >= _KEPT_AFTER:
            await self._keep()
        return {kind: results.copy() for kind, results in self._counts.items()}

    async def _kept(self) -> Total:
        """Return the total that was kept last, or that of no games."""
        body = await self._store.find(KIND, "total")
        try:
            total: Total = codec.from_text(body, Total) if body else Total(0, {})
        except ValueError as problem:
            self._unreadable.report(KIND, "total", problem)
            return Total(0, {})
        return total

    async def _keep(self) -> None:
        """Keep the total, so that the next process needs to read only the games after it."""
        counts = {kind: dict(results) for kind, results in self._counts.items()}
        await self._store.keep(KIND, "total", codec.to_text(Total(self._seq or 0, counts)))

    def _count(self, entry: Entry) -> None:
        for kind, counts in json.loads(entry.body).items():
            self._counts.setdefault(kind, Counter()).update({int(result): n for result, n in counts.items()})


DIE = 6
"""Maximum number of results for which a row lists each count."""
LEAST = 5
"""Minimum expected draws per result for a chi-square test."""


def chi_square(counts: Mapping[int, int], size: int) -> tuple[float, float]:
    """Return chi-square for an even distribution over `size` results, and its p-value.

    The p-value uses Wilson and Hilferty's approximation (1931): the cube root of chi-square is nearly normal.
    """
    mean = sum(counts.values()) / size
    value = sum((counts.get(result, 0) - mean) ** 2 / mean for result in range(size))
    freedom = size - 1
    spread = 2 / (9 * freedom)
    normal = ((value / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return value, math.erfc(normal / math.sqrt(2)) / 2


def rows(counts: Counts) -> list[str]:
    """Return a row for each kind of draw with enough samples."""
    said = []
    for kind, results in sorted(counts.items()):
        size = int(kind.rpartition(" ")[2])
        total = sum(results.values())
        if total >= LEAST * size:
            value, chance = chi_square(results, size)
            faces = ", ".join(str(results.get(result, 0)) for result in range(size))
            row = f"{kind}: {total} drawn, chi-square {value:.1f}; pure chance is as uneven in {100 * chance:.0f} %"
            said.append(f"{row}: {faces}" if size <= DIE else row)
    return said
