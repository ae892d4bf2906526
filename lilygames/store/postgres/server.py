"""PostgreSQL connections with time limits, the identity of a database, and errors as sentences."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import attrs

from lilygames.store import Damaged, Replaced, StoreUnavailable
from lilygames.store.addresses import without_password
from lilygames.store.postgres.tables import FIRST, migrate, must_be_readable

COMMAND = 5.0
"""Seconds for one query; after that the connection counts as broken."""
CONNECT = 2.0
"""Seconds to connect."""
HANGING = 30.0
"""Seconds for the writer to connect while an outage lasts and the server's machine accepts connections.

Then the server hangs, and later has to serve each connection that was given up before it serves one that waits. After
150 seconds with a limit of 2, that took so long that the new ones were given up, too.
"""
WRITER = "lilygames writer"
"""Application name of the connection that writes, followed by the node's name."""
OLDEST = 140_000
"""The oldest supported PostgreSQL, as a `server_version_num`."""
_DAMAGE = (
    asyncpg.exceptions.DataCorruptedError,
    asyncpg.exceptions.IndexCorruptedError,
    asyncpg.exceptions.InternalServerError,  # the length or another part of a row is nonsense
    asyncpg.exceptions.UndefinedFileError,  # a row names a transaction that never was
)
"""Errors of the server when it reads what is damaged on its disk."""
_NEEDED = ("fsync", "full_page_writes", "synchronous_commit")
_SETTINGS = {
    "search_path": "lilygames",
    "enable_seqscan": "off",  # use the indexes even before the tables have statistics
    "enable_bitmapscan": "off",  # a plain index scan begins faster, and we read few rows
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",  # planning each time costs more than the query
    "statement_timeout": "10000",
    "tcp_keepalives_idle": "10",  # the server drops a node that has lost power
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
BROKEN = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,  # shutting down, starting, or a cancelled query
    asyncpg.exceptions.ReadOnlySQLTransactionError,  # another server is the primary now
    asyncpg.exceptions.TooManyConnectionsError,
)
"""Errors after which a connection is broken and the result of its query unknown."""


@attrs.frozen
class Server:
    """The server's address, and the application name of this store's writer."""

    url: str = attrs.field(repr=False)
    name: str

    @property
    def shown(self) -> str:
        """The address without the password."""
        return without_password(self.url)

    async def connect(self, name: str = "lilygames", seconds: float = 0.0) -> Any:
        """Connect with this application name. `seconds` of 0 stand for `CONNECT`.

        Raises one of `BROKEN`, or a `PostgresError`.
        """
        return await asyncpg.connect(self.url, **self.options(name, seconds))

    def options(self, name: str = "lilygames", seconds: float = 0.0) -> dict[str, Any]:
        """Return the arguments for a connection to the primary, with time limits."""
        return {
            "timeout": seconds or CONNECT,
            "command_timeout": COMMAND,
            "target_session_attrs": "read-write",
            "server_settings": _SETTINGS | {"application_name": name},
        }

    async def connect_writer(self, *, again: bool = False) -> Any:
        """Return this store's only writing connection, after ending the one before it; `again` in an outage that lasts.

        So a query of the earlier connection has either been carried out or never will be.
        """
        hangs = again and await self._accepts()
        connection = await self.connect(self.name, HANGING if hangs else CONNECT)
        try:
            await _end_others(connection, self.name)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _accepts(self) -> bool:
        """Return whether the server's machine accepts connections. Raises `OSError` if it doesn't.

        For a local socket, or several servers, that isn't known: False.
        """
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname, parts.port or 5432
        except ValueError:
            return False
        if not host:
            return False
        async with asyncio.timeout(CONNECT):
            _, writer = await asyncio.open_connection(host, port)
        writer.close()
        return True

    @property
    def replaced(self) -> Replaced:
        """The error for a database that was replaced while it was open."""
        return Replaced(
            f"{self.shown} isn't the same database as before, or its tables were created again, so nothing"
            " is saved. Restore the old one, or restart every node to use this one."
        )

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Turn errors of the server and the driver into sentences for the sysop."""
        try:
            yield
        except (asyncpg.PostgresError, *BROKEN) as error:
            raise self.trouble(error) from error

    def trouble(self, error: BaseException) -> StoreUnavailable:
        """Return the error as a `StoreUnavailable` that says what to do."""
        if isinstance(error, _DAMAGE):
            return Damaged(f"Data of {self.shown} is damaged: see PostgreSQL's log, and restore a backup.")
        return error if isinstance(error, StoreUnavailable) else StoreUnavailable(self._sentence(error))

    def _sentence(self, error: BaseException) -> str:
        """Return a sentence for an error, with its name only: its message may quote what people wrote."""
        match error:
            case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
                return f"PostgreSQL at {self.shown} rejected the login: check the user name and password."
            case asyncpg.InvalidCatalogNameError():
                return f"There is no database {self.shown}: create it with createdb."
            case asyncpg.InsufficientPrivilegeError():
                return f"The user can't write to {self.shown}: make it the owner of the database."
            case asyncpg.DiskFullError():
                return f"The disk of {self.shown} is full: free some space, and the server continues."
            case _ if isinstance(error, BROKEN):
                return f"PostgreSQL at {self.shown} doesn't answer: check that it runs. lilygames keeps trying."
        return f"Can't use {self.shown} now ({type(error).__name__}): check PostgreSQL's log."


async def _end_others(connection: Any, name: str) -> None:
    """End the other connections of that name. Raises `TimeoutError` if one doesn't end."""
    query = """
        SELECT coalesce(bool_and(pg_terminate_backend(pid, 2000)), true) FROM pg_stat_activity
        WHERE application_name = $1 AND pid <> pg_backend_pid()
        """
    if not await connection.fetchval(query, name):
        raise TimeoutError("the earlier connection doesn't end")


