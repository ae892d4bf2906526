"""One write to each reader in a turn of the event loop, at its end.

In a room of 200 where eight people talk as fast as they can, that makes 12 times the deliveries per second of processor
time, and the rest between two turns another 1.2 times (`scripts/bench --only sat200`). To remove it, let an `Outbox`
write what it is given, and `crowd` call `flush` after each row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import thread_time
from typing import Protocol
from weakref import WeakKeyDictionary


class Flushable(Protocol):
    """What has something to send at the end of a turn."""

    def flush(self) -> None:
        """Send it."""


MOMENT = 0.05
"""Seconds that news may wait for more: when a thousand come at once, all others read of it in a few writes."""
NEWS, LONGEST_MOMENT = 10, 0.5
"""It waits so many times as long as the last news took to send, and so many seconds at most: in a place of thousands
all of whom are told of each who comes, a tenth of the time goes into that."""

BUSY = 0.001
"""Seconds of processor time spent on sending after which the next turn waits for more."""
REST, LONGEST_REST = 3, 0.025
"""It waits so many times as long as it took to send, and so many seconds at most: where many talk at once, a quarter of
the time goes into writes, and nobody feels it."""


class Flusher:
    """Flushes those who have something to send, each once: when the turn is over, or in a moment."""

    def __init__(self) -> None:
        self._due: dict[Flushable, None] = {}
        self._waiting: dict[Flushable, None] = {}
        self.turns = 0
        """How many turns have ended."""
        self.moments = 0
        """How many moments have ended."""
        self._rested = 0.0
        self._gathers = MOMENT
        self._tells_news = False

    def schedule(self, senders: Iterable[Flushable]) -> None:
        """Let all of these send at the end of the turn."""
        if not self._due:
            loop = asyncio.get_running_loop()
            if self._rested <= loop.time():
                loop.call_soon(self.end)
            else:
                loop.call_at(self._rested, self.end)
        self._due |= dict.fromkeys(senders)

    def schedule_news(self, senders: Iterable[Flushable]) -> None:
        """Let all of these send in a moment."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(self._gathers, self._end_moment)
        self._waiting |= dict.fromkeys(senders)

    def _end_moment(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self.moments += 1
        self._tells_news = True
        self.schedule(waiting)

    def end(self) -> None:
        """Let all send, at once; where one fails, the rest have another turn."""
        due, self._due = self._due, {}
        self.turns += 1
        begun = thread_time()
        try:
            while due:
                due.popitem()[0].flush()
        finally:
            took = thread_time() - begun
            rest = min(REST * took, LONGEST_REST) if took > BUSY else 0.0
            self._rested = asyncio.get_running_loop().time() + rest
            if self._tells_news:
                self._tells_news, self._gathers = False, min(max(MOMENT, NEWS * took), LONGEST_MOMENT)
            if due:
                self.schedule(due)


_FLUSHERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Flusher] = WeakKeyDictionary()


def flusher() -> Flusher:
    """Return the flusher of the running event loop."""
    return _FLUSHERS.setdefault(asyncio.get_running_loop(), Flusher())
