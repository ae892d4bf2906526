"""The tables of a PostgreSQL database: how they are created, and how those of an earlier release become today's.

Nodes of the previous and of this release may share a database. So a change of the tables waits until all nodes read
the new ones: `advance` makes it. From then on an earlier release refuses the database. A node of this release that has
found the earlier tables finds the new ones at its next query.
"""

# ruff: noqa: S608 - the statements are ours

from __future__ import annotations

from enum import Enum
from typing import Any

from lilygames.store import StoreUnavailable

PARTITIONS = 4
"""Parts of the table of entries. Each has its own indexes, and the server vacuums them one by one.

Each query prepares for all of them: with 8, an append costs a fifth more.
"""
_PARTITIONS = "\n".join(
    f"CREATE TABLE log_entry_{one} PARTITION OF log_entry FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {one});"
    for one in range(PARTITIONS)
)
MIGRATIONS = (
    """
    CREATE TABLE entry (
      log text COLLATE "C" NOT NULL, seq int NOT NULL, at float8 NOT NULL,
      maker text NOT NULL, body text NOT NULL, cmd text COLLATE "C" NOT NULL,
      PRIMARY KEY (log, seq)
    );
    CREATE FUNCTION attempt(log text, cmd text) RETURNS text IMMUTABLE LANGUAGE sql
      RETURN length(log)::text || ':' || log || cmd;
    CREATE INDEX entry_by_attempt ON entry (attempt(log, cmd));
    CREATE TABLE record (
      kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, body text NOT NULL,
      PRIMARY KEY (kind, key)
    );
    """,
    """
    CREATE TABLE pack (number int8 PRIMARY KEY, body bytea NOT NULL);
    ALTER TABLE pack ALTER COLUMN body SET STORAGE EXTERNAL;  -- it's compressed already
    """,
    f"""
    ALTER TABLE entry RENAME TO old_entry;
    ALTER TABLE old_entry SET (autovacuum_vacuum_scale_factor = 0.1);
    CREATE TABLE log (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE);
    CREATE TABLE log_entry (
      log int NOT NULL, seq int NOT NULL, at float8 NOT NULL, shared int8, maker bytea NOT NULL, cmd bytea NOT NULL,
      body text, PRIMARY KEY (log, seq)
    ) PARTITION BY HASH (log);
    {_PARTITIONS}
    CREATE FUNCTION attempt(log int, cmd bytea) RETURNS bytea IMMUTABLE LANGUAGE sql
      RETURN int4send(log) || substring(cmd FROM greatest(length(cmd) - 2, 1));
    CREATE INDEX log_entry_by_attempt ON log_entry (attempt(log, cmd));
    CREATE TABLE shared (id int8 PRIMARY KEY, uses int NOT NULL, body text NOT NULL);
    CREATE FUNCTION use_no_more() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE lilygames.shared SET uses = uses - 1 WHERE id = OLD.shared;
      DELETE FROM lilygames.shared WHERE id = OLD.shared AND uses = 0;
      RETURN NULL;
    END $$;
    CREATE TRIGGER shared_deleted AFTER DELETE ON log_entry FOR EACH ROW WHEN (OLD.shared IS NOT NULL)
      EXECUTE FUNCTION use_no_more();
    CREATE TRIGGER shared_rewritten AFTER UPDATE ON log_entry FOR EACH ROW
      WHEN (OLD.shared IS NOT NULL AND NEW.shared IS NULL) EXECUTE FUNCTION use_no_more();
    """,
    """
    ALTER TABLE pack ADD COLUMN part int2 NOT NULL DEFAULT 0, DROP CONSTRAINT pack_pkey, ADD PRIMARY KEY (number, part);
    """,
)
"""Migrations, in order; the first one creates the tables. Add to them, but never change one.

An attempt is found by an index on an expression. With an index on both columns instead, a plan made while the table is
small stays in use and may read a whole log. The expression has the last three bytes of an attempt, which hardly two in
a log share. So a row of the index takes 20 bytes.
"""
FIRST, PACKED, NUMBERED, PARTED = range(1, 5)
"""The versions: release 0.1, with a table for packs, with numbers for logs, and with parts of packs."""
PATIENCE = "500ms"
"""How long to wait for a table that a backup is reading. Everyone else waits then, too."""
_LOCK = int.from_bytes(b"lily", "big")
_LOOK_AGAIN = "DELETE FROM record WHERE kind = 'archive' AND key = 'cursor'"
"""Lets the next run of the archive look at all tables again, for packs that are records."""


class Form(Enum):
    """The tables in which a database has its entries."""

    TEXT = 1
    """Those of release 0.1: each row has the name of its log."""
    BOTH = 2
    """Today's, and those of release 0.1, from which rows are being moved."""
    NUMBERED = 3
    """Today's: logs have numbers."""


async def form_of(connection: Any) -> Form:
    """Return the tables in which a database has its entries."""
    query = "SELECT to_regclass('entry') IS NOT NULL AS text, to_regclass('old_entry') IS NOT NULL AS old"
    row = await connection.fetchrow(query)
    if row["text"]:
        return Form.TEXT
    return Form.BOTH if row["old"] else Form.NUMBERED


async def migrate(connection: Any, shown: str) -> None:
    """Create today's tables in an empty database. Those of an earlier release stay for now. Call it in a transaction.

    Nodes that start at the same time take turns. Raises `StoreUnavailable` for tables of a newer lilygames.
    """
    await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
    await connection.execute("CREATE SCHEMA IF NOT EXISTS lilygames")
    await connection.execute("CREATE TABLE IF NOT EXISTS version (number int NOT NULL)")
    found = await connection.fetchval("SELECT number FROM version") or 0
    must_not_be_newer(found, shown)
    if not found:
        await connection.execute("INSERT INTO version VALUES (0)")
        await renew(connection)


async def renew(connection: Any) -> None:
    """Give a database without entries today's tables. Call it in a transaction."""
    await advance(connection, len(MIGRATIONS))
    await connection.execute("DROP TABLE IF EXISTS old_entry")


async def advance(connection: Any, version: int) -> None:
    """Run the migrations that are missing up to a version. Call it in a transaction.

    From then on an earlier release refuses to start on the database.
    """
    await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
    await connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    found = await connection.fetchval("SELECT number FROM version")
    for script in MIGRATIONS[found:version]:
        await connection.execute(script)
    if found < PACKED <= version:
        await connection.execute(_LOOK_AGAIN)
    await connection.execute("UPDATE version SET number = $1", max(found, version))


def must_not_be_newer(version: int, shown: str) -> None:
    """Raise `StoreUnavailable` for tables of a newer lilygames."""
    if version > len(MIGRATIONS):
        raise StoreUnavailable(f"{shown} was written by a newer lilygames: update this server, or name another.")
