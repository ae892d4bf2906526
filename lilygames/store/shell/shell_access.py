"""Access to a store's records from the command line, while a server runs or not."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TypeVar

from lilygames.store import Records, StoreUnavailable
from lilygames.store.addresses import without_password
from lilygames.store.sqlite.datafile import connect, in_words, inspect

T = TypeVar("T")


class _FileRecords:
    """Records of a data file. SQLite makes a server and this process take turns."""

    def __init__(self, place: Path, db: sqlite3.Connection) -> None:
        self._place = place
        self._db = db
        self._turn = asyncio.Lock()  # a connection may be used by only one thread at a time

    async def keep(self, kind: str, key: str, body: str) -> None:
        await self._do(lambda: self._db.execute("REPLACE INTO record VALUES (?, ?, ?)", (kind, key, body)))

    async def find(self, kind: str, key: str) -> str | None:
        query = "SELECT body FROM record WHERE kind = ? AND key = ?"
        row = await self._do(lambda: self._db.execute(query, (kind, key)).fetchone())
        return row[0] if row else None

    async def forget(self, kind: str, key: str) -> None:
        await self._do(lambda: self._db.execute("DELETE FROM record WHERE kind = ? AND key = ?", (kind, key)))

    async def _do(self, work: Callable[[], T]) -> T:
        async with self._turn:
            with in_words(self._place):
                return await asyncio.to_thread(work)


@asynccontextmanager
async def beside(url: str) -> AsyncIterator[Records]:
    """Open the records of `sqlite:FILE` or `postgresql://...`. Raises `StoreUnavailable` if it doesn't exist."""
    kind, _, file = url.partition(":")
    if kind != "sqlite":
        from lilygames.store.postgres.postgres import PostgresStore, has_tables  # noqa: PLC0415 - only for several nodes

        if not await has_tables(url):
            raise StoreUnavailable(f"There is no data in {without_password(url)}: start the server once.")
        store = await PostgresStore.open(url, unsafe=True)
        try:
            yield store
        finally:
            await store.close()
        return
    place, db = await asyncio.to_thread(_opened, file)
    with closing(db):
        yield _FileRecords(place, db)


def _opened(file: str) -> tuple[Path, sqlite3.Connection]:
    place = Path(file).resolve()
    if not place.exists():
        raise StoreUnavailable(f"There is no data file {place}: start the server once, or name the right file.")
    with in_words(place):
        inspect(place)
        return place, connect(place)
