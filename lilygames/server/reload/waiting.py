"""People who wait for the next process, because its store is away: they stay connected and are told why."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress

from lilygames.edge.screens.machine import row_of
from lilygames.edge.wire.connection_state import ConnectionState
from lilygames.text import Line

AWAY = Line("(the server is restarting and can't reach its database: what you type is read when it's back)")


class Waiting:
    """Connections that nobody reads yet. Typed lines stay in their sockets, for the process to read later."""

    def __init__(self, connections: Sequence[tuple[ConnectionState, bool]]) -> None:
        """Each connection comes with whether it is a program's, which reads rows of JSON."""
        self._connections = connections
        self._watched: set[int] = set()
        self._begun = False

    def begin(self) -> None:
        """Tell everyone who types from now on, once, that the store is away."""
        if self._begun:
            return
        self._begun = True
        loop = asyncio.get_running_loop()
        for connection, program in self._connections:
            loop.add_reader(connection.handle, self._typed, connection.handle, program)
            self._watched.add(connection.handle)

    def _typed(self, handle: int, program: bool) -> None:  # noqa: FBT001 - it is what kind of client types
        self._unwatch(handle)
        sentence = row_of(AWAY) if program else f"\r\n{AWAY.text}\r\n".encode()
        with suppress(OSError):
            os.write(handle, sentence)

    def _unwatch(self, handle: int) -> None:
        asyncio.get_running_loop().remove_reader(handle)
        self._watched.discard(handle)

    def end(self) -> None:
        """Tell nobody any more: their lines are read now."""
        for handle in [*self._watched]:
            self._unwatch(handle)
