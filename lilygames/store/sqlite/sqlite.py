"""The store of one server: an SQLite file. An acknowledged entry is on the disk.

One thread writes. It commits everything queued as one group, because a commit waits for the disk just as long for one
entry as for a hundred. Another thread reads, so the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from sqlite3 import Connection
from threading import Thread
from typing import Any, Protocol, Self, TypeVar

import attrs

from lilygames.store import (
    Answered,
    Append,
    BulkReads,
    Conflict,
    Draft,
    Effect,
    Entry,
    Page,
    Replaced,
    StoreUnavailable,
    TooEarly,
    check_text,
)
from lilygames.store.shared_bodies import SharedBodies
from lilygames.store.sqlite import entry_rows
from lilygames.store.sqlite.datafile import (
    code,
    connect,
    create,
    files_at,
    in_words,
    inspect,
    inspect_records,
    lock,
    reading,
    secure,
    size_of,
    transaction,
    was_locked,
)

T = TypeVar("T")

ANSWERED = 16
"""Jobs of a group that are answered in one turn of an event loop."""
_CLOSED = "The store is closed: open it again first."
_EVERY = "SELECT key, body FROM record WHERE kind = ? AND key >= ? ORDER BY key LIMIT ?"
_EVERY_OF = "SELECT kind, key, body FROM record WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY kind, key"


class SqliteStore:
    """A store in one file. Open one with `SqliteStore.open`."""

    commits: int
    """Groups committed since the store was opened."""

    def __init__(
        self, place: Path, writer: Connection, reader: Connection, held: ExitStack, clock: Callable[[], float]
    ) -> None:
        self.commits = 0
        self._place = place
        self._clock = clock
        self._held = held
        self._writer = writer
        self._bodies = SharedBodies()
        self._reader = reader
        self._closed = False
        self._files = files_at(place)
        """The data file's files, as they were when opened."""
        self._secured = ""
        """A sentence about where the acknowledged data is, after the files were removed or replaced; else empty."""
        self._asked: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        self._queue: SimpleQueue[Sequence[_Job] | None] = SimpleQueue()
        self._reading = ThreadPoolExecutor(1, "store-reader")
        self._writing = Thread(target=self._write_groups, name="store-writer", daemon=True)
        self._writing.start()

    @classmethod
    def open(cls, path: str | Path, clock: Callable[[], float] = time.time) -> Self:
        """Open the data file at `path` for this process alone. Create it, and its folder, if it is missing.

        `clock` gives the time of entries in UTC seconds. Raises `Damaged` for a damaged file, and `StoreUnavailable` if
        another server uses it, a newer one wrote it or its folder isn't writable. The file stays unchanged then.
        """
        place = Path(path).resolve()
        with in_words(place), ExitStack() as held:
            place.parent.mkdir(parents=True, exist_ok=True)
            held.callback(os.close, lock(place))
            if not place.exists():
                create(place)
            inspect(place)
            writer, reader = (held.enter_context(closing(connect(place))) for _ in range(2))
            ours = held.pop_all()
        return cls(place, writer, reader, ours, clock)

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
        call = Append(log, expected, tuple(drafts), cmd, not_before, tuple(effects))
        call.must_be_text()
        return await self._write(partial(_append, self._bodies, call, self._clock))

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append and tell the answer; see `Store.append_soon`."""
        call.must_be_text()
        loop = asyncio.get_running_loop()
        if self._closed:
            loop.call_soon(answered.finish, StoreUnavailable(_CLOSED))
        else:
            self._queue_up(_Told(partial(_append, self._bodies, call, self._clock), loop, answered))

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs; see `Store.append_each`. Raises `ValueError` if a text can't be written."""
        calls = [Append(log, None, tuple(some), cmd) for log, some in drafts.items()]
        for call in calls:
            call.must_be_text()
        return await self._write(partial(_append_each, self._bodies, calls, self._clock))

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`."""
        return await self._read(partial(entry_rows.page, log, after, limit))

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log; see `Store.entries_at`."""
        return await self._read(partial(entry_rows.entries_at, log, positions))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        names = tuple(logs)
        return await self._read(lambda db: {log: entry_rows.head(log, db) for log in names})

    async def logs(self, prefix: str, after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return names of logs; see `Store.logs`."""
        return await self._read(partial(entry_rows.logs, prefix, after, limit))

    async def trim(self, log: str, through: int, blank: str) -> None:
        """Delete old entries; see `Store.trim`."""
        check_text(log, blank)
        await self._write(partial(entry_rows.trim, log, through, blank))

    async def rewrite(self, log: str, entries: Sequence[Entry]) -> None:
        """Replace the authors and bodies of entries; see `Store.rewrite`."""
        check_text(*(text for entry in entries for text in (entry.by, entry.body)))
        await self._write(partial(entry_rows.rewrite, log, tuple(entries)))

    async def erase(self, log: str) -> None:
        """Delete a log; see `Store.erase`."""
        await self._write(partial(entry_rows.erase, log))

    async def size(self) -> int:
        """Return the bytes of the data file and its write-ahead log."""
        return await asyncio.to_thread(size_of, self._place)

    async def vacuum(self, most: int) -> int:
        """Return unused space to the disk; see `Store.vacuum`."""
        return await self._write(partial(_vacuum, most))

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record durably, replacing an earlier one."""
        await self._write(partial(_keep, Effect(kind, key, body)))

    async def find(self, kind: str, key: str) -> str | None:
        """Return a record's body, or None if it doesn't exist."""
        rows = await self._read(_statement("SELECT body FROM record WHERE kind = ? AND key = ?", kind, key))
        return rows[0][0] if rows else None

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`."""
        check_text(kind, key, old, new)
        return await self._write(partial(_swap, Effect(kind, key, new), old))

    async def every(self, kind: str, first: str = "", limit: int | None = None) -> dict[str, str]:
        """Return all records of a kind, or a page of them; see `Store.every`."""
        return dict(await self._read(_statement(_EVERY, kind, first, -1 if limit is None else limit)))

    async def find_each(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the records of a kind with these keys; missing ones are left out."""
        these = ", ".join("?" * len(keys))
        query = f"SELECT key, body FROM record WHERE kind = ? AND key IN ({these})"  # noqa: S608 - only question marks
        return dict(await self._read(_statement(query, kind, *keys)))

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        return await self._read(partial(_every_of, kinds))

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        await self._write(partial(_keep, Effect(kind, key, None)))

    async def now(self) -> float:
        """Return the clock's time in UTC seconds. Raises `StoreUnavailable` if the file can't be written."""
        return await self._write(lambda _: self._clock())

    async def close(self) -> None:
        """Finish queued writes, refuse all later calls, and unlock the file."""
        if not self._closed:
            self._closed = True
            for loop in [*self._asked]:
                self._hand_over(loop)
            self._queue.put(None)
        for let_go in (self._writing.join, self._reading.shutdown, self._held.close):
            await asyncio.to_thread(let_go)

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(_CLOSED)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        self._must_be_open()
        return await asyncio.get_running_loop().run_in_executor(self._reading, _look, self._place, self._reader, work)

    async def _write(self, work: Callable[[Connection], T | Conflict | TooEarly]) -> T:
        """Return the result of `work` once its group is on the disk. Raise it if it is a `Conflict` or `TooEarly`.

        Work that is cancelled before the writer takes it is never done; later cancelling has no effect.
        """
        self._must_be_open()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._queue_up(_Awaited(work, loop, done))
        try:
            return await done
        finally:  # the traceback of an error has this frame: with the future in it, they would keep each other
            del done

    def _queue_up(self, job: _Job) -> None:
        """Give a job to the writer at the end of this turn of the event loop."""
        asked = self._asked.setdefault(job.loop, [])
        if not asked:
            job.loop.call_soon(self._hand_over, job.loop)
        asked.append(job)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Queue everything that one turn of an event loop asked for, as one group, so the writer wakes only once."""
        if jobs := self._asked.pop(loop, None):
            self._queue.put(jobs)

    def _write_groups(self) -> None:
        last = False
        while not last:
            queued = _next_group(self._queue)
            last = None in queued
            if jobs := [job for jobs in queued if jobs for job in jobs if not job.dropped]:
                self._commit(jobs)

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit the jobs as one group. If that fails, commit each alone, so that no job fails because of another.

        Nothing is acknowledged if the files were removed or replaced: nobody could open them again.
        """
        try:
            if self._secured:
                self._must_be_in_place()
            with in_words(self._place), transaction(self._writer, "BEGIN IMMEDIATE"):
                answers = [job.work(self._writer) for job in jobs]
            self._must_be_in_place()
        except Replaced as error:
            _answer(jobs, [error] * len(jobs))
        except Exception as error:  # noqa: BLE001 - whatever one call brings, the writer must live for the others
            # A busy file is busy for each job too, and each would wait for it in turn.
            if len(jobs) == 1 or code(error.__cause__) == sqlite3.SQLITE_BUSY:
                _answer(jobs, [error] * len(jobs))
            else:
                for job in jobs:
                    self._commit([job])
        else:
            self.commits += 1
            _answer(jobs, answers)

    def _must_be_in_place(self) -> None:
        """Raise `Replaced` if the files aren't those that were opened. The first time, save the acknowledged data."""
        if files_at(self._place) == self._files:
            self._secured = ""
            return
        if not self._secured:
            try:
                with in_words(self._place):
                    self._secured = secure(self._place, self._files, self._writer)
            except StoreUnavailable as problem:
                self._secured = f"The data acknowledged before can't be copied ({problem})"
        raise Replaced(
            f"{self._place}, or a file that belongs to it, was removed or replaced while the server runs,"
            f" so nothing is saved. {self._secured}"
        )


