"""Hints from node to node of where there is something new: at most once, in any order, and the bus may lie dead.

Nothing that must survive goes over it. Whoever listens looks at the store from time to time in any case, and at once
when told `Reconnected`: so a lost hint costs a moment, never a move.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Protocol

import attrs

WAITING = 1000
"""Hints that wait for one listener at most; with more they are thrown away, and it is told `Reconnected`."""


@attrs.frozen
class Reconnected:
    """From here on hints come in; earlier ones may have been lost, so it is time to look at the store."""


class Subscription:
    """The hints of one topic as they come in, the first a `Reconnected`; ends when it, or its bus, is closed."""

    def __init__(self, let_go: Callable[[Subscription], None]) -> None:
        self._let_go = let_go
        self._waiting: deque[bytes | Reconnected] = deque()
        self._something = asyncio.Event()
        self._closed = False

    def put(self, hint: bytes | Reconnected) -> None:
        """Let the listener have a hint."""
        if len(self._waiting) >= WAITING:
            self._waiting.clear()  # who looks at the store sees all that these spoke of
            hint = Reconnected()
        self._waiting.append(hint)
        self._something.set()

    def close(self) -> None:
        """Want no more hints; whoever waits for one is told that it was the last."""
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
    """Who listens to what, in one process."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._by_topic: defaultdict[str, dict[Subscription, None]] = defaultdict(dict)
        self._changed = changed
        """Called where a topic is listened to for the first time, or not any more."""

    def add(self, topic: str) -> Subscription:
        """Return a new subscription to a topic, which leaves when it is closed."""
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
        """What anybody listens to."""
        return frozenset(self._by_topic)

    def deliver(self, topic: str, hint: bytes | Reconnected) -> None:
        """Let all who listen to a topic have a hint."""
        for each in tuple(self._by_topic.get(topic, ())):
            each.put(hint)

    def reconnected(self) -> None:
        """Tell everybody that hints may have been lost until now."""
        for topic in tuple(self._by_topic):
            self.deliver(topic, Reconnected())

    def close(self) -> None:
        """End all subscriptions."""
        for each in [each for those in self._by_topic.values() for each in those]:
            each.close()


class Bus(Protocol):
    """One interface, several engines: in this process, PostgreSQL's NOTIFY, NATS."""

    async def publish(self, topic: str, hint: bytes) -> None:
        """Let all who listen to the topic, on any node, have a hint, if it can be done now.

        Never raises, and does not wait for the engine: a hint that cannot go out is lost.
        """

    def subscribe(self, topic: str) -> Subscription:
        """Return the hints of a topic: `async for hint in bus.subscribe(topic)`, each bytes or `Reconnected`."""

    async def close(self) -> None:
        """End all subscriptions and let go of the engine."""
