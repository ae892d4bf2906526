"""What has arrived on one connection and waits: read a little in each turn of the loop, no faster than granted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lilygames.edge.limits import Allowance

AT_ONCE = 2
"""Seconds' worth of bytes that may come at once."""

SLICE = 1024
"""Bytes read in one turn of the loop, so that nobody waits for what another one sends: some milliseconds at worst."""


class Intake:
    """Feeds `read` in slices, unless `full` says that there is no room; stops `transport` while anything is held.

    Where `shared` is given, the bytes are those that an address shares as well.
    """

    __slots__ = ("_flow", "_full", "_loop", "_next", "_over", "_read", "_transport", "held")

    def __init__(
        self,
        transport: asyncio.Transport,
        bytes_per_second: float,
        read: Callable[[bytes], None],
        full: Callable[[], bool],
        shared: Allowance | None = None,
    ) -> None:
        self.held = bytearray()
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._flow = Allowance(bytes_per_second, bytes_per_second * AT_ONCE, shared)
        self._read = read
        self._full = full
        self._next: asyncio.Handle | None = None
        self._over: Callable[[], None] | None = None

    def take(self, data: bytes = b"") -> None:
        """Take what has come, and go on with what was held back; what is little is read at once."""
        now = self._loop.time()
        if data and not self.held and self._next is None and len(data) <= SLICE and self._may_read(now):
            self._flow.take(now, len(data))
            self._read(data)
            if self._may_read(now):
                return
        else:
            self.held += data
        if self._next is None:
            self._work()

    def _may_read(self, now: float) -> bool:
        """Whether there is room, nothing is owed, and somebody is there."""
        return not (self._full() or self._flow.owed(now) or self._transport.is_closing())

    def end(self, over: Callable[[], None]) -> None:
        """Take note that nothing more comes; `over` is told once all that is held has been read."""
        self._over = over
        self.take()

    def stop(self) -> None:
        """Let go of the clock: the connection is gone."""
        if self._next is not None:
            self._next.cancel()

    def _work(self) -> None:
        """Read one slice, if it may be, and see to the next; let more come once nothing is held."""
        self._next = None
        now = self._loop.time()
        if self.held and self._may_read(now):
            piece = bytes(self.held[:SLICE])
            del self.held[:SLICE]
            self._flow.take(now, len(piece))
            self._read(piece)
        if self._transport.is_closing():
            self.held.clear()
        elif self._full():
            self._transport.pause_reading()
        elif self.held or self._flow.owed(now):
            self._transport.pause_reading()
            self._next = self._loop.call_later(self._flow.owed(now), self._work)
        else:
            self._transport.resume_reading()
        if self._over and not self.held:
            over, self._over = self._over, None
            over()
