"""The archive of a server with a data file: one SQLite file beside it, with a pack for each game.

One file, because 10,000 files of 3 KB would take 4 KB each, and a backup would have to open them all. SQLite, because
it finds a pack by its number, survives a killed process and a full disk, and can be read while it is written. Pages are
large, so that packs leave little room unused.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import TypeVar

from lilygames.store import Damaged, Store, StoreUnavailable
from lilygames.store.packs import Move, move_in_steps
from lilygames.store.sqlite.datafile import SLACK, connect, files_at, in_words, size_of, sync_folder, transaction

T = TypeVar("T")
KIND, KEY = "archive", "id"
"""The record with the id of the archive that belongs to a store."""
PACKED = "packed"
"""The kind of records with a pack, by the table's number: in a database, and in a backup."""
_CHECKPOINT = 64
"""Pages after which SQLite writes its write-ahead log into the file: 4 MB."""
_OURS = int.from_bytes(b"lila", "big")
_SCHEMA = 1
_TABLES = f"""
PRAGMA page_size=65536;
BEGIN IMMEDIATE;
CREATE TABLE archive (id TEXT NOT NULL);
CREATE TABLE game (number INTEGER PRIMARY KEY, pack BLOB NOT NULL);
INSERT INTO archive SELECT lower(hex(randomblob(16)));
PRAGMA application_id={_OURS};
PRAGMA user_version={_SCHEMA};
COMMIT;
"""


def beside(data_file: Path) -> Path:
    """Return the archive's path for a data file: `lilygames.db` has `lilygames-archive.db`."""
    return data_file.with_name(f"{data_file.stem}-archive{data_file.suffix}")


class ArchiveFile:
    """The packs of one store, in a file that is created with the first of them (implements `Packs`).

    The file and the store have the same id. So games never get into another store's archive, or into a new file
    because a disk isn't there.
    """

    def __init__(self, place: Path, store: Store) -> None:
        self.place = place.resolve()
        self._store = store
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        """Device and inode of the open file: another one may be put in its place."""
        self._turn = Lock()
        """A connection may be used by only one thread at a time."""

    @property
    def outside(self) -> bool:
        """Return True: the file is beside the store."""
        return True

    async def prepare(self) -> None:
        """Do nothing: the first pack creates the file."""

    async def keep(self, packs: Mapping[int, bytes]) -> None:
        """Write packs in one transaction; it is on the disk afterwards."""
        id_ = await self._store.find(KIND, KEY)
        if id_ is None:
            id_ = await asyncio.to_thread(self._create)
            await self._store.keep(KIND, KEY, id_)
        await self._do(lambda db: _keep(db, packs), id_)

    async def find(self, number: int) -> bytes | None:
        """Return the pack of a table, or None if it isn't here."""
        if not self.place.exists():
            return None
        return await self._do(lambda db: _find(db, number))

    async def move(self, games: Sequence[Move]) -> None:
        """Move games in steps, because a transaction over two files isn't safe with write-ahead logs."""
        await move_in_steps(self._store, self, games)

    async def must_fit(self, size: int) -> None:
        """Raise `StoreUnavailable` if so many bytes don't fit on the disk."""
        free = (await asyncio.to_thread(shutil.disk_usage, self.place.parent)).free
        if free < size + SLACK:
            raise StoreUnavailable(
                f"The disk of {self.place} needs {(size + SLACK) / 1e6:.0f} MB of free space to archive games, and has"
                f" {free / 1e6:.0f}: free some space first."
            )

    async def size(self) -> int:
        """Return the bytes of the file and its write-ahead log."""
        return await asyncio.to_thread(size_of, self.place)

    async def close(self) -> None:
        """Close the file; the next call opens it again."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._turn, in_words(self.place):
            if self._db:
                self._db.close()
                self._db = None

    def _create(self) -> str:
        """Create the file and return its id. Raises `StoreUnavailable` for one with games that aren't this store's."""
        with self._turn, in_words(self.place), closing(sqlite3.connect(self.place, isolation_level=None)) as db:
            self.place.chmod(0o600)
            if not db.execute("PRAGMA user_version").fetchone()[0]:
                db.executescript(_TABLES)
                sync_folder(self.place.parent)
            if db.execute("SELECT EXISTS (SELECT 1 FROM game)").fetchone()[0]:
                raise StoreUnavailable(f"{self.place} is the archive of another data file: move it away first.")
            return _id_of(db)

    async def _do(self, work: Callable[[sqlite3.Connection], T], id_: str = "") -> T:
        return await asyncio.to_thread(self._done, work, id_)

    def _done(self, work: Callable[[sqlite3.Connection], T], id_: str) -> T:
        with self._turn, in_words(self.place):
            if self._db is None or files_at(self.place)[0] != self._file:
                self._db = self._opened()
            if id_ and _id_of(self._db) != id_:
                raise StoreUnavailable(f"{self.place} is the archive of another data file: put the right one there.")
            with transaction(self._db):
                return work(self._db)

    def _opened(self) -> sqlite3.Connection:
        if not self.place.exists():
            raise StoreUnavailable(f"{self.place} is missing: put it back, or restore a backup.")
        db = connect(self.place)
        db.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT}")
        if not _is_ours(db):
            db.close()
            raise Damaged(f"{self.place} isn't an archive of games, or a newer lilygames wrote it: move it away.")
        self._file = files_at(self.place)[0]
        return db


def attach(db: sqlite3.Connection, data_file: Path) -> bool:
    """Attach the archive of a data file to a connection as `archive`, and return whether there is one.

    Read something from the data file first: then a game that moves now is in its snapshot or in the archive's. Raises
    `StoreUnavailable` if the archive is missing or another store's.
    """
    row = db.execute("SELECT body FROM record WHERE kind = ? AND key = ?", (KIND, KEY)).fetchone()
    if row is None:
        return False
    place = beside(data_file)
    if not place.exists():
        raise StoreUnavailable(f"{place} is missing: put it back, or restore a backup.")
    db.execute("ATTACH ? AS archive", (f"{place.as_uri()}?mode=ro",))
    if _id_of(db) != row[0]:
        raise StoreUnavailable(f"{place} is the archive of another data file: put the right one there.")
    return True


def _is_ours(db: sqlite3.Connection) -> bool:
    mark, schema = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    return bool(mark == _OURS and schema <= _SCHEMA)


def _id_of(db: sqlite3.Connection) -> str:
    return str(db.execute("SELECT id FROM archive").fetchone()[0])


def _keep(db: sqlite3.Connection, packs: Mapping[int, bytes]) -> None:
    db.executemany("REPLACE INTO game VALUES (?, ?)", packs.items())


def _find(db: sqlite3.Connection, number: int) -> bytes | None:
    row = db.execute("SELECT pack FROM game WHERE number = ?", (number,)).fetchone()
    return bytes(row[0]) if row else None
