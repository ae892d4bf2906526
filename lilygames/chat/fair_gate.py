"""A turnstile before what costs much: a few pass at once, and those who wait take turns by where they come from.

So whoever asks for very much waits for themselves, and all others for one of their wishes at most.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairGate:
    """Lets so many pass at once. Those who wait pass in turn by their origin, and of one origin in their order."""

    def __init__(self, together: int) -> None:
        self._free = together
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def passage(self, origin: str) -> AsyncIterator[None]:
        """Wait for one's turn, and let the next one pass at the end."""
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
            if not turn.cancelled():  # it had come already
                self._next()
            raise

    def _next(self) -> None:
        """Let the first of the origin pass that has waited longest for its turn; the rest of it waits for another."""
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