def must_open(path: str | Path) -> None:
    """Raise `StoreUnavailable` for a data file that couldn't be opened again. A server may be using it.

    A file that never existed is fine: the server creates it when it starts.
    """
    place = Path(path).resolve()
    with in_words(place):
        if place.exists():
            inspect(place)
            inspect_records(place)
        elif was_locked(place):
            raise StoreUnavailable(f"{place} is missing: restore it first.")


@contextmanager
def read_beside(path: str | Path) -> Iterator[BulkReads]:
    """Yield a reader of a data file that a server may be using. It reads everything as it is at one moment.

    Raises `StoreUnavailable`.
    """
    place = Path(path).resolve()
    with in_words(place), closing(reading(place)) as db, transaction(db, "BEGIN"):
        yield _Beside(place, db)


class _Beside:
    """A reader that blocks, for a process that does nothing else yet."""

    def __init__(self, place: Path, db: Connection) -> None:
        self._place, self._db = place, db

    def _read(self, work: Callable[[Connection], T]) -> T:
        with in_words(self._place):
            return _read_any_text(self._db, work)

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log; see `Store.entries_at`."""
        return self._read(partial(entry_rows.entries_at, log, positions))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        return self._read(lambda db: {log: entry_rows.head(log, db) for log in logs})

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        return self._read(partial(_every_of, kinds))


def _look(place: Path, db: Connection, work: Callable[[Connection], T]) -> T:
    """Read in a transaction."""
    with in_words(place), transaction(db, "BEGIN"):
        return _read_any_text(db, work)


def _read_any_text(db: Connection, work: Callable[[Connection], T]) -> T:
    """Read text that isn't UTF-8 as text that isn't JSON either."""
    try:
        return work(db)
    except sqlite3.OperationalError as error:
        if code(error):
            raise
    with _any_text(db):  # the driver's own error: a row isn't UTF-8
        return work(db)


class _Job(Protocol):
    """Work for the writer, and the event loop of its caller."""

    @property
    def work(self) -> Callable[[Connection], Any]:
        """What to do in the transaction."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the caller."""

    @property
    def dropped(self) -> bool:
        """Whether the caller wants it no more."""

    def answer(self, answer: Any) -> None:
        """Tell the caller the result or the exception."""


