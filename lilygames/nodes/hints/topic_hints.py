"""Hints by topic: each table and each room has a topic, so no node hears of those that nobody there needs."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from typing import Generic, TypeVar

from lilygames.bus import Bus, Reconnected, Subscription

K = TypeVar("K", bound=Hashable)


class TopicHints(Generic[K]):
    """A stream of hints about some things, each a thing's key and its hint.

    `Reconnected` says that earlier hints may have been lost. Those about tables, by number, implement
    `lilygames.tables.open.open_tables.Followed`.
    """

    def __init__(self, bus: Bus, kind: str) -> None:
        self._bus = bus
        self._kind = kind
        self._subscriptions: dict[K, Subscription] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard: asyncio.Queue[tuple[K, bytes | Reconnected]] = asyncio.Queue()

    def topic(self, key: K) -> str:
        """Return the topic of a thing."""
        return f"{self._kind}/{key}"

    def opened(self, key: K) -> None:
        """Hear of a thing from now on."""
        if key not in self._subscriptions:
            hints = self._subscriptions[key] = self._bus.subscribe(self.topic(key))
            task = asyncio.get_running_loop().create_task(self._pass_on(key, hints))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def dropped(self, key: K) -> None:
        """Hear of a thing no more."""
        if hints := self._subscriptions.pop(key, None):
            hints.close()

    async def _pass_on(self, key: K, hints: Subscription) -> None:
        async for hint in hints:
            self._heard.put_nowait((key, hint))

    def __aiter__(self) -> TopicHints[K]:
        return self

    async def __anext__(self) -> tuple[K, bytes | Reconnected]:
        return await self._heard.get()
