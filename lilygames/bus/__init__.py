"""Notifications between nodes about what has changed: at most once, in any order, and the bus may be down.

Nothing that must survive is sent over the bus. Subscribers check the store from time to time anyway, and at once after
`Reconnected`. So a lost hint costs a moment, never a move.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Protocol

import attrs

WAITING = 1000
"""Hints queued for one subscriber. If there are more, they are dropped and it gets `Reconnected`."""


@attrs.frozen
class Reconnected:
    """Earlier hints may have been lost: check the store now."""


class Subscription:
    """The hints of one topic; the first is a `Reconnected`. It ends when it or the bus is closed."""

    def __init__(self, let_go: Callable[[Subscription], None]) -> None:
        self._let_go = let_go
        self._waiting: deque[bytes | Reconnected] = deque()
        self._something = asyncio.Event()
        self._closed = False

    def put(self, hint: bytes | Reconnected) -> None:
        """Queue a hint for the subscriber."""
        if len(self._waiting) >= WAITING:
            self._waiting.clear()  # checking the store covers all of them
            hint = Reconnected()
        self._waiting.append(hint)
        self._something.set()

    def close(self) -> None:
        """Stop the subscription, and wake a waiting subscriber."""
        if not self._closed:
            self._closed = True
            self._something.set()
            self._let_go(self)

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> bytes | Reconnected:
        while not self._waiting:
            if self._closed:
                raise StopAsyncIteration
            self._something.clear()
            await self._something.wait()
        return self._waiting.popleft()


class Subscriptions:
    """The subscriptions of one process, by topic."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._by_topic: defaultdict[str, dict[Subscription, None]] = defaultdict(dict)
        self._changed = changed
        """Called when a topic gets its first subscriber or loses its last one."""

    def add(self, topic: str) -> Subscription:
        """Return a new subscription to a topic. It is removed when it is closed."""
        new = Subscription(lambda gone: self._leave(topic, gone))
        first = topic not in self._by_topic
        self._by_topic[topic][new] = None
        if first:
            self._changed()
        return new

    def _leave(self, topic: str, gone: Subscription) -> None:
        self._by_topic[topic].pop(gone, None)
        if not self._by_topic[topic]:
            del self._by_topic[topic]
            self._changed()

    @property
    def topics(self) -> frozenset[str]:
        """The topics that have subscribers."""
        return frozenset(self._by_topic)

    def deliver(self, topic: str, hint: bytes | Reconnected) -> None:
        """Queue a hint for all subscribers of a topic."""
        for each in tuple(self._by_topic.get(topic, ())):
            each.put(hint)

    def reconnected(self) -> None:
        """Tell all subscribers that hints may have been lost."""
        for topic in tuple(self._by_topic):
            self.deliver(topic, Reconnected())

    def close(self) -> None:
        """End all subscriptions."""
        for each in [each for those in self._by_topic.values() for each in those]:
            each.close()


class Bus(Protocol):
    """A way to send hints: inside this process, by PostgreSQL's NOTIFY, or by NATS."""

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic, on any node.

        Never raises, and doesn't wait for the server: a hint that can't be sent is lost.
        """

    def subscribe(self, topic: str) -> Subscription:
        """Subscribe to a topic: `async for hint in bus.subscribe(topic)` yields bytes or `Reconnected`."""

    async def close(self) -> None:
        """End all subscriptions and disconnect."""
