"""The queue for the workers: jobs that are due earlier go first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class DueQueue:
    """Lets a fixed number of jobs run at once. Of those that wait, the one that is due first is next."""

    def __init__(self, together: int) -> None:
        self._free = together
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def __len__(self) -> int:
        return sum(not turn.done() for _, _, turn in self._waiting)

    @asynccontextmanager
    async def turn(self, due: float) -> AsyncIterator[None]:
        """Wait for a turn, and give it to the next job at the end. `due` is any time that all jobs share."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(due)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, due: float) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (due, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had already come
                self._next()
            raise

    def _next(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
