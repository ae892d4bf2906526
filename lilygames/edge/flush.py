"""What one turn of the event loop has to send: everything that goes to one reader in one write, at its end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import thread_time
from typing import Protocol
from weakref import WeakKeyDictionary


class Sends(Protocol):
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


class Turn:
    """Those who have something to send when the turn is over, or in a moment, each once."""

    def __init__(self) -> None:
        self._due: dict[Sends, None] = {}
        self._waiting: dict[Sends, None] = {}
        self.number = 0
        """How many turns have ended."""
        self.moment = 0
        """How many moments have."""
        self._rested = 0.0
        self._gathers = MOMENT
        self._tells_news = False

    def add(self, senders: Iterable[Sends]) -> None:
        """Let all of these send at the end of the turn."""
        if not self._due:
            loop = asyncio.get_running_loop()
            if self._rested <= loop.time():
                loop.call_soon(self.end)
            else:
                loop.call_at(self._rested, self.end)
        self._due |= dict.fromkeys(senders)

    def add_in_a_moment(self, senders: Iterable[Sends]) -> None:
        """Let all of these send in a moment."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(self._gathers, self._over)
        self._waiting |= dict.fromkeys(senders)

    def _over(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self.moment += 1
        self._tells_news = True
        self.add(waiting)

    def end(self) -> None:
        """Let all send, at once; where one fails, the rest have another turn."""
        due, self._due = self._due, {}
        self.number += 1
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
                self.add(due)


_TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, Turn] = WeakKeyDictionary()


def this_turn() -> Turn:
    """Return the turn of the running event loop."""
    return _TURNS.setdefault(asyncio.get_running_loop(), Turn())
