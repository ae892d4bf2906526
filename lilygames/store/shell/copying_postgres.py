"""Copy to and from a PostgreSQL database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from lilygames.store import StoreUnavailable
from lilygames.store.postgres.entry_rows import ALL_ROWS, entry, put
from lilygames.store.postgres.server import WRITER, Server, as_it_was, prepare, written
from lilygames.store.postgres.tables import must_be_readable
from lilygames.store.shell.copying_rows import AT_ONCE, TABLES, Kept, Row
from lilygames.store.sqlite.archive_file import PACKED

_WITH_PACKS = f"""
(
  SELECT kind, key, body FROM record
  UNION ALL
  SELECT '{PACKED}', number::text COLLATE "C", translate(encode(body, 'base64'), E'\\n', '')
  FROM (SELECT number, string_agg(body, '' ORDER BY part) AS body FROM pack GROUP BY number) AS p
  WHERE NOT EXISTS (SELECT FROM record WHERE kind = '{PACKED}' AND key = number::text)
) AS record_and_pack"""  # noqa: S608 - ours
"""The records of a database, with those that its packs would be."""


class _PostgresKept:
    def __init__(self, connection: Any, records: str = "record") -> None:
        """`records` is what has the records."""
        self._connection = connection
        columns = ", ".join(TABLES["record"])
        self._queries = {
            "entry": f"{ALL_ROWS} ORDER BY name, seq",
            "record": f"SELECT {columns} FROM {records} ORDER BY kind, key",  # noqa: S608
        }

    async def size(self) -> int:
        counts = [await self._connection.fetchval(f"SELECT count(*) FROM ({one}) r") for one in self._queries.values()]  # noqa: S608
        return sum(counts)

    async def holds(self, table: str, name: str) -> bool:
        column = "name" if table == "entry" else "kind"
        query = f"SELECT EXISTS (SELECT FROM ({self._queries[table]}) r WHERE {column} = $1)"  # noqa: S608
        return bool(await self._connection.fetchval(query, name))

    async def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        cursor = await self._connection.cursor(self._queries[table])
        while rows := await cursor.fetch(AT_ONCE):
            yield [_entry(row) if table == "entry" else tuple(map(as_it_was, row)) for row in rows]

    async def put(self, table: str, rows: Sequence[Row]) -> None:
        if table == "entry":
            await put(self._connection, rows)
        else:
            records = [tuple(map(written, row)) for row in rows]
            await self._connection.copy_records_to_table(table, records=records, columns=TABLES[table])


def _entry(row: Any) -> Row:
    name, *columns = row
    one = entry(*columns)
    return as_it_was(name), one.seq, one.at, one.by, one.body, one.cmd


@asynccontextmanager
async def reading_postgres(url: str, *, alone: bool) -> AsyncIterator[Kept]:
    """Open a database to copy from. With `alone`, no server may be using it. Raises `StoreUnavailable`."""
    server = Server(url, "lilygames copying")
    with server.in_words():
        connection = await _patient(server)
        try:
            await _must_be_ours(connection, server, alone=alone)
            await connection.transaction(isolation="repeatable_read", readonly=True).start()
            yield _PostgresKept(connection, _WITH_PACKS)
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
                await connection.execute("LOCK TABLE record IN EXCLUSIVE MODE")
                kept = _PostgresKept(connection)
                if await kept.size():
                    raise StoreUnavailable(f"{server.shown} is not empty: make another database with createdb.")
                await connection.execute("LOCK TABLE log_entry IN EXCLUSIVE MODE")
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
    must_be_readable(await connection.fetchval("SELECT number FROM version"), server.shown)
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1"
    if alone and await connection.fetchval(query, f"{WRITER}%"):
        raise StoreUnavailable(f"A server is using {server.shown}: stop it first.")
