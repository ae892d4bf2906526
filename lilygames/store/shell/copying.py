"""Copy a whole store into an empty one, unchanged: positions, times and commands stay the same.

The copy is a snapshot of one moment, even while a server writes. It is complete or it isn't made at all. It also has
the games in the archive of a data file: as records, as a database has them.
"""

from __future__ import annotations

import os
import sqlite3
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, closing
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from lilygames.store import StoreUnavailable
from lilygames.store.shell.copying_rows import AT_ONCE, TABLES, Kept, Row
from lilygames.store.sqlite import entry_rows
from lilygames.store.sqlite.archive_file import KEY, KIND, PACKED, attach
from lilygames.store.sqlite.datafile import in_words, inspect, inspect_whole, making
from lilygames.store.sqlite.datafile import lock as held


async def copy(source: Kept, target: Kept, done: Callable[[int], None]) -> None:
    """Copy all rows, then read the copy and compare. `done` gets the number of rows after each batch of both.

    Raises `StoreUnavailable` if the copy differs.
    """
    sent = sha256()
    for table in TABLES:
        async for rows in source.rows(table):
            _add(sent, rows)
            await target.put(table, rows)
            done(len(rows))
    arrived = sha256()
    for table in TABLES:
        async for rows in target.rows(table):
            _add(arrived, rows)
            done(len(rows))
    if sent.digest() != arrived.digest():
        raise StoreUnavailable("The copy differs from the original, so it was deleted: check the disk, then try again.")


def _add(digest: Any, rows: Sequence[Row]) -> None:
    for row in rows:
        digest.update(repr(row).encode())


def reading(url: str, *, alone: bool) -> AbstractAsyncContextManager[Kept]:
    """Open a store to copy from: `sqlite:FILE` or `postgresql://...`. With `alone`, no server may be using it.

    Raises `StoreUnavailable` if it can't be opened.
    """
    path = _file(url)
    if path:
        return _reading_sqlite(path, alone=alone)
    from lilygames.store.shell.copying_postgres import reading_postgres  # noqa: PLC0415 - its library is an extra

    return reading_postgres(url, alone=alone)


def filling(url: str) -> AbstractAsyncContextManager[Kept]:
    """Open an empty store to copy to. It appears only if the block ends without an error.

    Raises `StoreUnavailable` if it isn't empty.
    """
    path = _file(url)
    if path:
        return _filling_sqlite(path)
    from lilygames.store.shell.copying_postgres import filling_postgres  # noqa: PLC0415 - its library is an extra

    return filling_postgres(url)


def _file(url: str) -> Path | None:
    """Return the file in a store's address, None for a database. Raise `StoreUnavailable` for any other address."""
    kind, colon, rest = url.partition(":")
    if kind == "sqlite" and rest:
        return Path(rest).resolve()
    if kind in ("postgresql", "postgres") and colon:
        return None
    raise StoreUnavailable(f"{url} isn't a store: use sqlite:data/lilygames.db or postgresql://USER@HOST/NAME.")


_WITH_ARCHIVE = f"""
CREATE TEMP VIEW record_and_archive AS
SELECT kind, key, body FROM main.record WHERE (kind, key) <> ('{KIND}', '{KEY}')
UNION ALL
SELECT '{PACKED}', CAST(number AS TEXT), base64(pack) FROM archive.game
WHERE NOT EXISTS (SELECT 1 FROM main.record WHERE kind = '{PACKED}' AND key = CAST(number AS TEXT))
"""  # noqa: S608 - ours
"""The records of a data file, with those that the games in its archive would be."""


class _SqliteKept:
    def __init__(self, db: sqlite3.Connection, record: str = "record") -> None:
        self._db = db
        self._record = record

    async def size(self) -> int:
        records = self._db.execute(f"SELECT count(*) FROM {self._record}").fetchone()[0]  # noqa: S608 - ours
        return entry_rows.count_rows(self._db) + int(records)

    async def holds(self, table: str, name: str) -> bool:
        if table == "entry":
            return entry_rows.has_log(self._db, name)
        return self._db.execute(f"SELECT 1 FROM {self._record} WHERE kind = ? LIMIT 1", (name,)).fetchone() is not None  # noqa: S608 - ours

    async def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        names = ", ".join(TABLES["record"])
        records = self._db.execute(f"SELECT {names} FROM {self._record} ORDER BY kind, key")  # noqa: S608 - ours
        found: Iterator[Row] = entry_rows.all_rows(self._db) if table == "entry" else records
        while rows := [*islice(found, AT_ONCE)]:
            yield rows

    async def put(self, table: str, rows: Sequence[Row]) -> None:
        if table == "entry":
            for log, some in groupby(rows, itemgetter(0)):
                entry_rows.insert(self._db, log, (row[1:] for row in some))
        else:
            self._db.executemany("INSERT INTO record VALUES (?, ?, ?)", rows)


@asynccontextmanager
async def _reading_sqlite(place: Path, *, alone: bool) -> AsyncIterator[Kept]:
    with in_words(place), ExitStack() as stack:
        _must_be_there(place)
        if alone:
            stack.callback(os.close, held(place))
        inspect(place)
        inspect_whole(place)
        db = stack.enter_context(closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True, isolation_level=None)))
        db.execute("BEGIN")
        db.execute("SELECT 1 FROM entry LIMIT 1").fetchone()  # the snapshot begins; the archive's must not be older
        if not attach(db, place):
            yield _SqliteKept(db)
            return
        db.create_function("base64", 1, lambda pack: b64encode(pack).decode(), deterministic=True)
        db.execute(_WITH_ARCHIVE)
        yield _SqliteKept(db, "record_and_archive")


@asynccontextmanager
async def _filling_sqlite(place: Path) -> AsyncIterator[Kept]:
    with in_words(place), ExitStack() as stack:
        place.parent.mkdir(parents=True, exist_ok=True)
        stack.callback(os.close, held(place))
        _must_be_free(place)
        db = stack.enter_context(making(place))
        db.execute("BEGIN")
        yield _SqliteKept(db)
        db.execute("COMMIT")


def _must_be_there(place: Path) -> None:
    if not place.exists():
        raise StoreUnavailable(f"There is no file {place}: name the file to copy.")


def _must_be_free(place: Path) -> None:
    if place.exists():
        raise StoreUnavailable(f"{place} already exists: name another file, or move it away.")
