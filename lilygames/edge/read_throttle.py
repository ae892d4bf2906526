"""What has arrived on one connection and waits: read a little in each turn of the loop, no faster than granted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lilygames.edge.fair_queue import fair_queue
from lilygames.edge.limits import Allowance

AT_ONCE = 2
"""Seconds' worth of bytes that may come at once."""

SLICE = 1024
"""Bytes read at a time. So many are read as they come, however much others send: nobody types more in one go."""


class ReadThrottle:
    """Feeds `read` in slices, unless `full` says that there is no room; stops `transport` while anything is held.

    Where `shared` is given, the bytes are those that an address shares as well.
    """

    __slots__ = (
        "_flow",
        "_full",
        "_last",
        "_loop",
        "_next",
        "_over",
        "_queue",
        "_read",
        "_transport",
        "_waits",
        "held",
    )

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
        self._queue = fair_queue()
        self._next: asyncio.Handle | None = None
        self._waits = False
        self._last = float("-inf")
        self._over: Callable[[], None] | None = None

    def take(self, data: bytes = b"") -> None:
        """Take what has come, and go on with what was held back; what is little is read at once."""
        now = self._loop.time()
        if data and self._may_read_at_once(data, now):
            self._flow.take(now, len(data))
            self._read(data)
            if self._may_read(now):
                return
        else:
            self.held += data
        if self._next is None and not self._waits:
            if self._queue.free():
                self._work()
            else:
                self._go_on()

    def _may_read_at_once(self, data: bytes, now: float) -> bool:
        """Whether nothing waits here that comes first, and there is time for so much."""
        if self.held or self._waits or self._next is not None or not self._may_read(now):
            return False
        return len(data) <= SLICE

    def _may_read(self, now: float) -> bool:
        """Whether there is room, nothing is owed, and somebody is there."""
        return not (self._full() or self._flow.owed(now) or self._transport.is_closing())

    def end(self, over: Callable[[], None]) -> None:
        """Take note that nothing more comes; `over` is told once all that is held has been read."""
        self._over = over
        self.take()

    def stop(self) -> None:
        """Let go of the clock and of whoever reads: the connection is gone, and nothing more is read."""
        if self._next is not None:
            self._next.cancel()
        self._full, self._read, self._over = _no_room, _nothing, None

    def _work(self) -> None:
        """Read one slice, if it may be, and see to the next."""
        self._waits = False
        now = self._loop.time()
        if self.held and self._may_read(now):
            self._last = now
            piece = bytes(self.held[:SLICE])
            del self.held[:SLICE]
            self._flow.take(now, len(piece))
            self._read(piece)
        self._go_on()

    def _go_on(self) -> None:
        """Wait for the turn of what is held, or for what is owed; let more come once there is neither."""
        self._next = None
        if self._transport.is_closing():
            self.held.clear()
        elif self._full():
            self._transport.pause_reading()
        elif owed := self._flow.owed(self._loop.time()):
            self._transport.pause_reading()
            self._next = self._loop.call_later(owed, self._go_on)
        elif self.held:
            self._transport.pause_reading()
            self._waits = True
            self._queue.post(self._work, self._last)
        else:
            self._transport.resume_reading()
        if self._over and not self.held:
            over, self._over = self._over, None
            over()


def _no_room() -> bool:
    """Say that nothing more may be read."""
    return True


def _nothing(_: bytes) -> None:
    """Read no bytes."""
