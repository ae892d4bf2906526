"""The store of several nodes: a PostgreSQL database. An acknowledged entry is on its disk.

Each node has one task that writes. It sends everything queued as one statement, because a commit waits for the disk
just as long for one entry as for a hundred. While the server is away, calls wait a little and then fail.
"""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from itertools import islice
from typing import Any, Self, TypeVar

import asyncpg
import attrs

from lilygames.store import Answered, Append, BulkReads, Draft, Effect, Entry, Page, StoreUnavailable, check_text
from lilygames.store.postgres import entry_rows
from lilygames.store.postgres.batch import Answer, Lost, check, fitting, write
from lilygames.store.postgres.server import (
    BROKEN,
    COMMAND,
    WRITER,
    Identity,
    Outage,
    Server,
    any_text,
    as_it_was,
    examine,
    identity,
    named,
    prepare,
    written,
)
from lilygames.store.postgres.swaps import Swaps
from lilygames.store.wrapper import append_in_task

T = TypeVar("T")

PATIENCE = 3.0
"""Seconds that calls wait for a server that doesn't answer before they raise `StoreUnavailable`."""
PING = 5.0
"""Seconds without a write after which the writer checks that the server is there."""
WINDOW = 2000
"""Queued calls that are considered for the next batch."""
READERS = 4
"""Maximum reading connections."""
_AGAIN = (asyncpg.exceptions.DeadlockDetectedError, asyncpg.exceptions.SerializationError)
_EVERY = "SELECT key, body FROM record WHERE kind = $1 AND key >= $2 ORDER BY key LIMIT $3"
_EVERY_OF = "SELECT kind, key, body FROM record WHERE kind = ANY($1::text[]) ORDER BY kind, key"
_EACH = "SELECT key, body FROM record WHERE kind = $1 AND key = ANY($2::text[])"
_SIZE = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'lilygames'::regnamespace AND relkind = 'r'
"""
_BODY = "SELECT body FROM record WHERE kind = $1 AND key = $2"
_SWAP = {
    (True, False): "INSERT INTO record VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING true",
    (False, True): "DELETE FROM record WHERE kind = $1 AND key = $2 AND body = $3 RETURNING true",
}
"""Statements to create or delete a record, by whether it is absent before and absent afterwards."""


@attrs.frozen(eq=False)
class _Job:
    """A call and the future of its caller."""

    call: Append
    done: asyncio.Future[tuple[Entry, ...]]

    def answer(self, answer: Answer | Exception) -> None:
        """Set the caller's result or exception, unless the caller has stopped waiting."""
        if self.done.done():
            return
        if isinstance(answer, Exception):
            self.done.set_exception(answer)
        else:
            self.done.set_result(answer)


