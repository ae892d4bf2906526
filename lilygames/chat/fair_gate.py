"""A semaphore whose waiters take turns by origin.

Someone with many requests only delays their own: everyone else waits for at most one of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairGate:
    """Lets a fixed number of tasks run at once. Waiters take turns by origin, in order within each origin."""

    def __init__(self, together: int) -> None:
        self._free = together
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def passage(self, origin: str) -> AsyncIterator[None]:
        """Wait for a turn, and wake the next waiter at the end."""
        if self._free:
            self._free -= 1
        else:
            await self._turn(origin)
        try:
            yield
        finally:
            self._next()

    async def _turn(self, origin: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(origin, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had already come
                self._next()
            raise

    def _next(self) -> None:
        """Wake the first waiter of the origin that has waited longest; its other waiters go to the back."""
        while self._waiting:
            origin = next(iter(self._waiting))
            queue = self._waiting.pop(origin)
            turn = queue.popleft()
            if queue:
                self._waiting[origin] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
