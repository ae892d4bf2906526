"""Copy to and from a PostgreSQL database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from lilygames.store import StoreUnavailable
from lilygames.store.archive_file import PACKED
from lilygames.store.copying_rows import AT_ONCE, TABLES, Kept, Row
from lilygames.store.pgserver import AT_START, MIGRATIONS, WRITER, Server, as_it_was, prepare, written

_WITH_PACKS = f"""
(
  SELECT kind, key, body FROM record
  UNION ALL
  SELECT '{PACKED}', number::text COLLATE "C", translate(encode(body, 'base64'), E'\\n', '') FROM pack
  WHERE NOT EXISTS (SELECT FROM record WHERE kind = '{PACKED}' AND key = number::text)
) AS record_and_pack"""  # noqa: S608 - ours
"""The records of a database, with those that its packs would be."""


class _PostgresKept:
    def __init__(self, connection: Any, *, packs: bool = False) -> None:
        self._connection = connection
        self._sources = {"entry": "entry", "record": _WITH_PACKS if packs else "record"}

    async def size(self) -> int:
        counts = [await self._connection.fetchval(f"SELECT count(*) FROM {one}") for one in self._sources.values()]  # noqa: S608
        return sum(counts)

    async def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        names, source = TABLES[table], self._sources[table]
        query = f"SELECT {', '.join(names)} FROM {source} ORDER BY {names[0]}, {names[1]}"  # noqa: S608 - ours
        cursor = await self._connection.cursor(query)
        while rows := await cursor.fetch(AT_ONCE):
            yield [tuple(as_it_was(one) if isinstance(one, str) else one for one in row) for row in rows]

    async def put(self, table: str, rows: Sequence[Row]) -> None:
        records = [tuple(written(one) if isinstance(one, str) else one for one in row) for row in rows]
        await self._connection.copy_records_to_table(table, records=records, columns=TABLES[table])


@asynccontextmanager
async def reading_postgres(url: str, *, alone: bool) -> AsyncIterator[Kept]:
    """Open a database to copy from. With `alone`, no server may be using it. Raises `StoreUnavailable`."""
    server = Server(url, "lilygames copying")
    with server.in_words():
        connection = await _patient(server)
        try:
            await _must_be_ours(connection, server, alone=alone)
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                yield _PostgresKept(
                    connection, packs=await connection.fetchval("SELECT to_regclass('pack') IS NOT NULL")
                )
        finally:
            connection.terminate()


@asynccontextmanager
async def filling_postgres(url: str) -> AsyncIterator[Kept]:
    """Open an empty database to copy to. Raises `StoreUnavailable` if it isn't empty."""
    server = Server(url, "lilygames copying")
    await prepare(server, unsafe=True)
    with server.in_words():
        connection = await _patient(server)
        try:
            async with connection.transaction():
                await connection.execute("LOCK TABLE entry, record IN EXCLUSIVE MODE")
                kept = _PostgresKept(connection)
                if await kept.size():
                    raise StoreUnavailable(f"{server.shown} is not empty: make another database with createdb.")
                yield kept
        finally:
            await connection.close(timeout=5)


async def _patient(server: Server) -> Any:
    """Return a connection without time limits."""
    options = server.options()
    options["command_timeout"] = None
    options["server_settings"] |= {"statement_timeout": "0"}
    return await asyncpg.connect(server.url, **options)


async def _must_be_ours(connection: Any, server: Server, *, alone: bool) -> None:
    if not await connection.fetchval("SELECT to_regclass('lilygames.version') IS NOT NULL"):
        raise StoreUnavailable(f"{server.shown} has no lilygames data: name another database.")
    if not AT_START <= await connection.fetchval("SELECT number FROM version") <= len(MIGRATIONS):
        raise StoreUnavailable(
            f"{server.shown} was written by another version of lilygames: run that version's server on it once."
        )
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1"
    if alone and await connection.fetchval(query, f"{WRITER}%"):
        raise StoreUnavailable(f"A server is using {server.shown}: stop it first.")
