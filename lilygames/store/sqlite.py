"""The store of one server: a single SQLite file, every acknowledged entry on the disk.

One thread writes. It commits whatever has queued up as one group, because a commit costs the same wait for the disk
whether it holds one entry or a hundred. Another thread reads, so that the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import fcntl
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

from lilygames.store import Conflict, Draft, Entry, Page, Unavailable

T = TypeVar("T")

SCHEMA = 1
"""Raised by every change of the tables; a file of a higher one belongs to a newer server."""

_OURS = int.from_bytes(b"lily", "big")
_TABLES = f"""
PRAGMA journal_mode=WAL;
BEGIN;
CREATE TABLE entry (
  log TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, maker TEXT NOT NULL, body TEXT NOT NULL, cmd TEXT NOT NULL,
  PRIMARY KEY (log, seq)
) WITHOUT ROWID;
CREATE INDEX entry_by_cmd ON entry (log, cmd);
CREATE TABLE record (
  kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
PRAGMA application_id={_OURS};
PRAGMA user_version={SCHEMA};
COMMIT;
"""
_ENTRY = "SELECT seq, at, maker, body, cmd FROM entry"
_BY_CMD = f"{_ENTRY} INDEXED BY entry_by_cmd WHERE log = ? AND cmd = ? ORDER BY seq"  # else it reads the whole log
_FULL = 2  # what PRAGMA synchronous answers when every commit waits for the disk
_PRIMARY = 0xFF  # SQLite's extended result codes keep the plain one in the low byte


class Damaged(Unavailable):
    """The data file is not whole; it has been left as it was."""


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
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._reading = ThreadPoolExecutor(1, "store-reader")
        self._writing = Thread(target=self._write_groups, name="store-writer", daemon=True)
        self._writing.start()

    @classmethod
    def open(cls, path: str | Path, clock: Callable[[], float] = time.time) -> Self:
        """Open the data file at `path`, made with its folder where there is none, for this process alone.

        `clock` gives the time of entries in UTC seconds. Raises `Damaged` where the file is not whole, `Unavailable`
        where another server has it, a newer one wrote it, or the folder cannot be written; the file is not touched.
        """
        place = Path(path).resolve()
        with _in_words(place), ExitStack() as held:
            place.parent.mkdir(parents=True, exist_ok=True)
            held.callback(os.close, _lock(place))
            if not place.exists():
                _create(place)
            _inspect(place)
            writer, reader = (held.enter_context(closing(_connect(place))) for _ in range(2))
            ours = held.pop_all()
        return cls(place, writer, reader, ours, clock)

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], *, cmd: str) -> tuple[Entry, ...]:
        """Append all drafts together; see `Store.append`. Raises `ValueError` for text that cannot be written."""
        return await self._write(partial(_append, log, expected, tuple(drafts), cmd, clock=self._clock))

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""
        return await self._read(partial(_page, log, after, limit))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""
        names = tuple(logs)
        return await self._read(lambda db: {log: _head(db, log) for log in names})

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record durably under its kind and key, in place of an earlier one."""
        await self._write(_statement("REPLACE INTO record VALUES (?, ?, ?)", kind, key, body))

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""
        rows = await self._read(_statement("SELECT body FROM record WHERE kind = ? AND key = ?", kind, key))
        return rows[0][0] if rows else None

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind, in the order of their keys."""
        return dict(await self._read(_statement("SELECT key, body FROM record WHERE kind = ? ORDER BY key", kind)))

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        await self._write(_statement("DELETE FROM record WHERE kind = ? AND key = ?", kind, key))

    async def close(self) -> None:
        """Finish what has been queued, refuse every later call, and let another process have the file."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        self._writing.join()
        self._reading.shutdown()
        self._held.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise Unavailable("The store is closed: open it again first.")

    async def _read(self, work: Callable[[Connection], T]) -> T:
        self._must_be_open()
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._look, work)

    def _look(self, work: Callable[[Connection], T]) -> T:
        with _in_words(self._place), _transaction(self._reader, "BEGIN"):
            return work(self._reader)

    async def _write(self, work: Callable[[Connection], T | Conflict]) -> T:
        """Return what `work` returns once the group it belongs to is on the disk; raise it if it is a `Conflict`.

        Cancelled before the writer has come to it, it is never done; afterwards it is done all the same.
        """
        self._must_be_open()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Job(work, done))
        return await done

    def _write_groups(self) -> None:
        last = False
        while not last:
            queued = self._next_group()
            last = None in queued
            if jobs := [job for job in queued if job and not job.done.cancelled()]:
                self._commit(jobs)

    def _next_group(self) -> list[_Job | None]:
        """Return all that has queued up, at least one; None is the wish to close."""
        queued = [self._queue.get()]
        while not self._queue.empty():
            queued.append(self._queue.get())
        return queued

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit the jobs as one group; if that fails, each alone, so that none pays for another's failure."""
        try:
            with _in_words(self._place), _transaction(self._writer, "BEGIN IMMEDIATE"):
                answers = [job.work(self._writer) for job in jobs]
        except Exception as error:  # noqa: BLE001 - whatever one call brings, the writer must live for the others
            self._commit_apart(jobs, error)
        else:
            self.commits += 1
            _answer(jobs, answers)

    def _commit_apart(self, jobs: Sequence[_Job], error: Exception) -> None:
        # A file that somebody else holds is as busy for each as for all, and each would wait for it in turn.
        if len(jobs) == 1 or _code(error.__cause__) == sqlite3.SQLITE_BUSY:
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


