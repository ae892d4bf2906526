"""A PostgreSQL server as the store meets it: connections that give up in time, tables, and its troubles in words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import attrs

from lilygames.store import Replaced, StoreUnavailable

COMMAND = 5.0
"""Seconds that one question may take; then its connection counts as broken."""
CONNECT = 2.0
"""Seconds that the server may take to let somebody in."""
WRITER = "lilygames writer"
"""How the name begins by which a server knows the connection that writes for a node."""
OLDEST = 140_000
"""The oldest PostgreSQL that will do, as it numbers itself."""
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
)
"""What leads from each version of the tables to the next; the first makes them. Never changed, only added to.

An attempt is found by an expression that no other index could serve: a plan made while the table is young stays, and
with an index on both columns it may be one that reads a whole log.
"""
_NEEDED = ("fsync", "full_page_writes", "synchronous_commit")
_SETTINGS = {
    "search_path": "lilygames",
    "enable_seqscan": "off",  # all goes by an index, also while nobody has counted the rows of a young table
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",  # planning anew costs more than the work
    "statement_timeout": "10000",
    "tcp_keepalives_idle": "10",  # the server lets go of a node that has lost its power
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_LOCK = int.from_bytes(b"lily", "big")
BROKEN = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,  # shut down, starting, or a question cancelled
    asyncpg.exceptions.ReadOnlySQLTransactionError,  # another server is the primary now
    asyncpg.exceptions.TooManyConnectionsError,
)
"""What says that a connection is of no use any more, and leaves open what became of the question."""


@attrs.frozen
class Server:
    """Where the server is, and the name by which it knows this store's writer."""

    url: str = attrs.field(repr=False)
    name: str

    @property
    def shown(self) -> str:
        """Where it is, without the password."""
        parts = urlsplit(self.url)
        return f"{parts.netloc.rpartition('@')[2] or 'the local socket'}{parts.path}"

    async def connect(self, name: str = "lilygames") -> Any:
        """Return a connection, known to the server by a name. Raises one of `BROKEN`, or a `PostgresError`."""
        return await asyncpg.connect(self.url, **self.options(name))

    def options(self, name: str = "lilygames") -> dict[str, Any]:
        """Return how to connect: to the server that can be written, and with an end to all patience."""
        return {
            "timeout": CONNECT,
            "command_timeout": COMMAND,
            "target_session_attrs": "read-write",
            "server_settings": _SETTINGS | {"application_name": name},
        }

    async def connect_writer(self) -> Any:
        """Return the one connection that writes for this store, once the one before it is surely dead.

        What that one was asked last has then either been done or never will be.
        """
        connection = await self.connect(self.name)
        try:
            await _end_others(connection, self.name)
        except BaseException:
            connection.terminate()
            raise
        return connection

    @property
    def replaced(self) -> Replaced:
        """What is said of a database that is not the one that was opened."""
        return Replaced(
            f"{self.shown} is another database than the one that was opened, or its tables were made anew, so nothing"
            " is saved any more: bring the old one back, or restart every node to go on with this one."
        )

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Turn what the server or the driver says into a sentence for the sysop."""
        try:
            yield
        except (asyncpg.PostgresError, *BROKEN) as error:
            raise self.trouble(error) from error

    def trouble(self, error: BaseException) -> StoreUnavailable:
        """Return an error as one that says what to do."""
        return error if isinstance(error, StoreUnavailable) else StoreUnavailable(self._sentence(error))

    def _sentence(self, error: BaseException) -> str:
        """Return an error in words; by its name only, as its own words may quote what people wrote."""
        match error:
            case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
                return f"PostgreSQL at {self.shown} does not know this user: see name and password."
            case asyncpg.InvalidCatalogNameError():
                return f"There is no such database at {self.shown}: make it with createdb."
            case asyncpg.InsufficientPrivilegeError():
                return f"The user may not write at {self.shown}: let it own the database."
            case asyncpg.DiskFullError():
                return f"The disk of {self.shown} is full: free some space and it goes on."
            case _ if isinstance(error, BROKEN):
                return f"PostgreSQL at {self.shown} does not answer: see that it runs; then it goes on."
        return f"{self.shown} cannot be used now ({type(error).__name__}): look at the server's log."


async def _end_others(connection: Any, name: str) -> None:
    """End whatever else of that name is connected; raises `TimeoutError` where it does not end."""
    query = """
        SELECT coalesce(bool_and(pg_terminate_backend(pid, 2000)), true) FROM pg_stat_activity
        WHERE application_name = $1 AND pid <> pg_backend_pid()
        """
    if not await connection.fetchval(query, name):
        raise TimeoutError("the connection before this one does not end")


@attrs.frozen
class Identity:
    """Which tables a store writes to: those of another database, or made anew, are others, whatever they are called."""

    cluster: int
    database: int
    table: int | None


async def identity(connection: Any) -> Identity:
    """Return which tables a connection writes to."""
    row = await connection.fetchrow(
        "SELECT (SELECT system_identifier FROM pg_control_system()) AS cluster,"
        " (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,"
        " to_regclass('lilygames.entry')::oid AS table"
    )
    return Identity(row["cluster"], row["database"], row["table"])


async def prepare(server: Server, *, unsafe: bool) -> Identity:
    """Make or bring up to date the tables, on a server that keeps what it has acknowledged, and return which they are.

    Raises `StoreUnavailable` for a server that does not, unless `unsafe`, and for tables of a newer lilygames.
    """
    with server.in_words():
        connection = await server.connect()
        try:
            await _examine(connection, server, unsafe=unsafe)
            async with connection.transaction():
                await _migrate(connection, server)
            return await identity(connection)
        finally:
            await connection.close(timeout=COMMAND)


async def examine(server: Server, *, unsafe: bool) -> None:
    """Raise `StoreUnavailable` for a server that `prepare` would refuse; nothing is changed."""
    with server.in_words():
        connection = await server.connect()
        try:
            await _examine(connection, server, unsafe=unsafe)
            if await connection.fetchval("SELECT to_regclass('lilygames.version') IS NOT NULL"):
                _must_not_be_newer(await connection.fetchval("SELECT number FROM version") or 0, server)
        finally:
            await connection.close(timeout=COMMAND)


async def _examine(connection: Any, server: Server, *, unsafe: bool) -> None:
    version = int(await connection.fetchval("SHOW server_version_num"))
    if version < OLDEST:
        raise StoreUnavailable(f"PostgreSQL at {server.shown} is too old: install {OLDEST // 10_000} or a newer one.")
    if await connection.fetchval("SHOW server_encoding") != "UTF8":
        raise StoreUnavailable(
            f"The database {server.shown} is not in UTF-8: make it with createdb -E UTF8 -T template0."
        )
    weak = [name for name in _NEEDED if await connection.fetchval(f"SHOW {name}") == "off"]
    if weak and not unsafe:
        raise StoreUnavailable(
            f"PostgreSQL at {server.shown} may lose moves that it has acknowledged ({weak[0]} is off):"
            " turn it on, or allow it by the setting unsafe."
        )


async def _migrate(connection: Any, server: Server) -> None:
    """Lead the tables to the version of this program; several nodes that start at once take turns."""
    await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
    await connection.execute("CREATE SCHEMA IF NOT EXISTS lilygames")
    await connection.execute("CREATE TABLE IF NOT EXISTS version (number int NOT NULL)")
    found = await connection.fetchval("SELECT number FROM version") or 0
    _must_not_be_newer(found, server)
    for script in MIGRATIONS[found:]:
        await connection.execute(script)
    await connection.execute("DELETE FROM version")
    await connection.execute("INSERT INTO version VALUES ($1)", len(MIGRATIONS))


def _must_not_be_newer(version: int, server: Server) -> None:
    if version > len(MIGRATIONS):
        raise StoreUnavailable(f"{server.shown} was written by a newer lilygames: update this server, or name another.")


class Outage:
    """Whether the server is away, for how long, and why."""

    why: BaseException

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._since: float | None = None

    def begins(self, why: BaseException) -> None:
        """Note that it does not answer."""
        self.why = why
        self._since = self._since or time.monotonic()

    def ends(self) -> None:
        """Note that it answers."""
        self._since = None

    @property
    def lasts(self) -> bool:
        """Whether it has been away for longer than anybody is to wait."""
        return self._since is not None and time.monotonic() - self._since > self._patience

    async def pause(self) -> None:
        """Wait a little before the next try."""
        await asyncio.sleep(min(0.2, self._patience / 4))


def written(text: str) -> str:
    """Return a text as PostgreSQL can keep it, which has no zero byte; the order of texts stays."""
    return text.replace("\1", "\1b").replace("\0", "\1a") if "\0" in text or "\1" in text else text


def named(text: str) -> str:
    """Return a name to ask for as it is written; raises `ValueError` for half a surrogate pair."""
    text.encode()
    return written(text)


def as_it_was(text: str) -> str:
    """Return what `written` was given."""
    return text.replace("\1a", "\0").replace("\1b", "\1") if "\1" in text else text
