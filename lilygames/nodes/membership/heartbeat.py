"""Heartbeats: each node keeps changing a record, and the others time the changes by their own clocks."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b

import attrs
import structlog

from lilygames.nodes.order.changes import Changes
from lilygames.nodes.order.numbered import Counts
from lilygames.nodes.order.predecessor import NOBODY, Predecessor
from lilygames.store import Store, StoreUnavailable

log = structlog.get_logger()
BEAT = 2.0
"""Seconds between heartbeats."""
LATE = 1.5 * BEAT
"""Seconds without a heartbeat after which a node may have died."""
SILENCE = 6.0
"""Seconds without a heartbeat after which a node counts as dead."""
MAKING_WAY = 30.0
"""The same for a node that is restarting, because its next process will serve the same people."""
LOOKS = 3
"""Checks that must find a node silent, on top of the timeout, before it counts as dead."""
BURIED = 60.0
"""Seconds of silence after which a node's records are deleted."""
KIND = "node"
FORM = 12
"""The form of what nodes store and send to each other. Raise it with every change of that; release 0.2 had 11.

Nodes of different forms don't share a database.
"""
_DISAGREE = (
    "A node of another release shares this database, and the two can't work together: stop all nodes, then start them"
    " with the same release."
)
NOTHING = Changes()
COUNTED = ("sent", "arrived")
"""The fields of a heartbeat with numbers of messages by node."""


@attrs.frozen
class Seen:
    """Another node as last seen: its heartbeat, when that last changed, and the checks since then."""

    beat: int
    since: float
    looks: int = 0
    people: Changes = NOTHING
    draining: bool = False
    follows: Predecessor = NOBODY
    """The node that has restarted as this one."""
    sent: int = 0
    """Messages that it has sent to this node."""
    arrived: int = 0
    """Messages of this node that it has got."""
    rows: int = 0
    """Changes of public rows that it has written."""


