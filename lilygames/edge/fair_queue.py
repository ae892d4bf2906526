"""What connections ask for, a little in each turn of the event loop, so that nobody waits for a crowd.

Without it every connection could have its own small part of one turn, and a crowd of them made that turn long.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import thread_time
from weakref import WeakKeyDictionary

SLICE = 0.001
"""Seconds of the processor that such work takes in one turn of the event loop, before the rest of it waits."""
LATELY = 0.5
"""Seconds in which who has had a turn stands behind those who have not: who types now and then waits for no flood."""


class FairQueue:
    """Those who wait for a turn, in the order in which they came; each connection waits for one thing at a time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._first: deque[Callable[[], object]] = deque()
        self._rest: deque[Callable[[], object]] = deque()
        self._begun: float | None = None
        self._releases = False

    def free(self) -> bool:
        """Whether there is time left in this turn of the loop, and nobody waits for it."""
        if self._begun is None:
            self._begin()
            return True
        return not (self._first or self._rest) and thread_time() - self._begun < SLICE

    def post(self, work: Callable[[], object], last: float = float("-inf")) -> None:
        """Have something done when it is its turn; `last` is when the one who asks had a turn before."""
        lately = self._loop.time() - last < LATELY
        (self._rest if lately else self._first).append(work)
        if self._begun is None:
            self._begin()

    async def turn(self, last: float) -> None:
        """Wait for a turn in which a task may go on."""
        turn: asyncio.Future[None] = self._loop.create_future()
        self.post(lambda: self._release(turn), last)
        await turn

    def _release(self, turn: asyncio.Future[None]) -> None:
        if not turn.done():
            turn.set_result(None)
            self._releases = True

    def _begin(self) -> None:
        self._begun = thread_time()
        self._loop.call_soon(self._over)

    def _over(self) -> None:
        """Begin the next turn: do what waits for as long as that may take, up to one task that goes on by itself."""
        if not (self._first or self._rest):
            self._begun = None
            return
        self._begun, self._releases = thread_time(), False
        try:
            while (queue := self._first or self._rest) and not self._releases and thread_time() - self._begun < SLICE:
                queue.popleft()()
        finally:
            self._begin()  # behind the task that goes on


_QUEUES: WeakKeyDictionary[asyncio.AbstractEventLoop, FairQueue] = WeakKeyDictionary()


def fair_queue() -> FairQueue:
    """Return the queue of the running event loop."""
    return _QUEUES.setdefault(asyncio.get_running_loop(), FairQueue())
