"""What has arrived on one connection and waits to be read: taken as fast as is granted, and while there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lilygames.edge.limits import Allowance

AT_ONCE = 4
"""Seconds' worth of bytes that may come at once."""

_SLICE = 4096


class Intake:
    """Feeds `read` in slices, unless `full` says that there is no room; stops `transport` where neither may be."""

    __slots__ = ("_flow", "_full", "_loop", "_pause", "_read", "_transport", "held")

    def __init__(
        self,
        transport: asyncio.Transport,
        bytes_per_second: float,
        read: Callable[[bytes], None],
        full: Callable[[], bool],
    ) -> None:
        self.held = bytearray()
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._flow = Allowance(bytes_per_second, bytes_per_second * AT_ONCE)
        self._read = read
        self._full = full
        self._pause: asyncio.TimerHandle | None = None

    def take(self, data: bytes = b"") -> None:
        """Take what has come, and what was held back; see to it that no more comes than may."""
        self.held += data
        now = self._loop.time()
        while self.held and not (self._full() or self._flow.owed(now) or self._transport.is_closing()):
            piece = bytes(self.held[:_SLICE])
            del self.held[:_SLICE]
            self._flow.take(now, len(piece))
            self._read(piece)
        if not self._transport.is_closing():
            self._stop_or_go_on(self._flow.owed(now))

    def _stop_or_go_on(self, owed: float) -> None:
        if owed and self._pause is None:
            self._pause = self._loop.call_later(owed, self._go_on)
        if owed or self._full():
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _go_on(self) -> None:
        self._pause = None
        self.take()

    def stop(self) -> None:
        """Let go of the clock: the connection is gone."""
        if self._pause is not None:
            self._pause.cancel()