@attrs.frozen(eq=False)
class _Told:
    """Work whose answer is told to `answered`."""

    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    answered: Answered
    dropped = False

    def answer(self, answer: Any) -> None:
        """Tell the answer. An error there doesn't lose the answers of the others."""
        try:
            self.answered.finish(answer)
        except Exception as bug:  # noqa: BLE001 - the loop's handler logs it
            self.loop.call_exception_handler({"message": "an answer of the store wasn't taken", "exception": bug})


@attrs.frozen(eq=False)
class _Awaited:
    """Work whose caller waits for a future."""

    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]

    @property
    def dropped(self) -> bool:
        """Whether the caller was cancelled."""
        return self.done.cancelled()

    def answer(self, answer: Any) -> None:
        """Set the caller's result or exception, unless the caller has stopped waiting."""
        if self.done.done():
            return
        if isinstance(answer, Exception):
            self.done.set_exception(answer)
        else:
            self.done.set_result(answer)


def _next_group(queue: SimpleQueue[Sequence[_Job] | None]) -> list[Sequence[_Job] | None]:
    """Wait for queued work and return all of it, a list of jobs per turn. None asks the writer to close."""
    queued = [queue.get()]
    while not queue.empty():
        queued.append(queue.get())
    return queued


def _answer(jobs: Sequence[_Job], answers: Sequence[Any]) -> None:
    """Answer a whole group with one call to each event loop: waking a loop costs more than an insert."""
    for loop in {job.loop for job in jobs}:
        theirs = [(job, answer) for job, answer in zip(jobs, answers, strict=True) if job.loop is loop]
        with suppress(RuntimeError):  # nobody waits in a closed loop
            loop.call_soon_threadsafe(_give, theirs, loop)


