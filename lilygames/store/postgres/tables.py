"""The tables of a PostgreSQL database: how they are created, and which versions of them are read."""

from __future__ import annotations

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
TABLES = f"""
CREATE TABLE record (
  kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, body text NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE TABLE pack (
  number int8 NOT NULL, body bytea NOT NULL, part int2 NOT NULL DEFAULT 0,
  PRIMARY KEY (number, part)
);
ALTER TABLE pack ALTER COLUMN body SET STORAGE EXTERNAL;  -- it's compressed already
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
"""  # noqa: S608 - ours
"""The tables of release 0.2.

An attempt is found by an index on an expression. With an index on both columns instead, a plan made while the table is
small stays in use and may read a whole log. The expression has the last three bytes of an attempt, which hardly two in
a log share. So a row of the index takes 20 bytes.
"""
FIRST = 4
"""The version of the tables of release 0.2, the oldest that is read."""
MIGRATIONS: tuple[str, ...] = ()
"""The changes of later releases, in order, each to the next version. Add new ones, but never edit an old one."""
NEWEST = FIRST + len(MIGRATIONS)
_LOCK = int.from_bytes(b"lily", "big")


async def migrate(connection: Any, shown: str) -> None:
    """Create the tables in an empty database, or make those of an earlier version today's. Call it in a transaction.

    Nodes that start at the same time take turns. Raises `StoreUnavailable` for tables of a newer lilygames, and for
    those older than release 0.2.
    """
    await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
    await connection.execute("CREATE SCHEMA IF NOT EXISTS lilygames")
    await connection.execute("CREATE TABLE IF NOT EXISTS version (number int NOT NULL)")
    found = await connection.fetchval("SELECT number FROM version")
    if found is None:
        await connection.execute(TABLES)
        await connection.execute("INSERT INTO version VALUES ($1)", FIRST)
        found = FIRST
    must_be_readable(found, shown)
    if found < NEWEST:
        for script in MIGRATIONS[found - FIRST :]:
            await connection.execute(script)
        await connection.execute("UPDATE version SET number = $1", NEWEST)


def must_be_readable(version: int, shown: str) -> None:
    """Raise `StoreUnavailable` for tables of a newer lilygames, and for those older than release 0.2."""
    if version > NEWEST:
        raise StoreUnavailable(f"{shown} was written by a newer lilygames: update this server, or name another.")
    if version < FIRST:
        raise StoreUnavailable(
            f"{shown} is older than release 0.2, the first that this server reads: name another database."
        )
