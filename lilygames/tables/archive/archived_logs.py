"""Logs of finished games that have moved to the archive, read as if they were still in the store.

An archived table's log is one entry in the store: the last position, with the body `ARCHIVED`. So the store still knows
how long the log is, and nobody can write to it. `WithArchive` puts the other entries in front again.

A server with a data file has a file of its own for packs (`lilygames/store/sqlite/archive_file.py`). Several nodes
share a database, which has a table for them (`lilygames/store/postgres/pack_table.py`). A restored backup has packs as
records, with either kind of store.
"""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence

import attrs

from lilygames.store import Answered, Append, Damaged, Entry, Page, Store
from lilygames.store.packs import Move, Packs, move_in_steps
from lilygames.store.sqlite.archive_file import PACKED
from lilygames.store.wrapper import Through
from lilygames.tables.archive.pack import BadPack, Packed, unpack

ARCHIVED = '{"is":"Archived"}'
"""The body of an archived log's last entry in the store."""
_LOG = re.compile(r"table/([1-9][0-9]{0,18})")


class NotInArchive(Damaged):
    """An archived log is missing or damaged. Everything else can still be read."""


@attrs.frozen
class PackRecords:
    """Packs as records of a store (implements `Packs`)."""

    store: Store

    @property
    def outside(self) -> bool:
        """Return False."""
        return False

    async def keep(self, packs: Mapping[int, bytes]) -> None:
        """Write packs, each as text."""
        for number, pack in packs.items():
            await self.store.keep(PACKED, str(number), b64encode(pack).decode())

    async def find(self, number: int) -> bytes | None:
        """Return the pack of a table, or None; raises `NotInArchive`."""
        body = await self.store.find(PACKED, str(number))
        try:
            return None if body is None else b64decode(body, validate=True)
        except ValueError:
            raise _damaged(number) from None

    async def move(self, games: Sequence[Move]) -> None:
        """Move games in steps."""
        await move_in_steps(self.store, self, games)

    async def forget(self, number: int) -> None:
        """Delete the pack of a table, if there is one."""
        await self.store.forget(PACKED, str(number))

    async def must_fit(self, size: int) -> None:
        """Do nothing: a database doesn't tell how much room its disk has."""

    async def size(self) -> int:
        """Return 0: the store counts its records."""
        return 0


class WithArchive(Through):
    """A store whose archived logs can be read. Packs are in `packs` or, after a backup was restored, in records."""

    def __init__(self, store: Store, packs: Packs) -> None:
        super().__init__(store)
        self._packs = packs
        self._records = PackRecords(store)
        self._last: tuple[int, Packed] | None = None
        """The game that was read last: a long one is read page by page."""

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append and tell the answer; see `Store.append_soon`."""
        self.store.append_soon(call, answered)

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`. Raises `NotInArchive`."""
        page = await self.store.read(log, after, limit)
        if not page.entries or _is_whole(page.entries[0], after) or not (table := _LOG.fullmatch(log)):
            return page
        archived = (await self._packed(int(table[1]))).entries
        last = archived[-1].seq
        later = (entry for entry in page.entries if entry.seq > last)
        entries = (*(entry for entry in archived if entry.seq > after), *later)
        return Page(entries[:limit], page.head)

    async def _packed(self, number: int) -> Packed:
        if self._last and self._last[0] == number:
            return self._last[1]
        pack = await self._records.find(number) or await self._packs.find(number)  # from there it may move to the file
        if pack is None:
            raise NotInArchive(
                f"Table #{number} is archived, but the archive doesn't have it: restore the archive's file."
            )
        try:
            packed = await asyncio.to_thread(unpack, pack)
        except BadPack as problem:
            raise _damaged(number) from problem
        self._last = number, packed
        return packed


def _is_whole(first: Entry, after: int) -> bool:
    return first.seq == after + 1 and first.body != ARCHIVED


def _damaged(number: int) -> NotInArchive:
    return NotInArchive(f"The archived log of table #{number} is damaged: restore a backup of it.")