class PostgresStore:
    """A store in a PostgreSQL database. Create one with `await PostgresStore.open`."""

    batches: int
    """Batches written since the store was opened."""

    def __init__(self, server: Server, tables: Identity, readers: Any, patience: float) -> None:
        self.batches = 0
        self._swaps = Swaps(self.ask)
        self._server = server
        self.tables = tables
        """The identity of the tables that were opened."""
        self._readers = readers
        self._writer: Any = None
        self._outage = Outage(patience)
        self._reading_outage = Outage(patience)
        self._jobs: dict[_Job, None] = {}
        """The queued calls, in order."""
        self._something = asyncio.Event()
        self._closed = False
        self._writing = asyncio.create_task(self._write_batches())

    @classmethod
    async def open(cls, url: str, *, patience: float = PATIENCE, unsafe: bool = False) -> Self:
        """Open the database at `postgresql://...`, and create or migrate its tables.

        Calls wait `patience` seconds for a server that doesn't answer. Raises `StoreUnavailable` if the server can't be
        reached, another lilygames wrote to it, or it may lose what it has acknowledged (which `unsafe` allows).
        """
        server = Server(url, f"{WRITER} {uuid.uuid4().hex}")
        tables = await prepare(server, unsafe=unsafe)
        readers = asyncpg.create_pool(url, min_size=0, max_size=READERS, reset=_nothing, **server.options())
        return cls(server, tables, await readers, patience)

    async def append(
        self,
        log: str,
        expected: int | None,
        drafts: Sequence[Draft],
        *,
        cmd: str,
        not_before: float | None = None,
        effects: Sequence[Effect] = (),
    ) -> tuple[Entry, ...]:
        """Append all drafts; see `Store.append`. Raises `ValueError` for text that can't be written."""
        (entries,) = await self._write(Append(log, expected, tuple(drafts), cmd, not_before, tuple(effects)))
        return entries

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append and tell the answer; see `Store.append_soon`."""
        call.must_be_text()
        append_in_task(self, call, answered)

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs; see `Store.append_each`. Raises `ValueError` if a text can't be written."""
        written = await self._write(*(Append(log, None, tuple(some), cmd) for log, some in drafts.items()))
        return dict(zip(drafts, written, strict=True))

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`."""
        first, most = (max(0, min(number, entry_rows.HIGHEST)) for number in (after, limit))
        return await self.ask(lambda db: entry_rows.page(db, log, first, most))

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log; see `Store.entries_at`."""
        there = [position for position in positions if 0 < position <= entry_rows.HIGHEST]
        return await self.ask(lambda db: entry_rows.entries_at(db, log, there))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        return await self.ask(lambda db: entry_rows.heads(db, logs))

    async def logs(self, prefix: str, after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return names of logs; see `Store.logs`."""
        first, end = named(max(prefix, after)), f"{named(prefix)}{chr(sys.maxunicode)}"
        return await self.ask(lambda db: entry_rows.logs(db, first, end, limit))

    async def trim(self, log: str, through: int, blank: str) -> None:
        """Delete old entries; see `Store.trim`. It isn't part of a batch and may be repeated."""
        await self.ask(lambda db: entry_rows.trim(db, [(log, through, blank)]), together=True)

    async def rewrite(self, log: str, entries: Sequence[Entry]) -> None:
        """Replace the authors and bodies of entries; see `Store.rewrite`. It may be repeated."""
        check_text(*(text for entry in entries for text in (entry.by, entry.body)))
        await self.ask(lambda db: entry_rows.rewrite(db, log, entries), together=True)

    async def erase(self, log: str) -> None:
        """Delete a log; see `Store.erase`. It may be repeated."""
        await self.ask(lambda db: entry_rows.erase(db, log), together=True)

    async def size(self) -> int:
        """Return the bytes of the tables and indexes."""
        return int(await self.ask(lambda db: db.fetchval(_SIZE)))

    async def vacuum(self, most: int) -> int:  # noqa: ARG002 - the server decides
        """Return 0: the server's autovacuum lets new entries use the space again."""
        return 0

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record durably, replacing an earlier one."""
        await self._write(_alone(Effect(kind, key, body)))

    async def find(self, kind: str, key: str) -> str | None:
        """Return a record's body, or None if it doesn't exist."""
        body = await self.ask(lambda db: db.fetchval(_BODY, named(kind), named(key)))
        return None if body is None else as_it_was(body)

    async def every(self, kind: str, first: str = "", limit: int | None = None) -> dict[str, str]:
        """Return all records of a kind, or a page of them; see `Store.every`."""
        rows = await self.ask(lambda db: db.fetch(_EVERY, named(kind), named(first), limit))
        return {as_it_was(row["key"]): as_it_was(row["body"]) for row in rows}

    async def find_each(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the records of a kind with these keys; missing ones are left out."""
        rows = await self.ask(lambda db: db.fetch(_EACH, named(kind), [*map(named, keys)]))
        return {as_it_was(row["key"]): as_it_was(row["body"]) for row in rows}

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        return await self.ask(lambda db: _every_of(db, kinds))

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        await self._write(_alone(Effect(kind, key, None)))

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`.

        It may be repeated: a record that is already `new` was swapped before. Those that are asked for in one turn of
        the event loop, and neither create nor delete a record, are written together.
        """
        check_text(old, new)
        before, after = (None if body is None else written(body) for body in (old, new))
        if before is not None and after is not None:
            return await self._swaps.swap(named(kind), named(key), before, after)
        values = [value for value in (named(kind), named(key), before, after) if value is not None]
        statement = _SWAP.get((old is None, new is None), "")

        async def ask(connection: Any) -> bool:
            if statement and await connection.fetchval(statement, *values):
                return True
            found: str | None = await connection.fetchval(_BODY, *values[:2])
            return found == after

        return await self.ask(ask)

    async def now(self) -> float:
        """Return the server's time in UTC seconds. Raises `StoreUnavailable` if it can't be written to."""
        query = "SELECT extract(epoch FROM clock_timestamp())::float8 AS now, to_regclass('record')::oid AS table"
        row = await self.ask(lambda db: db.fetchrow(query))
        if row["table"] != self.tables.table:
            raise self._server.replaced
        return float(row["now"])

    async def close(self) -> None:
        """Finish queued writes, refuse all later calls, and disconnect."""
        self._closed = True
        self._something.set()
        await asyncio.wait({self._writing})
        try:
            await asyncio.wait_for(self._readers.close(), COMMAND)
        except TimeoutError:
            self._readers.terminate()

    async def _must_be_there(self) -> None:
        """Raise `StoreUnavailable` at once if the outage has lasted too long. The writer notices when it ends."""
        if self._closed:
            raise StoreUnavailable("The store is closed: open it again first.")
        if self._outage.lasts:
            await asyncio.sleep(0)  # else a caller that retries in a loop would starve the writer
            raise self._server.trouble(self._outage.why)

    async def ask(self, ask: Callable[[Any], Awaitable[T]], *, together: bool = False) -> T:
        """Run queries, `together` in one transaction, and again after a lost connection.

        Raises `StoreUnavailable` if the server stays away.
        """
        while True:
            await self._must_be_there()
            try:
                async with self._readers.acquire(timeout=COMMAND) as connection:
                    answer = await _answer(connection, ask, together=together)
            except BROKEN as error:
                await self._readers.expire_connections()
                self._reading_outage.begins(error)
                if self._reading_outage.lasts:
                    raise self._server.trouble(error) from error
                await self._reading_outage.pause()
            except _AGAIN:
                continue
            except asyncpg.PostgresError as error:
                raise self._server.trouble(error) from error
            else:
                self._reading_outage.ends()
                return answer

    async def _write(self, *calls: Append) -> list[tuple[Entry, ...]]:
        """Return the answers to calls once their batch is on the disk.

        A call that is cancelled before the writer takes it is never written; later cancelling has no effect.
        """
        await self._must_be_there()
        for call in calls:
            check(call)
        loop = asyncio.get_running_loop()
        jobs = [_Job(call, loop.create_future()) for call in calls]
        self._jobs |= dict.fromkeys(jobs)
        self._something.set()
        return await asyncio.gather(*[job.done for job in jobs])

    async def _write_batches(self) -> None:
        while self._jobs or not self._closed:
            try:
                if self._writer is None or self._writer.is_closed():
                    self._writer = await _connected(self._server, self.tables, again=self._outage.lasts)
                self._outage.ends()
                await self._next_batch()
            except Exception as error:  # noqa: BLE001 - an error in one call must not stop the writer
                await self._is_away(error)
        if self._writer is not None:
            with suppress(*BROKEN):
                await self._writer.close(timeout=COMMAND)

    async def _is_away(self, error: Exception) -> None:
        """Reconnect; callers that have waited too long get the error."""
        if self._writer is not None:
            self._writer.terminate()
            self._writer = None
        self._outage.begins(error)
        if self._outage.lasts or self._closed:
            gone, self._jobs = self._jobs, {}
            for job in gone:
                job.answer(self._server.trouble(error))
        await self._outage.pause()

    async def _next_batch(self) -> None:
        """Wait for calls and write them. After a long silence, check that the server is there."""
        self._something.clear()
        if not self._jobs and not self._closed:
            try:
                await asyncio.wait_for(self._something.wait(), PING)
            except TimeoutError:
                await self._writer.execute("SELECT 1")
            return
        self._jobs = {job: None for job in self._jobs if not job.done.cancelled()}
        first = [*islice(self._jobs, WINDOW)]
        fits = fitting(job.call for job in first)
        await self._do([job for job, fit in zip(first, fits, strict=True) if fit])

    async def _do(self, jobs: Sequence[_Job]) -> None:
        """Write the jobs as one batch. If that fails, write each alone, so that no call fails because of another."""
        try:
            answers = await write(self._writer, [job.call for job in jobs])
        except BROKEN:
            raise  # the result is unknown: the same commands are sent again, and are never written twice
        except _AGAIN:
            return
        except (asyncpg.PostgresError, ValueError) as error:
            if len(jobs) > 1:
                for job in jobs:
                    await self._do([job])
            else:
                self._jobs.pop(jobs[0], None)
                jobs[0].answer(self._server.trouble(error))
            return
        self.batches += 1
        for job, answer in zip(jobs, answers, strict=True):
            if not isinstance(answer, Lost):
                self._jobs.pop(job, None)
                job.answer(answer)


@asynccontextmanager
async def read_beside(url: str) -> AsyncIterator[tuple[BulkReads, Identity]]:
    """Yield a reader of a database that servers are using, and the identity of its tables.

    Changes nothing. Raises `StoreUnavailable`.
    """
    server = Server(url, "lilygames reload")
    with server.in_words():
        connection = await server.connect(server.name)
        try:
            yield _Beside(connection), await identity(connection)
        finally:
            await connection.close(timeout=COMMAND)


class _Beside:
    """A reader with a connection of its own."""

    def __init__(self, db: Any) -> None:
        self._db = db

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log; see `Store.entries_at`."""
        return await entry_rows.entries_at(self._db, log, positions)

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        return await entry_rows.heads(self._db, logs)

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        try:
            return await _every_of(self._db, kinds)
        except UnicodeDecodeError:
            async with any_text(self._db):
                return await _every_of(self._db, kinds)