class Beats:
    """The heartbeats of all nodes."""

    def __init__(self, store: Store, node: str, *, now: Callable[[], float] | None = None) -> None:
        self.node = node
        self.draining = False
        """Whether this node takes no new people."""
        self.rows = 0
        """Changes of public rows that this node has written, or perhaps has."""
        self._people = NOTHING
        self._messages = Counts()
        self._follows = NOBODY
        self._store = store
        self._now = now or time.monotonic
        self._beat = 0
        self._seen: dict[str, Seen] = {}
        self._dead: set[str] = set()
        self._making_way: set[str] = set()

    @property
    def live(self) -> frozenset[str]:
        """The nodes that are alive, including this one."""
        return frozenset(self._seen) - self._dead | {self.node}

    async def lives(self, node: str) -> bool:
        """Return whether a node is alive; a node that has just started, if it has a record.

        Raises `StoreUnavailable`.
        """
        if node == self.node or node in self._seen:
            return node not in self._dead
        return await self._store.find(KIND, node) is not None

    def known(self, node: str) -> Seen | None:
        """Return the last heartbeat seen of a live node."""
        return None if node in self._dead else self._seen.get(node)

    def row_written(self) -> int:
        """Count a change of a public row that this node has written, or perhaps has; return its number."""
        self.rows += 1
        return self.rows

    @property
    def rows_of_others(self) -> dict[str, int]:
        """How many changes of public rows each other live node has written, by its last heartbeat."""
        return {node: seen.rows for node, seen in self._seen.items() if node not in self._dead}

    def is_late(self, node: str) -> bool:
        """Return whether a node's heartbeat is late, so that it may have died."""
        seen = self._seen.get(node)
        return seen is not None and self._now() - seen.since > LATE

    def makes_way(self, node: str) -> None:
        """Allow more silence for a node that is restarting."""
        self._making_way.add(node)

    def has_made_way(self, node: str) -> None:
        """Record that a node has restarted."""
        self._making_way.discard(node)

    def follow(self, before: Predecessor) -> None:
        """Say in each heartbeat that this node takes over for the people of one that has restarted."""
        self._follows = before

    async def drain(self) -> None:
        """Beat once, and leave shared tasks to other nodes from now on. Raises `StoreUnavailable`."""
        self.draining = True
        await self.beat()

    async def beat(
        self, people: Changes | None = None, messages: Counts | None = None
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Beat once and check the others. Return the nodes that have died since the last check, and those to delete.

        `people` are the changes of presence that this node has announced. `messages` counts its messages to other
        nodes, and theirs to it. Both are as before if None.
        Raises `StoreUnavailable`: then no node counts as dead.
        """
        self._beat += 1
        self._people = self._people if people is None else people
        self._messages = messages or self._messages
        own: dict[str, object] = {"beat": self._beat, "people": self._people.count, "names": self._people.names}
        own |= {"draining": self.draining, "reads": FORM, "rows": self.rows}
        own |= {"sent": {**self._messages.sent}, "arrived": {**self._messages.arrived}}
        own |= self._follows.fields
        await self._store.keep(KIND, self.node, json.dumps(own))
        return self._look(await self._store.every(KIND))

    def _look(self, records: dict[str, str]) -> tuple[frozenset[str], frozenset[str]]:
        now, before = self._now(), frozenset(self._dead)
        for node in {*records, *self._seen} - {self.node}:
            self._see(node, _read(records[node]) if node in records else None, now)
        buried = [node for node in self._dead if now - self._seen[node].since > BURIED]
        for node in buried:
            if node not in records:
                del self._seen[node]
                self._dead.discard(node)
                self._making_way.discard(node)
        return frozenset(self._dead) - before, frozenset(buried)

    def _see(self, node: str, record: _Record | None, now: float) -> None:
        """Record a node's heartbeat. A node that deleted its record has stopped, but its people may have moved on."""
        seen = self._seen.get(node)
        if record and (seen is None or seen.beat != record.beat):
            seen = Seen(record.beat, now, 0, record.people, record.draining, record.follows)
            sent, arrived = (numbers.get(self.node, 0) for numbers in (record.messages.sent, record.messages.arrived))
            self._seen[node] = attrs.evolve(seen, sent=sent, arrived=arrived, rows=record.rows)
            self._dead.discard(node)
        elif seen:
            seen = attrs.evolve(seen, draining=seen.draining or record is None, looks=seen.looks + 1)
            self._seen[node] = seen
            self._look_again(node, seen, now)

    def _look_again(self, node: str, seen: Seen, now: float) -> None:
        silence = MAKING_WAY if node in self._making_way else SILENCE
        if seen.looks >= LOOKS and now - seen.since >= silence and node not in self._dead:
            log.warning("a node is silent and counts as dead", node=node)
            self._dead.add(node)

    async def bury(self, node: str) -> None:
        """Delete a dead node's record."""
        await self._store.forget(KIND, node)

    async def stop(self) -> None:
        """Stop being a node: delete the record."""
        await self._store.forget(KIND, self.node)

    @property
    def running(self) -> frozenset[str]:
        """The nodes that take shared tasks: those that are alive and aren't about to stop."""
        return frozenset(node for node in self.live if not self._draining(node))

    def rank(self, name: str, first: str = "") -> int:
        """Return this node's rank for a task by rendezvous hashing. Rank 0 does it; the others wait in case it can't.

        The node `first` has rank 0 while it takes shared tasks. Nodes that see the same live nodes compute the same
        order (Thaler and Ravishankar 1998).
        """
        running = self.running
        if first in running and first == self.node:
            return 0
        order = _order(running - {first}, name)
        return (order.index(self.node) if self.node in order else len(order)) + (first in running)

    def _draining(self, node: str) -> bool:
        seen = self._seen.get(node)
        return self.draining if node == self.node else bool(seen and seen.draining)


@lru_cache(maxsize=10_000)
def _order(nodes: frozenset[str], name: str) -> tuple[str, ...]:
    """Return nodes in the order in which they do a task.

    A node asks for the same tables each second. With eight nodes, that took five times as long without a cache.
    """
    return tuple(sorted(nodes, key=lambda node: blake2b(f"{node} {name}".encode(), digest_size=8).digest()))


async def must_agree(store: Store, before: str) -> None:
    """Raise `StoreUnavailable` if a node of another form shares the store, besides the one that this node follows.

    A record alone doesn't show that its node is alive, so its heartbeat has to change within some seconds.
    """

    async def others() -> dict[str, str]:
        return {node: body for node, body in _of_other_forms(await store.every(KIND)) if node != before}

    if earlier := await others():
        await asyncio.sleep(SILENCE)
        now = await others()
        if any(now.get(node, body) != body for node, body in earlier.items()):
            raise StoreUnavailable(_DISAGREE)


def may_follow(records: Mapping[str, str]) -> None:
    """Raise `StoreUnavailable` if several nodes are of another form, given all heartbeats: a reload replaces one."""
    if len([*_of_other_forms(records)]) > 1:
        raise StoreUnavailable(_DISAGREE)


def _of_other_forms(records: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the nodes of another form, each with its heartbeat."""
    return ((node, body) for node, body in records.items() if _form(body) != FORM)


def _form(body: str) -> int:
    """Return the form of the node of a heartbeat; 0 if it can't be read."""
    try:
        return int(json.loads(body)["reads"])
    except (ValueError, TypeError, LookupError):
        return 0


@attrs.frozen
class _Record:
    """A heartbeat as it is stored."""

    beat: int
    people: Changes
    draining: bool
    follows: Predecessor
    messages: Counts
    rows: int


def _read(body: str) -> _Record | None:
    """Return the contents of a node's record, None if it can't be read. That isn't a heartbeat."""
    try:
        record = json.loads(body)
        beat, people, draining = (int(record[name]) for name in ("beat", "people", "draining"))
        changes = Changes(people, tuple(map(str, record["names"])))
        messages = Counts(*({node: int(number) for node, number in record[name].items()} for name in COUNTED))
        return _Record(beat, changes, bool(draining), Predecessor.read(record), messages, int(record["rows"]))
    except (ValueError, LookupError, TypeError, AttributeError):
        log.warning("cannot read a node's heartbeat")
        return None
