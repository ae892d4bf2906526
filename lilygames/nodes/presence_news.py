"""Changes of presence on their way to other nodes: at once to those with people in the same room, later to all.

A node that has nobody in a room learns with the next heartbeat who is there: all changes of two seconds are one hint.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from lilygames.bus import Bus
from lilygames.nodes.heartbeat import NEWS, Beats
from lilygames.nodes.invalidation import EVERYBODY
from lilygames.nodes.topic_hints import TopicHints

MOST = 100
"""Maximum changes in one hint."""


class PresenceNews:
    """News about the people served here, and the rooms that this node has to hear of at once."""

    def __init__(self, bus: Bus, beats: Beats) -> None:
        self.hints: TopicHints[str] = TopicHints(bus, "people")
        """The changes about people in the same rooms at other nodes, by the room's key."""
        self._bus = bus
        self._beats = beats
        self._waiting: list[dict[str, Any]] = []
        """Changes that haven't been sent to all nodes yet."""
        self._rooms: dict[str, frozenset[str]] = {}
        """The keys of the rooms of everyone served here, as last sent."""
        self._served: Counter[str] = Counter()
        """How many of them are in each room."""

    async def send(self, name: str, rooms: Iterable[str], **change: Any) -> None:
        """Send a change about someone served here, who is in rooms with these keys now; in none if they left."""
        before, now = self._rooms.pop(name, frozenset()), frozenset(rooms)
        if now:
            self._rooms[name] = now
        self._count(now - before, before - now)
        if not self._beats.all_read(NEWS):
            await self._publish(EVERYBODY, **change)
            return
        self._waiting.append(change)
        for room in sorted(before | now):
            await self._publish(self.hints.topic(room), **change)

    def _count(self, entered: Iterable[str], left: Iterable[str]) -> None:
        """Hear of the rooms that people served here are in, and of no others."""
        for room in entered:
            self._served[room] += 1
            self.hints.opened(room)
        for room in left:
            self._served[room] -= 1
            if not self._served[room]:
                del self._served[room]
                self.hints.dropped(room)

    async def ask(self, room: str) -> None:
        """Ask the nodes with people in a room for what they haven't sent to all nodes yet."""
        await self._publish(self.hints.topic(room), asks=room)

    async def send_to_all(self) -> None:
        """Send all nodes what they haven't been sent yet."""
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), MOST):
            await self._publish(EVERYBODY, news=waiting[first : first + MOST])

    async def _publish(self, topic: str, **hint: Any) -> None:
        await self._bus.publish(topic, json.dumps({"from": self._beats.node, **hint}).encode())
