"""The store of several nodes: a PostgreSQL database, every acknowledged entry on its disk.

One task of each node writes. It sends whatever has queued up as one statement, because a commit costs the same wait for
the disk whether it holds one entry or a hundred. While the server is away everybody waits a little, then is told so.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Self, TypeVar

import asyncpg
import attrs

from lilygames.store import Append, Draft, Effect, Entry, Page, StoreUnavailable, check_text
from lilygames.store.pgbatch import HIGHEST, Answer, Lost, check, entry, fitting, write
from lilygames.store.pgserver import (
    BROKEN,
    COMMAND,
    WRITER,
    Identity,
    Outage,
    Server,
    as_it_was,
    examine,
    identity,
    named,
    prepare,
    written,
)

T = TypeVar("T")

PATIENCE = 3.0
"""Seconds that calls wait for a server that is away, before they are `StoreUnavailable`."""
PING = 5.0
"""Seconds of silence after which the writer asks whether the server is still there."""
WINDOW = 2000
"""Calls among which the next batch is looked for."""
READERS = 4
"""Connections that read, at most."""
_AGAIN = (asyncpg.exceptions.DeadlockDetectedError, asyncpg.exceptions.SerializationError)
_PAGE = """
SELECT h.head, e.* FROM (SELECT coalesce(max(seq), 0) AS head FROM entry WHERE log = $1) h
LEFT JOIN LATERAL (
  SELECT seq, at, maker, body, cmd FROM entry WHERE log = $1 AND seq > $2 ORDER BY seq LIMIT $3
) e ON true ORDER BY seq
"""
_BODY = "SELECT body FROM record WHERE kind = $1 AND key = $2"
_SWAP = {
    (True, False): "INSERT INTO record VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING true",
    (False, True): "DELETE FROM record WHERE kind = $1 AND key = $2 AND body = $3 RETURNING true",
    (False, False): "UPDATE record SET body = $4 WHERE kind = $1 AND key = $2 AND body = $3 RETURNING true",
}
"""What swaps a record, by whether there is none before and whether there is none afterwards."""
_HEADS = "SELECT log, (SELECT max(seq) FROM entry e WHERE e.log = l.log) AS head FROM unnest($1::text[]) AS l (log)"


@attrs.frozen(eq=False)
class _Job:
    """A call, and the future of whoever waits for it."""

    call: Append
    done: asyncio.Future[tuple[Entry, ...]]

    def answer(self, answer: Answer | Exception) -> None:
        """Give the answer, or raise it where it is an exception; who has stopped waiting is left alone."""
        if self.done.done():
            return
        if isinstance(answer, Exception):
            self.done.set_exception(answer)
        else:
            self.done.set_result(answer)


class PostgresStore:
    """A store in a PostgreSQL database; make one with `await PostgresStore.open`."""

    batches: int
    """How many statements have written since it was opened."""

    def __init__(self, server: Server, tables: Identity, readers: Any, patience: float) -> None:
        self.batches = 0
        self._server = server
        self._tables = tables
        self._readers = readers
        self._writer: Any = None
        self._outage = Outage(patience)
        self._reading_outage = Outage(patience)
        self._jobs: dict[_Job, None] = {}
        """What has queued up, in the order in which it came."""
        self._something = asyncio.Event()
        self._closed = False
        self._writing = asyncio.create_task(self._write_batches())

    @classmethod
    async def open(cls, url: str, *, patience: float = PATIENCE, unsafe: bool = False) -> Self:
        """Open the database at `postgresql://...`, and make its tables or bring them up to date.

        Calls wait `patience` seconds for a server that goes away. Raises `StoreUnavailable` if there is none, a newer
        lilygames wrote to it, or it may lose what it has acknowledged (which `unsafe` allows).
        """
        server = Server(url, f"{WRITER} {uuid.uuid4().hex}")
        tables = await prepare(server, unsafe=unsafe)
        readers = asyncpg.create_pool(url, min_size=0, max_size=READERS, reset=_nothing, **server.options())
        return cls(server, tables, await readers, patience)

    @classmethod
    async def check(cls, url: str, *, unsafe: bool = False) -> None:
        """Raise `StoreUnavailable` for a database that a server could not open; nothing is changed."""
        await examine(Server(url, "lilygames check"), unsafe=unsafe)

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
        """Append all drafts together; see `Store.append`. Raises `ValueError` for text that cannot be written."""
        return await self._write(Append(log, expected, tuple(drafts), cmd, not_before, tuple(effects)))

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""
        first, most = (max(0, min(number, HIGHEST)) for number in (after, limit))
        rows = await self._read(lambda db: db.fetch(_PAGE, named(log), first, most))
        return Page(tuple(entry(row) for row in rows if row["seq"] is not None), rows[0]["head"])

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""
        rows = await self._read(lambda db: db.fetch(_HEADS, [*map(named, logs)]))
        return {as_it_was(row["log"]): row["head"] or 0 for row in rows}

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record durably under its kind and key, in place of an earlier one."""
        await self._keep(Effect(kind, key, body))

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""
        body = await self._read(lambda db: db.fetchval(_BODY, named(kind), named(key)))
        return None if body is None else as_it_was(body)

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind, in the order of their keys."""
        query = "SELECT key, body FROM record WHERE kind = $1 ORDER BY key"
        rows = await self._read(lambda db: db.fetch(query, named(kind)))
        return {as_it_was(row["key"]): as_it_was(row["body"]) for row in rows}

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        await self._keep(Effect(kind, key, None))

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Keep `new` durably in place of `old`; see `Store.swap`.

        It is no part of a batch, and may be asked again: a record that is `new` already was swapped before.
        """
        check_text(old, new)
        before, after = (None if body is None else written(body) for body in (old, new))
        values = [value for value in (named(kind), named(key), before, after) if value is not None]

        statement = _SWAP.get((old is None, new is None), "")

        async def ask(connection: Any) -> bool:
            if statement and await connection.fetchval(statement, *values):
                return True
            found: str | None = await connection.fetchval(_BODY, *values[:2])
            return found == after

        return await self._read(ask)

    async def _keep(self, effect: Effect) -> None:
        """Keep an effect alone: that of no entries in a log which nobody writes to."""
        nowhere = f"{effect.kind}/{effect.key}"
        await self._write(Append(nowhere, None, (), uuid.uuid4().hex, None, (effect,)))

    async def now(self) -> float:
        """Return the time by the server's clock, in UTC seconds; raises `StoreUnavailable` if nothing could be kept."""
        query = "SELECT extract(epoch FROM clock_timestamp())::float8 AS now, to_regclass('entry')::oid AS table"
        row = await self._read(lambda db: db.fetchrow(query))
        if row["table"] != self._tables.table:
            raise self._server.replaced
        return float(row["now"])

    async def close(self) -> None:
        """Finish what has been queued, refuse every later call, and let go of the server."""
        self._closed = True
        self._something.set()
        await asyncio.wait({self._writing})
        try:
            await asyncio.wait_for(self._readers.close(), COMMAND)
        except TimeoutError:
            self._readers.terminate()

    async def _must_be_there(self) -> None:
        """Raise `StoreUnavailable` at once if one has waited enough already; the writer finds out when it is over."""
        if self._closed:
            raise StoreUnavailable("The store is closed: open it again first.")
        if self._outage.lasts:
            await asyncio.sleep(0)  # or who tries again and again would keep the writer from finding out
            raise self._server.trouble(self._outage.why)

    async def _read(self, ask: Callable[[Any], Awaitable[T]]) -> T:
        """Return what is asked, once more where the server goes away; raises `StoreUnavailable` where it stays away."""
        while True:
            await self._must_be_there()
            try:
                async with self._readers.acquire(timeout=COMMAND) as connection:
                    answer = await ask(connection)
            except BROKEN as error:
                await self._readers.expire_connections()
                self._reading_outage.begins(error)
                if self._reading_outage.lasts:
                    raise self._server.trouble(error) from error
                await self._reading_outage.pause()
            except asyncpg.PostgresError as error:
                raise self._server.trouble(error) from error
            else:
                self._reading_outage.ends()
                return answer

    async def _write(self, call: Append) -> tuple[Entry, ...]:
        """Return the answer to a call once the batch it belongs to is on the disk.

        Cancelled before the writer has come to it, it is never done; afterwards it is done all the same.
        """
        await self._must_be_there()
        check(call)
        job = _Job(call, asyncio.get_running_loop().create_future())
        self._jobs[job] = None
        self._something.set()
        return await job.done

    async def _write_batches(self) -> None:
        while self._jobs or not self._closed:
            try:
                await self._connected()
                await self._next_batch()
            except Exception as error:  # noqa: BLE001 - whatever one call brings, the writer must live for the others
                await self._is_away(error)
        await self._disconnected()

    async def _connected(self) -> None:
        if self._writer is None or self._writer.is_closed():
            writer = await self._server.connect_writer()
            if await identity(writer) != self._tables:
                writer.terminate()
                raise self._server.replaced
            self._writer = writer
        self._outage.ends()

    async def _disconnected(self) -> None:
        if self._writer is not None:
            with suppress(*BROKEN):
                await self._writer.close(timeout=COMMAND)
            self._writer = None

    async def _is_away(self, error: Exception) -> None:
        """Begin anew with another connection; who has waited too long learns why."""
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
        """Wait for something to write, and write it; after a long silence ask whether the server is there."""
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
        """Write the jobs as one batch; if that fails, each alone, so that none pays for another's failure."""
        try:
            answers = await write(self._writer, [job.call for job in jobs])
        except BROKEN:
            raise  # nobody knows what became of it: the same commands are sent again, and never land twice
        except _AGAIN:
            return
        except (asyncpg.PostgresError, ValueError) as error:
            if len(jobs) > 1:
                for job in jobs:
                    await self._do([job])
            else:
                self._answer(jobs[0], self._server.trouble(error))
            return
        self.batches += 1
        for job, answer in zip(jobs, answers, strict=True):
            if not isinstance(answer, Lost):
                self._answer(job, answer)

    def _answer(self, job: _Job, answer: Answer | Exception) -> None:
        self._jobs.pop(job, None)
        job.answer(answer)


async def _nothing(_: Any) -> None:
    """Leave a connection as it is: no reader changes it."""
