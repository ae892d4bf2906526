"""Add the tables that ended before some kind of totals existed, one by one, in the background."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import attrs
import structlog

from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.store import Entry, Store, StoreUnavailable
from lilygames.tables.archive import INDEX
from lilygames.tables.finished_tables import FinishedTables
from lilygames.tables.table import Table

log = structlog.get_logger()
_FILLED = "filled"
"""The record of the last older table added, and of the last one to add."""
_SHARE = 4
"""After each table, the task rests this many times as long as it worked: at most a fifth of a core."""
_KNOWN = 100
"""People whose tables are remembered during the work."""

Belongs = Callable[[str], bool]
"""Returns whether a name's part in a table belongs to the account of that name."""


def counts(table: Table) -> bool:
    """Whether a table counts: it was finished, not private, and no moves were taken back at will."""
    return table.closed and table.outcome is not None and table.counted and not table.header.private


def has_account(accounts: Accounts, name: str) -> bool:
    """Return whether a name is that of an account."""
    return fold(accounts.now(name)) in accounts.names


@attrs.frozen
class OlderTables:
    """The older tables, and how many of them have been added to totals of this kind."""

    kind: str
    store: Store
    accounts: Accounts
    finished: FinishedTables

    async def fill(self, add: Callable[[Table, Sequence[Entry], Belongs], Awaitable[None]]) -> None:
        """Add each table that ended before such totals existed; adding one again changes nothing.

        Raises `StoreUnavailable`. The next call continues where this one stopped.
        """
        done, last = await self._filled()
        known: dict[str, frozenset[int]] = {}
        while done < last:
            began = time.monotonic()
            try:
                await self._fill_in(done + 1, known, add)
            except StoreUnavailable:
                raise
            except Exception as problem:  # noqa: BLE001 - an old log may raise anything, and mustn't block the next one
                log.warning("cannot add an older table", to=self.kind, table=done + 1, why=type(problem).__name__)
            done += 1
            await self.store.keep(self.kind, _FILLED, f"{done} {last}")
            await asyncio.sleep(_SHARE * (time.monotonic() - began))

    async def _filled(self) -> tuple[int, int]:
        """Return the number of the last older table added, and of the last one to add."""
        if said := await self.store.find(self.kind, _FILLED):
            done, _, last = said.partition(" ")
            return int(done), int(last)
        return 0, (await self.store.heads([INDEX]))[INDEX]

    async def _fill_in(
        self,
        number: int,
        known: dict[str, frozenset[int]],
        add: Callable[[Table, Sequence[Entry], Belongs], Awaitable[None]],
    ) -> None:
        """Add one older table; `known` caches the tables each person has played."""
        found = await self.finished.replayed(number)
        if found and counts(found[0]):
            table, entries = found
            people = {who.name for who in table.seats if not who.house} | {one.by for one in entries}
            if len(known) > _KNOWN:
                known.clear()
            for name in people - known.keys():
                known[name] = await self._played(name)
            await add(table, entries, lambda name: number in known.get(name, ()))

    async def _played(self, name: str) -> frozenset[int]:
        """Return the tables an account's owner has played; a guest with the same name may have played others."""
        if not has_account(self.accounts, name):
            return frozenset()
        record, tables, after = f"played/{self.accounts.key(name)}", set[int](), 0
        while (page := await self.store.read(record, after)).entries:
            tables |= {int(entry.cmd.rpartition("/")[2]) for entry in page.entries}
            after = page.entries[-1].seq
        return frozenset(tables)