@attrs.frozen
class Identity:
    """Identity of the tables a store writes to. A new database, or new tables with the same name, differ."""

    cluster: int
    database: int
    table: int | None


async def identity(connection: Any) -> Identity:
    """Return the identity of a connection's tables."""
    row = await connection.fetchrow(
        "SELECT (SELECT system_identifier FROM pg_control_system()) AS cluster,"
        " (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,"
        " to_regclass('lilygames.record')::oid AS table"  # other tables are replaced by newer ones
    )
    return Identity(row["cluster"], row["database"], row["table"])


async def prepare(server: Server, *, unsafe: bool) -> Identity:
    """Create the tables if there are none, and return their identity.

    Raises `StoreUnavailable` for tables of a newer lilygames or of one before release 0.2, and for a server that may
    lose what it acknowledged unless `unsafe` allows that.
    """
    with server.in_words():
        connection = await server.connect()
        try:
            await _examine(connection, server, unsafe=unsafe)
            async with connection.transaction():
                await migrate(connection, server.shown)
            return await identity(connection)
        finally:
            await connection.close(timeout=COMMAND)


async def examine(server: Server, *, unsafe: bool) -> None:
    """Raise `StoreUnavailable` for a server that `prepare` would refuse. Changes nothing."""
    with server.in_words():
        connection = await server.connect()
        try:
            await _examine(connection, server, unsafe=unsafe)
            if await connection.fetchval("SELECT to_regclass('lilygames.version') IS NOT NULL"):
                must_be_readable(await connection.fetchval("SELECT number FROM version") or FIRST, server.shown)
        finally:
            await connection.close(timeout=COMMAND)


async def _examine(connection: Any, server: Server, *, unsafe: bool) -> None:
    version = int(await connection.fetchval("SHOW server_version_num"))
    if version < OLDEST:
        raise StoreUnavailable(f"PostgreSQL at {server.shown} is too old: install version {OLDEST // 10_000} or newer.")
    if await connection.fetchval("SHOW server_encoding") != "UTF8":
        raise StoreUnavailable(
            f"The database {server.shown} isn't in UTF-8: create it with createdb -E UTF8 -T template0."
        )
    weak = [name for name in _NEEDED if await connection.fetchval(f"SHOW {name}") == "off"]
    if weak and not unsafe:
        raise StoreUnavailable(
            f"PostgreSQL at {server.shown} may lose moves that it has acknowledged ({weak[0]} is off):"
            " turn that on, or allow it with the setting unsafe."
        )


class Outage:
    """An outage of the server: since when, and why."""

    why: BaseException

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._since: float | None = None

    def begins(self, why: BaseException) -> None:
        """Record that the server doesn't answer."""
        self.why = why
        self._since = self._since or time.monotonic()

    def ends(self) -> None:
        """Record that the server answers."""
        self._since = None

    @property
    def lasts(self) -> bool:
        """Whether the outage has lasted longer than callers should wait."""
        return self._since is not None and time.monotonic() - self._since > self._patience

    async def pause(self) -> None:
        """Wait a little before the next try."""
        await asyncio.sleep(min(0.2, self._patience / 4))


def written(text: str) -> str:
    """Encode text for PostgreSQL, which can't store zero bytes. The sort order stays the same."""
    return text.replace("\1", "\1b").replace("\0", "\1a") if "\0" in text or "\1" in text else text


def named(text: str) -> str:
    """Encode a name for a query. Raises `ValueError` for an unpaired surrogate."""
    text.encode()
    return written(text)


@asynccontextmanager
async def any_text(connection: Any) -> AsyncIterator[None]:
    """Read text that isn't UTF-8 as text that isn't JSON either, so one damaged row doesn't affect others."""
    await connection.set_type_codec("text", schema="pg_catalog", encoder=str.encode, decoder=_text, format="binary")
    try:
        yield
    finally:
        await connection.reset_type_codec("text", schema="pg_catalog")


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return f"\ufffd{raw.decode('utf-8', 'replace')}"


def as_it_was(text: str) -> str:
    """Decode text that `written` encoded."""
    return text.replace("\1a", "\0").replace("\1b", "\1") if "\1" in text else text
