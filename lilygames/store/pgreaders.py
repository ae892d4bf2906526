"""The connections of a node that read from PostgreSQL.

asyncpg's pool would do the same, but it takes 60 us of the node's CPU for each query, a third of a short one: it makes
a task and a stand-in for the connection. To remove this module, use `asyncpg.create_pool(min_size=0, max_size=most)`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from lilygames.store.pgserver import COMMAND


class Readers:
    """Up to `most` connections, each opened when all others are busy. `connect` opens one."""

    def __init__(self, connect: Callable[[], Awaitable[Any]], most: int) -> None:
        self._connect = connect
        self._most = most
        self._turn = asyncio.Semaphore(most)
        self._open: set[Any] = set()
        self._idle: list[Any] = []

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Any]:
        """Yield a connection. Raises `TimeoutError` if all are busy for long, and what `connect` raises.

        A connection is used again only if its last query was answered.
        """
        if self._turn.locked():
            await asyncio.wait_for(self._turn.acquire(), COMMAND)
        else:
            await self._turn.acquire()
        try:
            connection, answered = await self._next(), False
            try:
                yield connection
                answered = True
            except asyncpg.PostgresError:
                answered = True
                raise
            finally:
                self._take_back(connection, answered=answered)
        finally:
            self._turn.release()

    async def _next(self) -> Any:
        while self._idle:
            if not (connection := self._idle.pop()).is_closed():
                return connection
            self._open.discard(connection)
        connection = await self._connect()
        self._open.add(connection)
        return connection

    def _take_back(self, connection: Any, *, answered: bool) -> None:
        if answered and connection in self._open:
            self._idle.append(connection)
        else:
            connection.terminate()
            self._open.discard(connection)

    def expire(self) -> None:
        """Use none of the connections again: one has shown that the server was away."""
        for connection in self._idle:
            connection.terminate()
        self._idle.clear()
        self._open.clear()

    async def close(self) -> None:
        """Wait for all queries, and disconnect. Gives up after some seconds."""
        try:
            async with asyncio.timeout(COMMAND):
                for _ in range(self._most):
                    await self._turn.acquire()
                for connection in self._idle:
                    await connection.close()
        except TimeoutError:
            for connection in self._open:
                connection.terminate()
