"""Changes of presence on their way to other nodes: at once to those with people in the same room, later to all.

A node that has nobody in a room learns with the next heartbeat who is there: all changes of two seconds are one hint.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from lilygames.bus import Bus
from lilygames.chat.people.profile import Profile
from lilygames.nodes.hints.invalidation import EVERYBODY
from lilygames.nodes.hints.topic_hints import TopicHints
from lilygames.nodes.presence.presence_record import Presence
from lilygames.nodes.presence.presence_row import Row, row_of

MOST = 100
"""Maximum changes in one hint."""
Hint = dict[str, Any]
"""JSON data."""


@attrs.frozen
class Here:
    """Where someone served here is now, and their profile unless that is as it was sent before (None)."""

    record: Presence
    profile: Profile | None = None

    @property
    def number(self) -> int:
        """The number of this change among all changes of this node."""
        return self.record.change

    @property
    def hint(self) -> Hint:
        """The change as it is sent."""
        return {"row": row_of(self.record, self.profile)}


@attrs.frozen
class Gone:
    """Someone has left this node."""

    name: str
    """Their folded name."""
    visit: int
    number: int
    """The number of this change among all changes of this node."""

    @property
    def hint(self) -> Hint:
        """The change as it is sent."""
        return {"gone": self.name, "visit": self.visit, "change": self.number}


Change = Here | Gone


def batch_of(changes: Sequence[tuple[str, Change]]) -> Hint:
    """Return changes about people, each with their folded name, as they are sent to all nodes.

    Of each person only the last change is sent. People in the same rooms are together, so the other nodes look
    once whether they serve anyone there.
    """
    last: dict[str, Change] = {}
    for name, change in changes:
        match last.pop(name, None), change:
            case Here(profile=Profile() as profile), Here(record, None):  # it was changed just before
                last[name] = Here(record, profile)
            case _:
                last[name] = change
    here: dict[tuple[str, ...], list[Row]] = {}
    for change in last.values():
        if isinstance(change, Here):
            here.setdefault(change.record.rooms, []).append(row_of(change.record, change.profile))
    gone = [attrs.astuple(change) for change in last.values() if isinstance(change, Gone)]
    return {"numbers": [change.number for _, change in changes], "here": [*here.items()], "gone": gone}


class PresenceNews:
    """News about the people served here, and the rooms that this node has to hear of at once."""

    def __init__(self, bus: Bus, node: str) -> None:
        self.hints: TopicHints[str] = TopicHints(bus, "people")
        """The changes about people in the same rooms at other nodes, by the room's key."""
        self._bus = bus
        self._node = node
        self._waiting: list[tuple[str, Change]] = []
        """Changes that haven't been sent to all nodes yet, with the folded names."""
        self._rooms: dict[str, frozenset[str]] = {}
        """The keys of the rooms of everyone served here, as last sent."""
        self._served: Counter[str] = Counter()
        """How many of them are in each room."""

    async def send(self, name: str, rooms: Iterable[str], change: Change) -> None:
        """Send a change about someone served here, who is in rooms with these keys now; in none if they left."""
        before, now = self._rooms.pop(name, frozenset()), frozenset(rooms)
        if now:
            self._rooms[name] = now
        self._count(now - before, before - now)
        self._waiting.append((name, change))
        for room in sorted(before | now):
            await self._publish(self.hints.topic(room), **change.hint)

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
            await self._publish(EVERYBODY, batch=batch_of(waiting[first : first + MOST]))

    async def _publish(self, topic: str, **hint: Any) -> None:
        await self._bus.publish(topic, json.dumps({"from": self._node, **hint}).encode())