async def _answer(connection: Any, ask: Callable[[Any], Awaitable[T]], *, together: bool) -> T:
    """Run queries, `together` in one transaction, and again if a row isn't UTF-8."""
    try:
        async with connection.transaction() if together else nullcontext():
            return await ask(connection)
    except UnicodeDecodeError:
        async with any_text(connection), connection.transaction() if together else nullcontext():
            return await ask(connection)


async def _every_of(db: Any, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return all records of several kinds. They are decoded in a thread: 70,000 of them take 0.1 seconds."""
    rows = await db.fetch(_EVERY_OF, [*map(named, kinds)])
    return await asyncio.to_thread(_by_kind, rows, kinds)


def _by_kind(rows: Iterable[Any], kinds: Iterable[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
    for row in rows:
        found[as_it_was(row["kind"])][as_it_was(row["key"])] = as_it_was(row["body"])
    return found


async def must_open(url: str, *, unsafe: bool = False) -> None:
    """Raise `StoreUnavailable` for a database that a server couldn't open. Changes nothing."""
    await examine(Server(url, "lilygames check"), unsafe=unsafe)


async def has_tables(url: str) -> bool:
    """Return whether a database has the tables of a server. Changes nothing. Raises `StoreUnavailable`."""
    server = Server(url, "lilygames check")
    with server.in_words():
        connection = await server.connect()
        try:
            return (await identity(connection)).table is not None
        finally:
            await connection.close(timeout=COMMAND)


async def _connected(server: Server, tables: Identity, *, again: bool) -> Any:
    """Return a connection for the writer. Raises `Replaced` if the database doesn't have these tables any more."""
    writer = await server.connect_writer(again=again)
    if await identity(writer) != tables:
        writer.terminate()
        raise server.replaced
    return writer


def _alone(effect: Effect) -> Append:
    """Return the call that writes an effect without entries: an append of none to an unused log."""
    return Append(f"{effect.kind}/{effect.key}", None, (), uuid.uuid4().hex, None, (effect,))


async def _nothing(_: Any) -> None:
    """Leave a connection as it is, since readers change nothing on it."""
