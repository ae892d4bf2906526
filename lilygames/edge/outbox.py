"""What waits to go out to one reader: one write in each turn of the event loop, and never a wait for a slow one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lilygames.text import Kind

SOFT = 64 * 1024
"""Bytes waiting beyond which talk is skipped."""

HARD = 1024 * 1024
"""Bytes waiting beyond which the connection is given up."""

PATIENCE = 60.0
"""Seconds without a byte taken after which it is given up as well."""

_CHATTER: tuple[Kind, ...] = ("talk", "notice")


class Outbox:
    """Gathers the bytes of a loop turn for `transport`; tells `skipped` how many lines a slow reader missed.

    Once a line is skipped all chatter is, until the reader has caught up: so the count stands where the gap is.
    """

    __slots__ = (
        "_closing",
        "_loop",
        "_missed",
        "_pending",
        "_size",
        "_skipped",
        "_taken",
        "_transport",
        "_watch",
        "_written",
    )

    def __init__(self, transport: asyncio.Transport, skipped: Callable[[int], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._skipped = skipped
        self._pending: list[bytes] = []
        self._size = 0
        self._missed = 0
        self._written = 0
        self._taken = 0
        self._closing = False
        self._watch: asyncio.TimerHandle | None = None
        transport.set_write_buffer_limits(high=SOFT)

    def put(self, data: bytes, kind: Kind = "answer") -> None:
        """Queue bytes for this turn's write; chatter is left out while the reader is behind."""
        if self._closing or (kind in _CHATTER and self._behind()):
            return
        if not self._pending:
            self._loop.call_soon(self.flush)
        self._pending.append(data)
        self._size += len(data)
        if self._size > SOFT:
            self.flush()

    def _behind(self) -> bool:
        if not self._missed and self._transport.get_write_buffer_size() <= SOFT:
            return False
        self._missed += 1
        return True

    def flush(self) -> None:
        """Write what is queued, in one piece; gives up a reader who has too much waiting."""
        if not self._pending:
            return
        data = b"".join(self._pending)
        self._pending.clear()
        self._size = 0
        if self._transport.is_closing():  # one with TLS cannot even say how much waits in it
            return
        self._transport.write(data)
        self._written += len(data)
        waiting = self._transport.get_write_buffer_size()
        if waiting > HARD:
            self.abort()
        elif waiting and self._watch is None:
            self._watch_progress()

    def _watch_progress(self) -> None:
        """Give the reader up if it has taken nothing since the last look, or look again later."""
        waiting = self._transport.get_write_buffer_size()
        taken = self._written - waiting
        if self._watch is not None and waiting and taken == self._taken:
            self.abort()
            return
        self._taken = taken
        self._watch = self._loop.call_later(PATIENCE, self._watch_progress) if waiting else None

    def relieved(self) -> None:
        """Take note that the reader has caught up, and say what it missed."""
        if missed := self._missed:
            self._missed = 0
            self._skipped(missed)

    def close(self) -> None:
        """Send what is queued, then close; nothing can be put any more."""
        if not self._closing:
            self.flush()
            self._closing = True
            self._transport.close()

    def abort(self) -> None:
        """Close at once and forget what was queued."""
        self._closing = True
        self._pending.clear()
        self._transport.abort()
        self.stop()

    def stop(self) -> None:
        """Let go of the clock: the connection is gone."""
        self._closing = True
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
