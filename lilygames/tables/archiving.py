"""Move finished games to the archive, in small steps.

A game is packed, written to the archive, read back and compared. Then its log is trimmed in the store. So after a kill
at any point it is in the store, in the archive or in both, and the next run continues. Its header, results, ratings and
names stay in the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import TypeVar

import attrs
import structlog

from lilygames import codec
from lilygames.store import Entry, Store, StoreUnavailable
from lilygames.tables.archive import INDEX
from lilygames.tables.archived_logs import ARCHIVED, Packs
from lilygames.tables.log import Body, Closed
from lilygames.tables.pack import Packed, pack, unpack

log = structlog.get_logger()
T = TypeVar("T")
KIND, KEY = "archive", "cursor"
LOOKED_AT = 100
"""Tables that are looked at in a step."""
AT_ONCE = 10
"""Games that are written together: a commit waits for the disk just as long for one."""


@attrs.frozen
class Cursor:
    """How far the archive is: all tables up to `done` are in it, except those in `left`, which weren't old enough."""

    done: int = 0
    left: tuple[int, ...] = ()


@attrs.frozen
class Archived:
    """Games that a step has moved, and their bytes in the store and in the archive."""

    games: int = 0
    before: int = 0
    after: int = 0

    def __add__(self, other: Archived) -> Archived:
        return Archived(self.games + other.games, self.before + other.before, self.after + other.after)


@attrs.frozen
class Archiving:
    """Moves finished games from a store to its packs. Several nodes may do it at once: the result is the same."""

    store: Store
    packs: Packs

    async def forget_before(self, moment: float) -> AsyncGenerator[int, None]:
        """Move the games that ended before a moment, and yield the number of games after each step."""
        async with aclosing(self.run(moment)) as steps:
            async for archived in steps:
                yield archived.games

    async def run(self, before: float) -> AsyncGenerator[Archived, None]:
        """Move the games that ended before a moment (UTC seconds), and yield after each step.

        Raises `StoreUnavailable`; nothing is lost then, and the next call continues.
        """
        open_now = {int(key) for key in await self.store.every("open")}
        cursor = await self._cursor()
        for numbers in _groups(sorted({*cursor.left} - open_now), AT_ONCE):
            headers = [header for number in numbers for header in (await self.store.read(INDEX, number - 1, 1)).entries]
            moved, archived = await self._move(headers, before)
            cursor = attrs.evolve(cursor, left=tuple(sorted({*cursor.left} - moved)))
            await self._save(cursor)
            yield archived
        while headers := list((await self.store.read(INDEX, cursor.done, LOOKED_AT)).entries):
            if all(header.at >= before for header in headers):
                return
            for some in _groups(headers, AT_ONCE):
                closed = [header for header in some if header.seq not in open_now]
                moved, archived = await self._move(closed, before)
                left = {*cursor.left, *(header.seq for header in some)} - moved
                cursor = Cursor(some[-1].seq, tuple(sorted(left)))
                await self._save(cursor)
                yield archived

    async def _move(self, headers: Sequence[Entry], before: float) -> tuple[set[int], Archived]:
        """Move the tables with these headers that ended before a moment; return their numbers, and what was moved.

        Tables whose log is archived already count as moved.
        """
        moved, games, packs = set[int](), dict[int, Sequence[Entry]](), dict[int, bytes]()
        for header in headers:
            entries = await self._ended(header.seq, before)
            if entries and entries[-1].body == ARCHIVED:
                moved.add(header.seq)
            elif entries and (packed := await asyncio.to_thread(_packed, header, entries)):
                games[header.seq], packs[header.seq] = entries, packed
        if packs:
            await self.packs.keep(packs)
        for number, packed in packs.items():
            if await self.packs.find(number) != packed:
                raise StoreUnavailable(f"The archive gives back another log of table #{number}: check its disk.")
        trims = (self.store.trim(f"table/{number}", entries[-1].seq, ARCHIVED) for number, entries in games.items())
        await asyncio.gather(*trims)  # together they need one commit
        size = sum(_size(entry) for entries in games.values() for entry in entries)
        return moved | games.keys(), Archived(len(games), size, sum(map(len, packs.values())))

    async def _ended(self, number: int, before: float) -> Sequence[Entry]:
        """Return the stored entries of a table that ended before a moment; none if it didn't."""
        name = f"table/{number}"
        head = (await self.store.heads([name]))[name]
        last = (await self.store.read(name, head - 1, 1)).entries if head else ()
        if not last or last[0].at >= before or not _closes(last[0]):
            return ()
        entries = list[Entry]()
        while page := (await self.store.read(name, entries[-1].seq if entries else 0)).entries:
            entries += page
        return entries

    async def _cursor(self) -> Cursor:
        try:
            cursor: Cursor = codec.from_text(await self.store.find(KIND, KEY) or codec.to_text(Cursor()), Cursor)
        except ValueError:
            log.warning("the archive's cursor can't be read, so all tables are looked at again")
            return Cursor()
        return cursor

    async def _save(self, cursor: Cursor) -> None:
        await self.store.keep(KIND, KEY, codec.to_text(cursor))


def _closes(entry: Entry) -> bool:
    """Return whether an entry closes its table, in the log or already in the archive."""
    if entry.body == ARCHIVED:
        return True
    try:
        return isinstance(codec.from_text(entry.body, Body).act, Closed)
    except ValueError:
        return False


def _packed(header: Entry, entries: Sequence[Entry]) -> bytes | None:
    """Return the pack of a game, or None for one that wouldn't come out as it went in; it stays in the store."""
    data = pack(header, entries)
    if unpack(data) == Packed(header, tuple(entries)):
        return data
    log.error("a game can't be archived, because its pack differs", table=header.seq)
    return None


def _groups(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[first : first + size] for first in range(0, len(items), size))


def _size(entry: Entry) -> int:
    return len(entry.body) + len(entry.by) + len(entry.cmd)
