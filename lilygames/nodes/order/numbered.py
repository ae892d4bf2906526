"""Numbered messages from node to node: what the bus loses is sent again, and shown once and in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

import attrs

T = TypeVar("T")
KEPT = 10_000
"""Messages kept for a node that doesn't say that they have arrived; beyond that the oldest are dropped."""
AT_ONCE = 200
"""Messages that a node asks for at once, because a subscriber's queue is short. It asks for more when they are here."""
CHECKS = 3
"""Checks after which messages that came after a gap are shown without those in it."""


@attrs.frozen
class Counts:
    """Messages by node, as a node's heartbeat says them: how many it has sent, and how many have arrived from there."""

    sent: Mapping[str, int] = attrs.Factory(dict)
    arrived: Mapping[str, int] = attrs.Factory(dict)


class Sent:
    """The messages sent to one node, kept until it says that they have arrived."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: deque[bytes] = deque(maxlen=KEPT)

    def add(self, message: bytes) -> None:
        """Keep the next message. Its number is `count` afterwards."""
        self.count += 1
        self._kept.append(message)

    def arrived(self, number: int) -> None:
        """Drop the messages up to a number."""
        for _ in range(min(len(self._kept), number - self._first + 1)):
            self._kept.popleft()

    def again(self, first: int, last: int) -> list[bytes]:
        """Return the messages with these numbers that are still kept."""
        return [message for number, message in enumerate(self._kept, self._first) if first <= number <= last]

    def after(self, number: int) -> list[bytes]:
        """Return the messages after this number that are still kept."""
        return self.again(number + 1, self.count)

    @property
    def _first(self) -> int:
        """The number of the first message that is kept."""
        return self.count - len(self._kept) + 1


class Received(Generic[T]):
    """The messages of one node. Those that come after a gap wait until it is filled."""

    def __init__(self) -> None:
        self.count = 0
        """Messages that have arrived without a gap before them."""
        self._early: dict[int, T] = {}
        self._expected = 0
        """Messages that the node says it has sent."""
        self._asked_to = 0
        """The last message that was asked for since the last check."""
        self._checks = 0
        """Checks since a message came that could be shown."""

    def take(self, number: int, message: T) -> list[T]:
        """Return the messages to show now that this one is here; none if it is here already."""
        if number > self.count:
            self._early.setdefault(number, message)
        return [*self._in_order()]

    def _in_order(self) -> Iterator[T]:
        while self.count + 1 in self._early:
            self.count += 1
            self._checks = 0
            yield self._early.pop(self.count)

    def gap(self) -> tuple[int, int] | None:
        """Return the first and last number to ask for; None without a gap, or until those asked for are here."""
        last = min(self._early) - 1 if self._early else self._expected
        if last <= self.count or self.count < self._asked_to:
            return None
        self._asked_to = min(last, self.count + AT_ONCE)
        return self.count + 1, self._asked_to

    def check(self, sent: int) -> tuple[int, int] | None:
        """Return the first and last number to ask for, if the node has sent this many; None without a gap."""
        self._expected, self._asked_to = sent, 0
        self._checks += bool(self._early)
        return self.gap()

    def overdue(self, *, is_dead: bool = False) -> list[T]:
        """Return messages that have waited too long for those before them, or whose node is dead."""
        if not self._early or not (is_dead or self._checks >= CHECKS):
            return []
        self.count = min(self._early) - 1
        return [*self._in_order()]