def _append(
    log: str, expected: int | None, drafts: Sequence[Draft], cmd: str, db: Connection, *, clock: Callable[[], float]
) -> tuple[Entry, ...] | Conflict:
    """Write the drafts behind the head. A conflict is an answer, not a failure: the rest of the group goes on."""
    if earlier := _entries(db, _BY_CMD, log, cmd):
        return earlier
    head = _head(db, log)
    if expected is not None and expected != head:
        return Conflict(head)
    at = clock()
    fresh = tuple(Entry(seq, at, draft.by, draft.body, cmd) for seq, draft in enumerate(drafts, head + 1))
    rows = ((log, entry.seq, at, entry.by, entry.body, cmd) for entry in fresh)
    db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
    return fresh


def _page(log: str, after: int, limit: int, db: Connection) -> Page:
    query = f"{_ENTRY} WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?"
    return Page(_entries(db, query, log, after, max(limit, 0)), _head(db, log))


def _entries(db: Connection, query: str, *values: Any) -> tuple[Entry, ...]:
    return tuple(Entry(*row) for row in db.execute(query, values))


def _head(db: Connection, log: str) -> int:
    row = db.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE log = ?", (log,)).fetchone()
    return int(row[0])


def _statement(query: str, *values: str) -> Callable[[Connection], list[Any]]:
    return lambda db: db.execute(query, values).fetchall()


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


def _lock(place: Path) -> int:
    """Return a descriptor that holds the file for this process until it is closed, by the kernel at the latest.

    The lock lies beside the data: closing any descriptor of the data file itself would drop SQLite's own locks on it.
    """
    lock = os.open(f"{place}-lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise Unavailable(f"Another server uses {place}: stop it first, or name another file.") from None
        raise
    return lock


def _create(place: Path) -> None:
    """Make an empty data file whole under another name, then rename it, so that it is there entirely or not at all."""
    if _size(Path(f"{place}-wal")):
        raise Damaged(
            f"{place} is missing, but not {place.name}-wal beside it: bring both back, or move that one away."
        )
    fresh = Path(f"{place}-new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.executescript(_TABLES)
    fresh.replace(place)
    folder = os.open(place.parent, os.O_RDONLY)
    os.fsync(folder)  # the new name has to survive a power cut as surely as what is written under it
    os.close(folder)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _inspect(place: Path) -> None:
    """Check an existing file through a connection that cannot write; raises `Damaged` and `Unavailable`."""
    if not _size(place):  # asked before SQLite is: it would throw away the write-ahead log of an empty file
        raise Damaged(f"{place} is empty: bring back a copy of it, or move it away to begin anew.")
    with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as db:
        mark, schema = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if mark != _OURS:
            raise Unavailable(f"{place} belongs to another program: name another file.")
        if schema > SCHEMA:
            raise Unavailable(f"{place} was written by a newer lilygames: update this server, or name another file.")
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damage(place)


def _connect(place: Path) -> Connection:
    """Return a connection for which a commit means on the disk; raises `Unavailable` where that cannot be had."""
    db = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    db.executescript("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;")
    journal, wait = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode=WAL", "synchronous"))
    if (journal, wait) != ("wal", _FULL):
        db.close()
        raise Unavailable(f"The disk of {place} cannot take a write-ahead log: name a file on a local disk.")
    return db


def _code(error: BaseException | None) -> int:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY


def _damage(place: Path) -> Damaged:
    return Damaged(f"{place} is damaged and was left as it is: bring back a copy, or move it away to begin anew.")


@contextmanager
def _in_words(place: Path) -> Iterator[None]:
    """Turn what the engine or the disk says into a sentence for the sysop."""
    try:
        yield
    except sqlite3.Error as error:
        raise _trouble(place, error) from error
    except OSError as error:
        wish = "see that its folder can be written and has room, or name another file"
        raise Unavailable(f"{place} cannot be used ({error.strerror}): {wish}.") from error


def _trouble(place: Path, error: sqlite3.Error) -> Unavailable:
    match _code(error):
        case sqlite3.SQLITE_FULL:
            return Unavailable(f"The disk of {place} is full: free some space and it goes on.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return Unavailable(f"{place} cannot be written: see who may write it and its folder.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return _damage(place)
        case 0 if isinstance(error, sqlite3.OperationalError):  # the driver's own: bytes read that are no text
            return _damage(place)
        case _:  # by its name only: its words may quote what people wrote
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            return Unavailable(f"{place} cannot be used now ({name}): look at its disk, then try again.")
