"""Move finished games to the archive, in small steps.

A game is packed, written to the archive, read back and compared. Then its log is trimmed in the store. In a database
this is one transaction. If the archive is a file, a kill leaves the game in the store, in the archive or in both, and
the next run continues. Its header, results, ratings and names stay in the store. Its secret goes, if the log's end
publishes it: then the pack has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import TypeVar

import attrs
import structlog

from lilygames import codec
from lilygames.store import Effect, Entry, Store
from lilygames.store.packs import Move, Packs, keep_safely
from lilygames.tables.archive.archive import INDEX, latest_void, secret_key
from lilygames.tables.archive.archived_logs import ARCHIVED, NotInArchive, PackRecords
from lilygames.tables.archive.pack import Packed, pack, unpack
from lilygames.tables.log.acts import Body, Closed
from lilygames.tables.state.visible import secret_in

log = structlog.get_logger()
T = TypeVar("T")
KIND, KEY = "archive", "cursor"
LOOKED_AT = 100
"""Tables that are looked at in a step."""
AT_ONCE = 10
"""Games that are written together: a commit waits for the disk just as long for one."""
MOST = 5000
"""Bytes that an average game takes in the archive at most; a run needs so much free space for each."""
LOGGED = 1000
"""Tables after which a line of the log says how far a run is."""
QUIET = 86400.0
"""Seconds after which a table that isn't open gets no more entries, even if nobody closed its log."""


@attrs.frozen
class Cursor:
    """How far the archive is: all tables up to `done` are in it, except those in `left`, which weren't old enough."""

    done: int = 0
    left: tuple[int, ...] = ()


@attrs.frozen
class Archived:
    """Games that a step has moved, their bytes in the store and in the archive, and how far the run is."""

    games: int = 0
    before: int = 0
    after: int = 0
    looked: int = 0
    """The last table that was looked at."""
    tables: int = 0
    """The last table of all."""

    def __add__(self, other: Archived) -> Archived:
        sums = self.games + other.games, self.before + other.before, self.after + other.after
        return Archived(*sums, other.looked, other.tables)


async def start_again(store: Store) -> None:
    """Let the next run look at every table of a copied store again: its packs are records, which may get a file."""
    await store.forget(KIND, KEY)


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

        Raises `StoreUnavailable`, for instance if there is too little free space. Nothing is lost then, and the next
        call continues.
        """
        open_now = {int(key) for key in await self.store.every("open")}
        cursor = await self._cursor()
        last = (await self.store.heads([INDEX]))[INDEX]
        await self.packs.must_fit(MOST * (last - cursor.done + len(cursor.left)))
        for numbers in _groups(sorted({*cursor.left} - open_now), AT_ONCE):
            headers = [header for number in numbers for header in (await self.store.read(INDEX, number - 1, 1)).entries]
            moved, archived = await self._move(headers, before)
            cursor = attrs.evolve(cursor, left=tuple(sorted({*cursor.left} - moved)))
            await self._save(cursor)
            yield attrs.evolve(archived, looked=cursor.done, tables=last)
        while headers := list((await self.store.read(INDEX, cursor.done, LOOKED_AT)).entries):
            if all(header.at >= before for header in headers):
                return
            for some in _groups(headers, AT_ONCE):
                closed = [header for header in some if header.seq not in open_now]
                moved, archived = await self._move(closed, before)
                left = {*cursor.left, *(header.seq for header in some)} - moved
                if some[-1].seq // LOGGED > cursor.done // LOGGED:
                    log.info("games are being archived", looked_at=some[-1].seq, tables=last)
                cursor = Cursor(some[-1].seq, tuple(sorted(left)))
                await self._save(cursor)
                yield attrs.evolve(archived, looked=cursor.done, tables=last)

    async def _move(self, headers: Sequence[Entry], before: float) -> tuple[set[int], Archived]:
        """Move the tables with these headers that ended before a moment; return their numbers, and what was moved.

        Tables whose log is archived already, or empty for good, count as moved.
        """
        quiet = min(before, await self.store.now() - QUIET)
        moved, games, size = set[int](), list[Move](), 0
        for header in headers:
            if not _is_over(await self._last(header), before, quiet):
                continue
            entries = await self._entries(header.seq)
            if not entries or entries[-1].body == ARCHIVED:  # perhaps another node was faster
                moved.add(header.seq)
            elif packed := await asyncio.to_thread(_packed, header, entries):
                through, secret = entries[-1].seq, _published_secret(header.seq, entries)
                games.append(Move(header.seq, packed, f"table/{header.seq}", through, ARCHIVED, secret))
                size += sum(map(_size, entries))
        await self._take_restored(moved)
        await self.packs.move(games)
        return moved | {game.number for game in games}, Archived(
            len(games), size, sum(len(game.pack) for game in games)
        )

    async def _take_restored(self, archived: set[int]) -> None:
        """Move the packs of archived tables that are still records, as in a restored backup."""
        restored = await self._restored(archived)
        await keep_safely(self.packs, restored)
        await asyncio.gather(*(PackRecords(self.store).forget(number) for number in restored))

    async def _restored(self, archived: set[int]) -> dict[int, bytes]:
        """Return the packs of tables that are records, although the archive has its own file or table."""
        records, found = PackRecords(self.store), dict[int, bytes]()
        if not self.packs.outside:
            return found
        for number in sorted(archived):
            try:
                packed = await records.find(number)
            except NotInArchive as problem:
                log.warning("a restored game stays outside the archive", table=number, why=str(problem))
            else:
                found |= {} if packed is None else {number: packed}
        return found

    async def _last(self, header: Entry) -> Entry:
        """Return the last stored entry of a table's log, or the header's if the log is empty."""
        name = f"table/{header.seq}"
        head = (await self.store.heads([name]))[name]
        return next(iter((await self.store.read(name, head - 1, 1)).entries if head else ()), header)

    async def _entries(self, number: int) -> Sequence[Entry]:
        """Return all entries of a table's log."""
        entries = list[Entry]()
        while page := (await self.store.read(f"table/{number}", entries[-1].seq if entries else 0)).entries:
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


def _is_over(last: Entry, before: float, quiet: float) -> bool:
    """Return whether a table that isn't open ended before a moment: it was closed, or nothing happened for long."""
    return last.at < before and (last.at < quiet or _closes(last))


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


def _published_secret(number: int, entries: Sequence[Entry]) -> Effect | None:
    """Return the record with a table's secret if the end of its log publishes the same one."""
    void, published = latest_void(entries), secret_in(entries)
    key = secret_key(number, void.round + 1 if void else 1)
    return Effect("secret", key, published.hex()) if published else None


def _groups(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[first : first + size] for first in range(0, len(items), size))


def _size(entry: Entry) -> int:
    return len(entry.body) + len(entry.by) + len(entry.cmd)