def _give(answers: Sequence[tuple[_Job, Any]], loop: asyncio.AbstractEventLoop) -> None:
    """Answer some of a group, and the rest in the next turns, so that a busy server has no long turn."""
    for job, answer in answers[:ANSWERED]:
        job.answer(answer)
    if rest := answers[ANSWERED:]:
        loop.call_soon(_give, rest, loop)


def _append(
    bodies: SharedBodies, call: Append, clock: Callable[[], float], db: Connection
) -> tuple[Entry, ...] | Conflict | TooEarly:
    """Write the drafts at the end of the log. A conflict is an answer, not an error: the group continues."""
    head, known = entry_rows.standing(call.log, call.cmd, db)
    if known:
        return entry_rows.of_attempt(call.log, call.cmd, db)
    if call.expected is not None and call.expected != head:
        return Conflict(head)
    at = clock()
    if call.not_before is not None and at < call.not_before:
        return TooEarly(call.not_before)
    fresh = _insert(bodies, call, head, at, db)
    for effect in call.effects:
        _keep(effect, db)
    return fresh


def _append_each(
    bodies: SharedBodies, calls: Sequence[Append], clock: Callable[[], float], db: Connection
) -> dict[str, tuple[Entry, ...]]:
    """Write the drafts of each call at the end of its log."""
    written: dict[str, tuple[Entry, ...]] = {}
    for call in calls:
        head, known = entry_rows.standing(call.log, call.cmd, db)
        written[call.log] = (
            entry_rows.of_attempt(call.log, call.cmd, db) if known else _insert(bodies, call, head, clock(), db)
        )
    return written


def _insert(bodies: SharedBodies, call: Append, head: int, at: float, db: Connection) -> tuple[Entry, ...]:
    """Write the drafts after the last position of the log."""
    fresh = tuple([Entry(seq, at, draft.by, draft.body, call.cmd) for seq, draft in enumerate(call.drafts, head + 1)])
    if fresh:
        placed = [(one.seq, at, one.by, bodies.place(call.log, one.seq, one.body, db), call.cmd) for one in fresh]
        entry_rows.insert(db, call.log, placed)
    return fresh


def _keep(effect: Effect, db: Connection) -> None:
    if effect.body is None:
        db.execute("DELETE FROM record WHERE kind = ? AND key = ?", (effect.kind, effect.key))
    else:
        db.execute("REPLACE INTO record VALUES (?, ?, ?)", (effect.kind, effect.key, effect.body))


def _swap(effect: Effect, old: str | None, db: Connection) -> bool:
    """Write the effect if the record is still `old`. The transaction excludes other writers."""
    row = db.execute("SELECT body FROM record WHERE kind = ? AND key = ?", (effect.kind, effect.key)).fetchone()
    found = row[0] if row else None
    if found == old:
        _keep(effect, db)
    return found in (old, effect.body)


def _every_of(kinds: Sequence[str], db: Connection) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
    for kind, key, body in db.execute(_EVERY_OF, (json.dumps([*found]),)):
        found[kind][key] = body
    return found


def _vacuum(most: int, db: Connection) -> int:
    """Return unused pages to the disk. Python runs such a pragma for one page only, whatever number it is given."""
    size, before, freed = _pragma(db, "page_size"), _pragma(db, "page_count"), 0
    while freed + 2 * size <= most and _pragma(db, "freelist_count"):  # a page of SQLite's own may go with it
        db.execute("PRAGMA incremental_vacuum(1)").fetchall()
        freed = size * (before - _pragma(db, "page_count"))
    return freed


def _pragma(db: Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _statement(query: str, *values: str | int) -> Callable[[Connection], list[Any]]:
    return lambda db: db.execute(query, values).fetchall()


@contextmanager
def _any_text(db: Connection) -> Iterator[None]:
    """Read text that isn't UTF-8 as text that isn't JSON either, so one damaged row doesn't affect others."""
    db.text_factory = _text
    try:
        yield
    finally:
        db.text_factory = str


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return f"\ufffd{raw.decode('utf-8', 'replace')}"
