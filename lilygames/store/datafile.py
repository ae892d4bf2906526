"""The data file of one server: made whole, locked, looked at before it is trusted, and its troubles in words."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

from lilygames.store import Damaged, StoreUnavailable

SCHEMA = 1
"""Raised by every change of the tables; a file of a higher one belongs to a newer server."""

_OURS = int.from_bytes(b"lily", "big")
_TABLES = f"""
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
BESIDE = ("", "-wal", "-shm", "-lock")
"""How the names end of the files that a server has open: SQLite's three, and its own lock."""
_FULL = 2  # what PRAGMA synchronous answers when every commit waits for the disk
_PRIMARY = 0xFF  # SQLite's extended result codes keep the plain one in the low byte


def lock(place: Path) -> int:
    """Return a descriptor that holds the file for this process until it is closed, by the kernel at the latest.

    The lock lies beside the data: closing any descriptor of the data file itself would drop SQLite's own locks on it.
    """
    lock = os.open(_lock_of(place), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise StoreUnavailable(f"Another server uses {place}: stop it first, or name another file.") from None
        raise
    return lock


def was_locked(place: Path) -> bool:
    """Return whether a server has ever held a data file, even if the file is gone."""
    return _lock_of(place).exists()


def _lock_of(place: Path) -> Path:
    return Path(f"{place}-lock")


def create(place: Path) -> None:
    """Make an empty data file."""
    with making(place):
        pass


@contextmanager
def making(place: Path) -> Iterator[Connection]:
    """Make a data file under another name, then rename it, so that it is there entirely or not at all.

    Yields a connection to fill it by; what raises leaves nothing.
    """
    if _size(Path(f"{place}-wal")):
        raise Damaged(
            f"{place} is missing, but not {place.name}-wal beside it: bring both back, or move that one away."
        )
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
    folder = os.open(place.parent, os.O_RDONLY)
    os.fsync(folder)  # the new name has to survive a power cut as surely as what is written under it
    os.close(folder)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def inspect(place: Path) -> None:
    """Check an existing file through a connection that cannot write; raises `Damaged` and `StoreUnavailable`."""
    if not _size(place):  # asked before SQLite is: it would throw away the write-ahead log of an empty file
        raise Damaged(f"{place} is empty: bring back a copy of it, or move it away to begin anew.")
    with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as db:
        mark, schema = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if mark != _OURS:
            raise StoreUnavailable(f"{place} belongs to another program: name another file.")
        if schema > SCHEMA:
            raise StoreUnavailable(
                f"{place} was written by a newer lilygames: update this server, or name another file."
            )
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damage(place)


Files = tuple[tuple[int, int] | None, ...]
"""Which files those of a data file are: the device and inode of each, None for one that is not there."""


def files_at(place: Path) -> Files:
    """Return which files lie now where those of a data file belong."""
    found: list[tuple[int, int] | None] = []
    for end in BESIDE:
        try:
            file = os.stat(f"{place}{end}")  # noqa: PTH116 - asked at every commit, and twice as fast as a path's own
        except OSError:
            found.append(None)
        else:
            found.append((file.st_dev, file.st_ino))
    return tuple(found)


def secure(place: Path, opened: Files, db: Connection) -> str:
    """Save what was acknowledged from files that were removed or replaced; return where it is, in a sentence.

    `opened` is which files they were. As long as the data file itself is in place, its write-ahead log is written into
    it; else all of it is copied beside it, for a file that has no name any more is gone with its last process.
    """
    again = "then let the server open it again: `lilygames reload`, or a restart"
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
    """Return a connection for which a commit means on the disk; raises `StoreUnavailable` where that cannot be had."""
    db = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    db.executescript("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;")
    journal, wait = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode=WAL", "synchronous"))
    if (journal, wait) != ("wal", _FULL):
        db.close()
        raise StoreUnavailable(f"The disk of {place} cannot take a write-ahead log: name a file on a local disk.")
    return db


def code(error: BaseException | None) -> int:
    """Return the plain result code of an error of SQLite's, 0 for any other."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY


def _damage(place: Path) -> Damaged:
    return Damaged(f"{place} is damaged and was left as it is: bring back a copy, or move it away to begin anew.")


@contextmanager
def in_words(place: Path) -> Iterator[None]:
    """Turn what the engine or the disk says into a sentence for the sysop."""
    try:
        yield
    except sqlite3.Error as error:
        raise _trouble(place, error) from error
    except OSError as error:
        wish = "see that its folder can be written and has room, or name another file"
        raise StoreUnavailable(f"{place} cannot be used ({error.strerror}): {wish}.") from error


def _trouble(place: Path, error: sqlite3.Error) -> StoreUnavailable:
    match code(error):
        case sqlite3.SQLITE_FULL:
            return StoreUnavailable(f"The disk of {place} is full: free some space and it goes on.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return StoreUnavailable(f"{place} cannot be written: see who may write it and its folder.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return _damage(place)
        case 0 if isinstance(error, sqlite3.OperationalError):  # the driver's own: bytes read that are no text
            return _damage(place)
        case _:  # by its name only: its words may quote what people wrote
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            return StoreUnavailable(f"{place} cannot be used now ({name}): look at its disk, then try again.")
