"""The data file of one server: create, lock and check it, and turn its errors into sentences for the sysop."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

from lilygames.store import Damaged, StoreUnavailable, shared_bodies
from lilygames.store.sqlite import entry_rows

SCHEMA = 3
"""Schema version, that of release 0.2; raise it with every change of the tables.

A file with a higher one is from a newer server, and one with a lower one can't be read any more.
"""

_OURS = int.from_bytes(b"lily", "big")
_TABLES = f"""
PRAGMA auto_vacuum=INCREMENTAL;
BEGIN;
{entry_rows.TABLES}
{";".join(shared_bodies.TABLES)};
CREATE TABLE record (
  kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
PRAGMA application_id={_OURS};
PRAGMA user_version={SCHEMA};
COMMIT;
"""
AT_ONCE = 16_000_000
"""Bytes of a data file that are checked at every start; it takes less than 0.2 seconds."""
SLACK = 32_000_000
"""Bytes that must be free besides what is written: for the write-ahead logs, and for people who play meanwhile."""
BESIDE = ("", "-wal", "-shm", "-lock")
"""Suffixes of the files that belong to a data file: SQLite's three, and our lock."""
_FULL = 2  # PRAGMA synchronous returns this if every commit waits for the disk
_PRIMARY = 0xFF  # SQLite's extended result codes hold the plain code in the low byte


def lock(place: Path) -> int:
    """Lock the data file for this process, and return the lock's file descriptor. It is held until that is closed.

    The lock is a file of its own: closing any descriptor of the data file itself would drop SQLite's locks on it.
    """
    lock = os.open(_lock_of(place), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise StoreUnavailable(f"Another server is using {place}: stop it first, or name another file.") from None
        raise
    return lock


def was_locked(place: Path) -> bool:
    """Return whether a server has ever locked a data file, even if the file is gone."""
    return _lock_of(place).exists()


def _lock_of(place: Path) -> Path:
    return Path(f"{place}-lock")


def create(place: Path) -> None:
    """Create an empty data file."""
    with making(place):
        pass


@contextmanager
def making(place: Path) -> Iterator[Connection]:
    """Create a data file under a temporary name and rename it at the end, so it is complete or missing.

    Yields a connection to fill it. After an error nothing is left.
    """
    if _size(Path(f"{place}-wal")):
        raise Damaged(f"{place} is missing, but {place.name}-wal is there: restore both files, or move that one away.")
    fresh = Path(f"{place}-new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            db.executescript(_TABLES)
            yield db
    except BaseException:
        for end in ("", "-journal"):
            Path(f"{fresh}{end}").unlink(missing_ok=True)
        raise
    fresh.replace(place)
    sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Let a new name in a folder survive a power cut, like the data in the file."""
    opened = os.open(folder, os.O_RDONLY)
    os.fsync(opened)
    os.close(opened)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def size_of(place: Path) -> int:
    """Return the bytes of a data file and of its write-ahead log."""
    return _size(place) + _size(Path(f"{place}-wal"))


def inspect(place: Path) -> None:
    """Check an existing file through a read-only connection. Raises `Damaged` and `StoreUnavailable`.

    Reading a gigabyte takes 10 seconds. So only the size and the beginning of a file over `AT_ONCE` are checked.
    """
    if not _size(place):  # checked before SQLite opens it, which would delete an empty file's write-ahead log
        raise Damaged(f"{place} is empty: restore a backup, or move it away to start empty.")
    with closing(reading(place)) as db:
        mark, schema = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if mark != _OURS:
            raise StoreUnavailable(f"{place} belongs to another program: name another file.")
        if schema > SCHEMA:
            raise StoreUnavailable(
                f"{place} was written by a newer lilygames: update this server, or name another file."
            )
        if schema < SCHEMA:
            raise StoreUnavailable(
                f"{place} is older than release 0.2, the first that this server reads: restore a newer backup, or name"
                " another file."
            )
    if size_of(place) <= AT_ONCE:
        inspect_whole(place)


def inspect_whole(place: Path) -> None:
    """Check all of a file, while a server may be using it. Raises `Damaged` and `StoreUnavailable`."""
    _check(place, reading(place))


def inspect_records(place: Path) -> None:
    """Read all records, as the next server will, while a server is using the file. Raises `sqlite3.Error`."""
    with closing(reading(place)) as db:
        db.execute("SELECT sum(length(kind) + length(key) + length(body)) FROM record").fetchone()


async def inspect_in_background(place: Path) -> None:
    """Check all of a file as `inspect_whole` does, without blocking. It ends soon after it is cancelled."""
    with in_words(place):
        db = reading(place)
        try:
            await asyncio.to_thread(_check, place, db)
        except asyncio.CancelledError:
            db.interrupt()
            raise


def reading(place: Path) -> Connection:
    """Connect to a file that a server may be using, to read it."""
    return sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True, check_same_thread=False)


def _check(place: Path, db: Connection) -> None:
    with closing(db):
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damage(place)


def is_unchecked(place: Path) -> bool:
    """Return whether the last server was killed, or lost its power, and `inspect` doesn't check all of its file."""
    return size_of(place) > AT_ONCE and bool(_size(Path(f"{place}-wal")))


def rebuild(place: Path) -> int:
    """Write a data file again without unused space, while no server uses it; return the bytes that this gave back.

    From then on it can give back more while a server runs. Raises `StoreUnavailable` if a copy doesn't fit on the disk.
    """
    with in_words(place), ExitStack() as stack:
        if not place.exists():
            raise StoreUnavailable(f"There is no data file {place}: name the right folder with --data.")
        stack.callback(os.close, lock(place))
        inspect(place)
        inspect_whole(place)
        db = stack.enter_context(closing(connect(place)))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before, free = _size(place), shutil.disk_usage(place.parent).free
        if free < 2 * before:  # SQLite writes a copy, and then its pages into the write-ahead log
            raise StoreUnavailable(
                f"The disk of {place} needs {2 * before / 1e6:.0f} MB of free space for that, and has {free / 1e6:.0f}."
            )
        db.execute("PRAGMA auto_vacuum=INCREMENTAL")
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return before - _size(place)


Files = tuple[tuple[int, int] | None, ...]
"""Device and inode of each file of a data file; None for one that is missing."""


def files_at(place: Path) -> Files:
    """Return which files are at the paths of a data file now."""
    found: list[tuple[int, int] | None] = []
    for end in BESIDE:
        try:
            file = os.stat(f"{place}{end}")  # noqa: PTH116 - called at every commit; twice as fast as Path.stat
        except OSError:
            found.append(None)
        else:
            found.append((file.st_dev, file.st_ino))
    return tuple(found)


def secure(place: Path, opened: Files, db: Connection) -> str:
    """Save acknowledged data whose files were removed or replaced, and return a sentence that says where it is.

    `opened` are the files as they were when opened. If the data file itself is still there, its write-ahead log is
    written into it. If not, everything is copied to a new file, because a deleted file is lost when its process ends.
    """
    again = "then run `lilygames reload` or restart the server"
    if files_at(place)[0] == opened[0]:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return f"Everything that was acknowledged is in {place}; {again}."
    rescued = next(path for n in range(1, 1000) if not (path := Path(f"{place}-rescued-{n}")).exists())
    rescued.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(rescued, os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(rescued)) as copy:
        db.backup(copy)
    return f"Everything that was acknowledged is in {rescued}: move it to {place}, {again}."


def connect(place: Path) -> Connection:
    """Connect so that a commit is on the disk. Raises `StoreUnavailable` if the disk can't do that."""
    db = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    db.executescript("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;")
    journal, wait = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode=WAL", "synchronous"))
    if (journal, wait) != ("wal", _FULL):
        db.close()
        raise StoreUnavailable(f"The disk of {place} doesn't support a write-ahead log: name a file on a local disk.")
    return db


def code(error: BaseException | None) -> int:
    """Return SQLite's plain result code, 0 for any other error."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY


def _damage(place: Path) -> Damaged:
    return Damaged(
        f"{place} is damaged and was left as it is: stop the server, move that file away, and restore a backup with"
        " `lilygames restore FILE`."
    )


@contextmanager
def transaction(db: Connection, begin: str = "BEGIN") -> Iterator[None]:
    """Run the block in a transaction, which is undone if it raises anything."""
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def in_words(place: Path) -> Iterator[None]:
    """Turn errors of SQLite and the disk into sentences for the sysop."""
    try:
        yield
    except sqlite3.Error as error:
        raise _trouble(place, error) from error
    except OSError as error:
        wish = "check that you can write to its folder and that there is room, or name another file"
        raise StoreUnavailable(f"Can't use {place} ({error.strerror}): {wish}.") from error


def _trouble(place: Path, error: sqlite3.Error) -> StoreUnavailable:
    match code(error):
        case sqlite3.SQLITE_FULL:
            return StoreUnavailable(f"The disk of {place} is full: free some space, and the server continues.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return StoreUnavailable(f"Can't write to {place}: check the permissions of the file and its folder.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return _damage(place)
        case 0 if isinstance(error, sqlite3.OperationalError):  # the driver's own error: bytes that aren't text
            return _damage(place)
        case _:  # only the error's name: its message may quote what people wrote
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            return StoreUnavailable(f"Can't use {place} now ({name}): check its disk, then try again.")
