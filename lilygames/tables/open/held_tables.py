"""The open tables that each person, address and subnet holds, for the quotas that count them.

Each table counts for one person: the one who opened it, or the first player if they have left. Lessons and daily deals
count only for an address, because each has a limit of its own, and tables of tournaments count for nobody. An address
is known while this process lives, and after a reload. It is in no log and no row, because nobody needs it for so long.
After a start, tables count for the latest session of the person who holds them, or for the address from which that
person comes back (`OpenersAddresses`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from lilygames.chat.names.names import fold
from lilygames.limits.addresses import subnet_of
from lilygames.limits.quota import SLOW_TABLES, TABLES, TABLES_WAITING, Scope
from lilygames.tables.log.acts import Header
from lilygames.tables.sight.openers import is_daily, opener
from lilygames.tables.sight.public_row import PublicRow
from lilygames.tables.state.table import Table

SPARE = 1000
"""Addresses of tables that aren't open, which are remembered until there are more."""
QUOTAS = (TABLES_WAITING, TABLES, SLOW_TABLES)
"""The quotas that are counted here."""


@attrs.frozen
class Holding:
    """A table that someone holds: their folded name, whether it waits for players or is slow, and its simul, if any.

    The name is empty if the table counts only for an address.
    """

    name: str
    waits: bool
    slow: bool = False
    simul: int = 0

    def counts_for(self, quota: str) -> bool:
        """Return whether a quota counts it."""
        return self.waits if quota == TABLES_WAITING.name else self.slow is (quota == SLOW_TABLES.name)


def holding_of(table: Table) -> Holding | None:
    """Return whose table this is, or None if it counts for nobody."""
    header = table.header
    if header.tournament:
        return None
    return Holding(opener(table), not table.started, table.clock.slow, header.simul)


def holding_in(row: PublicRow) -> Holding | None:
    """Return whose table has this row, or None if it counts for nobody."""
    if row.tournament:
        return None
    first = fold(row.players[0]) if row.players else ""
    name = first if row.opener is None else row.opener  # a row of release 0.2 doesn't say who opened the table
    return Holding(name, row.waits, row.slow, row.simul)


def holding_later(header: Header, row: PublicRow | None) -> Holding | None:
    """Return whose table this is that a start has left for later; without a row, it counts as begun."""
    if row or header.tournament:
        return holding_in(row) if row else None
    return Holding("" if header.lesson or is_daily(header.duplicate) else fold(header.host), waits=False)


class HeldTables:
    """Tables by who holds them. `key_of` returns the key of a name's account, which survives renaming."""

    def __init__(self, key_of: Callable[[str], str]) -> None:
        self._key_of = key_of
        self._holdings: dict[int, Holding] = {}
        self._numbers: defaultdict[tuple[Scope, str], set[int]] = defaultdict(set)
        """The tables of each person, address and subnet."""
        self.addresses: dict[int, str] = {}
        """The address from which each table was opened, if it's known."""
        self._next = -1

    def put(self, number: int, holding: Holding | None) -> None:
        """Add a table, or learn who holds it now; None if it counts for nobody."""
        self._remove(number)
        if holding is None:
            return
        self._holdings[number] = holding
        for place in self._places(number, holding):
            self._numbers[place].add(number)

    def drop(self, number: int) -> None:
        """Remove a table, if it is there. Its address stays known: another node may be about to follow it again."""
        self._remove(number)

    def _remove(self, number: int) -> None:
        holding = self._holdings.pop(number, None)
        for place in self._places(number, holding) if holding else ():
            self._numbers[place].discard(number)
            if not self._numbers[place]:
                del self._numbers[place]

    def _places(self, number: int, holding: Holding) -> Iterator[tuple[Scope, str]]:
        if holding.name:
            yield "person", self._key_of(holding.name)
        if address := self.addresses.get(number, ""):
            yield "address", address
            yield "subnet", subnet_of(address)

    def opened_from(self, number: int, address: str) -> None:
        """Learn the address from which a table was opened, here or at another node."""
        holding = self._holdings.get(number)
        self._remove(number)
        if address:
            self.addresses[number] = address
        if len(self.addresses) > 2 * len(self._holdings) + SPARE:
            self.addresses = {one: self.addresses[one] for one in self._holdings if one in self.addresses}
        self.put(number, holding)

    def without_address(self, key: str) -> list[int]:
        """Return the tables of a person that count for no address yet."""
        return [number for number in self._numbers.get(("person", key), ()) if number not in self.addresses]

    @contextmanager
    def opening(self, holding: Holding, address: str) -> Iterator[None]:
        """Count a table that is being opened, which has no number yet."""
        number, self._next = self._next, self._next - 1
        if address:
            self.addresses[number] = address
        self.put(number, holding)
        try:
            yield
        finally:
            self.drop(number)
            self.addresses.pop(number, None)

    def has(self, key: str, simul: int) -> bool:
        """Return whether someone holds a table of a simul; no table belongs to simul 0."""
        mine = self._numbers.get(("person", key), ())
        return bool(simul) and any(self._holdings[number].simul == simul for number in mine)

    def number(self, quota: str, scope: Scope, key: str) -> int:
        """Return how many tables someone holds. The tables of a simul count as one for their person."""
        found = self._counted(quota, scope, key)
        if scope == "person":
            return len({self._holdings[number].simul or number for number in found})
        return len(found)

    def of(self, quota: str, scope: Scope, key: str) -> list[int]:
        """Return the numbers of the tables that someone holds, in order."""
        return sorted(number for number in self._counted(quota, scope, key) if number > 0)

    def _counted(self, quota: str, scope: Scope, key: str) -> list[int]:
        return [number for number in self._numbers.get((scope, key), ()) if self._holdings[number].counts_for(quota)]

    def most(self, quota: str) -> int:
        """Return the largest number of tables that one person holds."""
        return max((self.number(quota, scope, key) for scope, key in self._numbers if scope == "person"), default=0)

    def by_scope(self, quota: str, scope: Scope) -> dict[str, int]:
        """Return how many tables everyone holds, by key."""
        found = {key: self.number(quota, scope, key) for which, key in self._numbers if which == scope}
        return {key: number for key, number in found.items() if number}
