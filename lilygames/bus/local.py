"""The bus of nodes that share one process: queues."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator

from lilygames.bus import Reconnected

LONGEST = 10_000
"""Hints that wait for one slow subscriber at most; older ones are lost then, and it is told."""


class LocalBus:
    """A bus without a wire."""

    def __init__(self) -> None:
        self._queues: defaultdict[str, set[asyncio.Queue[bytes | Reconnected | None]]] = defaultdict(set)
        self._closed = False

    async def publish(self, topic: str, hint: bytes) -> None:
        """Put a hint into the queue of each who has subscribed."""
        for queue in () if self._closed else self._queues[topic]:
            if queue.qsize() >= LONGEST:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(Reconnected())
            queue.put_nowait(hint)

    def subscribe(self, topic: str) -> AsyncIterator[bytes | Reconnected]:
        """Yield the hints of a topic from now on."""
        queue: asyncio.Queue[bytes | Reconnected | None] = asyncio.Queue()
        self._queues[topic].add(queue)
        return self._hints(topic, queue)

    async def _hints(
        self, topic: str, queue: asyncio.Queue[bytes | Reconnected | None]
    ) -> AsyncIterator[bytes | Reconnected]:
        try:
            while (hint := await queue.get()) is not None:
                yield hint
        finally:
            self._queues[topic].discard(queue)

    async def close(self) -> None:
        """End every subscription."""
        self._closed = True
        for queue in [queue for queues in self._queues.values() for queue in queues]:
            queue.put_nowait(None)
