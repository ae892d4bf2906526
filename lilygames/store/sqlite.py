"""The store of one server: a single SQLite file, every acknowledged entry on the disk.

One thread writes. It commits whatever has queued up as one group, because a commit costs the same wait for the disk
whether it holds one entry or a hundred. Another thread reads, so that the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from sqlite3 import Connection
from threading import Thread
from typing import Any, Self, TypeVar

import attrs

from lilygames.store import (
    Append,
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
from lilygames.store.datafile import code, connect, create, files_at, in_words, inspect, lock, secure, was_locked

T = TypeVar("T")

_ENTRY = "SELECT seq, at, maker, body, cmd FROM entry"
_BY_CMD = f"{_ENTRY} INDEXED BY entry_by_cmd WHERE log = ? AND cmd = ? ORDER BY seq"  # else it reads the whole log
_HEAD = "SELECT coalesce(max(seq), 0) FROM entry WHERE log = ?"
_STANDING = """
SELECT (SELECT coalesce(max(seq), 0) FROM entry WHERE log = ?),
  EXISTS (SELECT 1 FROM entry INDEXED BY entry_by_cmd WHERE log = ? AND cmd = ?)
"""


class SqliteStore:
    """A store in one file; make one with `SqliteStore.open`."""

    commits: int
    """How many groups have been committed since it was opened."""

    def __init__(
        self, place: Path, writer: Connection, reader: Connection, held: ExitStack, clock: Callable[[], float]
    ) -> None:
        self.commits = 0
        self._place = place
        self._clock = clock
        self._held = held
        self._writer = writer
        self._reader = reader
        self._closed = False
        self._files = files_at(place)
        """Which files those of the data file were when it was opened."""
        self._secured = ""
        """Where that is which was acknowledged before they were removed or replaced; empty while they are in place."""
        self._asked: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        self._queue: SimpleQueue[Sequence[_Job] | None] = SimpleQueue()
        self._reading = ThreadPoolExecutor(1, "store-reader")
        self._writing = Thread(target=self._write_groups, name="store-writer", daemon=True)
        self._writing.start()

    @classmethod
    def open(cls, path: str | Path, clock: Callable[[], float] = time.time) -> Self:
        """Open the data file at `path`, made with its folder where there is none, for this process alone.

        `clock` gives the time of entries in UTC seconds. Raises `Damaged` if the file is not whole, `StoreUnavailable`
        where another server has it, a newer one wrote it, or the folder cannot be written; the file is not touched.
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

    @classmethod
    def check(cls, path: str | Path) -> None:
        """Raise `StoreUnavailable` for a data file that could not be opened again; a server may use it meanwhile.

        A file that has never been there is no trouble: a start makes it.
        """
        place = Path(path).resolve()
        with in_words(place):
            if place.exists():
                inspect(place)
            elif was_locked(place):
                raise StoreUnavailable(f"{place} is missing: bring it back first.")

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
        call = Append(log, expected, tuple(drafts), cmd, not_before, tuple(effects))
        call.must_be_text()
        return await self._write(partial(_append, call, clock=self._clock))

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""
        return await self._read(partial(_page, log, after, limit))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""
        names = tuple(logs)
        return await self._read(lambda db: {log: _head(db, log) for log in names})

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record durably under its kind and key, in place of an earlier one."""
        await self._write(partial(_keep, Effect(kind, key, body)))

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""
        rows = await self._read(_statement("SELECT body FROM record WHERE kind = ? AND key = ?", kind, key))
        return rows[0][0] if rows else None

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Keep `new` durably in place of `old`; see `Store.swap`."""
        check_text(kind, key, old, new)
        return await self._write(partial(_swap, Effect(kind, key, new), old))

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind, in the order of their keys."""
        return dict(await self._read(_statement("SELECT key, body FROM record WHERE kind = ? ORDER BY key", kind)))

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        await self._write(partial(_keep, Effect(kind, key, None)))

    async def now(self) -> float:
        """Return the time by the clock, in UTC seconds; raises `StoreUnavailable` where nothing could be written."""
        return await self._write(lambda _: self._clock())

    async def close(self) -> None:
        """Finish what has been queued, refuse every later call, and let another process have the file."""
        if not self._closed:
            self._closed = True
            for loop in [*self._asked]:
                self._hand_over(loop)
            self._queue.put(None)
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        self._writing.join()
        self._reading.shutdown()
        self._held.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("The store is closed: open it again first.")

    async def _read(self, work: Callable[[Connection], T]) -> T:
        self._must_be_open()
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._look, work)

    def _look(self, work: Callable[[Connection], T]) -> T:
        with in_words(self._place), _transaction(self._reader, "BEGIN"):
            try:
                return work(self._reader)
            except sqlite3.OperationalError as error:
                if code(error):
                    raise
            with _any_text(self._reader):  # the driver's own error: a row's bytes are not UTF-8
                return work(self._reader)

    async def _write(self, work: Callable[[Connection], T | Conflict | TooEarly]) -> T:
        """Return what `work` returns once its group is on the disk; raise it if it is a `Conflict` or `TooEarly`.

        Cancelled before the writer has come to it, it is never done; afterwards it is done all the same.
        """
        self._must_be_open()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        asked = self._asked.setdefault(loop, [])
        if not asked:
            loop.call_soon(self._hand_over, loop)
        asked.append(_Job(work, done))
        return await done

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the writer at once what was asked of it in one turn of an event loop: one group, for which it wakes."""
        if jobs := self._asked.pop(loop, None):
            self._queue.put(jobs)

    def _write_groups(self) -> None:
        last = False
        while not last:
            queued = self._next_group()
            last = None in queued
            if jobs := [job for jobs in queued if jobs for job in jobs if not job.done.cancelled()]:
                self._commit(jobs)

    def _next_group(self) -> list[Sequence[_Job] | None]:
        """Return all that has queued up, at least the jobs of one turn; None is the wish to close."""
        queued = [self._queue.get()]
        while not self._queue.empty():
            queued.append(self._queue.get())
        return queued

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit the jobs as one group; if that fails, each alone, so that none pays for another's failure.

        Nothing is acknowledged that was written to files which are not where they belong: nobody could open them again.
        """
        try:
            if self._secured:
                self._must_be_in_place()
            with in_words(self._place), _transaction(self._writer, "BEGIN IMMEDIATE"):
                answers = [job.work(self._writer) for job in jobs]
            self._must_be_in_place()
        except Replaced as error:
            _answer(jobs, [error] * len(jobs))
        except Exception as error:  # noqa: BLE001 - whatever one call brings, the writer must live for the others
            self._commit_apart(jobs, error)
        else:
            self.commits += 1
            _answer(jobs, answers)

    def _must_be_in_place(self) -> None:
        """Raise `Replaced` while the files are not those that were opened; what was acknowledged is secured once."""
        if files_at(self._place) == self._files:
            self._secured = ""
            return
        if not self._secured:
            try:
                with in_words(self._place):
                    self._secured = secure(self._place, self._files, self._writer)
            except StoreUnavailable as problem:
                self._secured = f"What was acknowledged before cannot be copied ({problem})"
        raise Replaced(
            f"{self._place}, or a file beside it, was removed or replaced while the server runs, so nothing is saved"
            f" any more. {self._secured}"
        )

    def _commit_apart(self, jobs: Sequence[_Job], error: Exception) -> None:
        # A file that somebody else holds is as busy for each as for all, and each would wait for it in turn.
        if len(jobs) == 1 or code(error.__cause__) == sqlite3.SQLITE_BUSY:
            _answer(jobs, [error] * len(jobs))
        else:
            for job in jobs:
                self._commit([job])


@attrs.frozen(eq=False)
class _Job:
    """Something to write, and the future of whoever waits for it."""

    work: Callable[[Connection], Any]
    done: asyncio.Future[Any]

    def answer(self, answer: Any) -> None:
        """Give the answer, or raise it where it is an exception; who has stopped waiting is left alone."""
        if self.done.done():
            return
        if isinstance(answer, Exception):
            self.done.set_exception(answer)
        else:
            self.done.set_result(answer)


def _answer(jobs: Sequence[_Job], answers: Sequence[Any]) -> None:
    """Answer a whole group in one visit to each event loop: waking a loop costs more than an insert."""
    for loop in {job.done.get_loop() for job in jobs}:
        theirs = [(job, answer) for job, answer in zip(jobs, answers, strict=True) if job.done.get_loop() is loop]
        with suppress(RuntimeError):  # a loop that is closed has nobody left who waits
            loop.call_soon_threadsafe(_give, theirs)


def _give(answers: Sequence[tuple[_Job, Any]]) -> None:
    for job, answer in answers:
        job.answer(answer)


def _append(call: Append, db: Connection, *, clock: Callable[[], float]) -> tuple[Entry, ...] | Conflict | TooEarly:
    """Write the drafts behind the head. A conflict is an answer, not a failure: the rest of the group goes on."""
    head, known = db.execute(_STANDING, (call.log, call.log, call.cmd)).fetchone()
    if known:
        return _entries(db, _BY_CMD, call.log, call.cmd)
    if call.expected is not None and call.expected != head:
        return Conflict(head)
    at = clock()
    if call.not_before is not None and at < call.not_before:
        return TooEarly(call.not_before)
    fresh = [Entry(seq, at, draft.by, draft.body, call.cmd) for seq, draft in enumerate(call.drafts, head + 1)]
    rows = [(call.log, entry.seq, at, entry.by, entry.body, call.cmd) for entry in fresh]
    db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
    for effect in call.effects:
        _keep(effect, db)
    return tuple(fresh)


def _keep(effect: Effect, db: Connection) -> None:
    if effect.body is None:
        db.execute("DELETE FROM record WHERE kind = ? AND key = ?", (effect.kind, effect.key))
    else:
        db.execute("REPLACE INTO record VALUES (?, ?, ?)", (effect.kind, effect.key, effect.body))


def _swap(effect: Effect, old: str | None, db: Connection) -> bool:
    """Keep the effect where the record is still the old one; the writer's transaction keeps everybody else out."""
    row = db.execute("SELECT body FROM record WHERE kind = ? AND key = ?", (effect.kind, effect.key)).fetchone()
    found = row[0] if row else None
    if found == old:
        _keep(effect, db)
    return found in (old, effect.body)


def _page(log: str, after: int, limit: int, db: Connection) -> Page:
    query = f"{_ENTRY} WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?"
    return Page(_entries(db, query, log, after, max(limit, 0)), _head(db, log))


def _entries(db: Connection, query: str, *values: Any) -> tuple[Entry, ...]:
    return tuple(Entry(*row) for row in db.execute(query, values))


def _head(db: Connection, log: str) -> int:
    return int(db.execute(_HEAD, (log,)).fetchone()[0])


def _statement(query: str, *values: str) -> Callable[[Connection], list[Any]]:
    return lambda db: db.execute(query, values).fetchall()


@contextmanager
def _any_text(db: Connection) -> Iterator[None]:
    """Read texts that are not UTF-8 as ones that no reader of JSON takes, so that one damaged row harms no other."""
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


@contextmanager
def _transaction(db: Connection, begin: str) -> Iterator[None]:
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
