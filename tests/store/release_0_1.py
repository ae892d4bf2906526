"""Data files and databases as release 0.1 wrote them."""

import sqlite3
from contextlib import asynccontextmanager, closing

import asyncpg

from lilygames.store.copying import reading
from lilygames.store.datafile import create
from lilygames.store.entry_rows import all_rows
from lilygames.store.pgserver import written
from lilygames.store.pgtables import MIGRATIONS, PACKED

_TABLE = """
CREATE TABLE entry (
  log TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, maker TEXT NOT NULL, body TEXT NOT NULL, cmd TEXT NOT NULL,
  PRIMARY KEY (log, seq)
) WITHOUT ROWID
"""


def rewrite_as_0_1(place):
    """Rewrite a data file that no server uses as release 0.1 would have written it."""
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        rows = [*all_rows(db)]
    write_as_0_1(place, rows)


def write_as_0_1(place, rows):
    """Write these rows in place of the entries of a data file, as release 0.1 would have written them."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        create(place)
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.execute("BEGIN")
        for table in ("entry", "old_entry", "log", "shared"):
            db.execute(f"DROP TABLE IF EXISTS {table}")
        db.execute(_TABLE)
        db.execute("CREATE INDEX entry_by_cmd ON entry (log, cmd)")
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
        db.execute("PRAGMA user_version=1")
        db.execute("COMMIT")


async def create_as_0_1(url, rows=(), records=(), version=PACKED):
    """Create the tables of release 0.1 in an empty database, by default with the one for packs, and fill them."""
    async with connected(url) as db:
        await db.execute("CREATE SCHEMA lilygames; CREATE TABLE version (number int NOT NULL)")
        for script in MIGRATIONS[:version]:
            await db.execute(script)
        await db.execute("INSERT INTO version VALUES ($1)", version)
        old = [tuple(written(one) if isinstance(one, str) else one for one in row) for row in rows]
        await db.copy_records_to_table("entry", records=old)
        await db.copy_records_to_table("record", records=records)


async def rewrite_database_as_0_1(url):
    """Rewrite a database that no server uses as release 0.1 would have written it, without packs."""
    async with reading(url, alone=False) as kept:
        rows = [row async for some in kept.rows("entry") for row in some]
    async with connected(url) as db:
        records = await db.fetch("SELECT * FROM record")
        await db.execute("DROP SCHEMA lilygames CASCADE")
    await create_as_0_1(url, rows, records)


@asynccontextmanager
async def connected(url):
    """Connect to a database, with its tables in the search path."""
    connection = await asyncpg.connect(url, server_settings={"search_path": "lilygames"})
    try:
        yield connection
    finally:
        await connection.close()
