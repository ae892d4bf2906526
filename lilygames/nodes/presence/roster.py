"""Presence across nodes: each node announces where its people are, and hears where those of the others are."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import attrs
import structlog

from lilygames import codec
from lilygames.bus import Bus
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import EVERYONE
from lilygames.chat.people.distant import Distant
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import (
    Announced,
    Arrived,
    Left,
    LoggingIn,
    PersonEvent,
    ProfileChanged,
    Renamed,
    Returned,
    Said,
)
from lilygames.chat.people.people import Person
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.nodes.order.changes import Changes, Heard, OwnChanges
from lilygames.nodes.presence.presence_news import Gone, Here, PresenceNews
from lilygames.nodes.presence.presence_record import Presence, Records
from lilygames.nodes.presence.presence_row import Outline, read_row
from lilygames.nodes.presence.remote_people import RemotePeople
from lilygames.nodes.presence.remote_terminal import NAMES, Post
from lilygames.store import Store, StoreUnavailable

log = structlog.get_logger()
KIND = "here"
RETRY = 1.0
"""Seconds before a failed write is tried again."""
TOGETHER = 100
"""Profiles read at once when all people are read."""


class Roster:
    """Everyone who is here, on any node."""

    observes = (LoggingIn, Arrived, Returned, Left, Renamed, ProfileChanged, Announced, Said)

    def __init__(self, host: Host, store: Store, bus: Bus, beats: Beats) -> None:
        node = beats.node
        self.post = Post(bus, node)
        self.news = PresenceNews(bus, beats.node)
        self._beats = beats
        self._announced = OwnChanges()
        self._heard: defaultdict[str, Heard] = defaultdict(Heard)
        """The changes heard from each other node."""
        self._host = host
        self._store = store
        self.node = node
        self._known = Records(node)
        self.remote = RemotePeople(host, self._known, beats, self.post)
        """The people whom other nodes serve."""
        self._dirty: dict[str, None] = {}
        """Folded names of people whose state may have to be announced."""
        self._new_profiles: set[str] = set()
        """Those of people who have changed their profiles since these were announced."""
        self._task: asyncio.Task[None] | None = None

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Announce a change to the other nodes, or learn what they know."""
        match event:
            case Announced(chat_event, _, remote, mark):
                self._happened(chat_event)
                self.relay(chat_event, remote, mark)
            case Arrived(person) | Returned(person):
                self._came(person)
            case Left(person):
                self.changed(person)
            case ProfileChanged(person) if not person.node:
                self._new_profiles.add(fold(person.name))
                self.changed(person)
            case Renamed(old, new):
                self._renamed(old, new)
            case LoggingIn(name):
                return self._meet(name)
        return None

    # people served by this node

    def _came(self, person: Person) -> None:
        """Record that someone has logged in at this node. They know everyone in their rooms."""
        for room in person.rooms:
            room.people.bring_near()
        before = self._known.get(fold(person.name))
        visit = before.visit + 1 if before else 1
        self._known[fold(person.name)] = self._presence(person, visit)
        self.changed(person)

    def changed(self, person: Person) -> None:
        """Announce someone's state to the other nodes soon."""
        if not person.node:
            self._announce(fold(person.name))

    def _announce(self, name: str) -> None:
        self._dirty[name] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    def _renamed(self, old: str, new: str) -> None:
        """Announce someone under their new name, and that nobody has the old one."""
        for name in (fold(old), fold(new)):
            self._announce(name)

    def relay(self, chat_event: ChatEvent, told: Sequence[Person | Distant[Person]], mark: str) -> None:
        """Forward an event to other nodes, for the people they serve.

        If these are many and have a mark, that is sent instead of their names. All nodes get what everyone is told,
        because this one may not know yet of someone who has just come.
        """
        marks = [mark] if mark else []
        if mark == EVERYONE and marks:
            nodes = self._beats.live | {record.node for record in self._known.values()}
            for node in sorted({*map(self.post.successor_of, nodes)} - {self.node}):
                self.post.told(node, marks, chat_event)
            return
        if mark == EVERYONE and self._host.people.has_distant:
            told = [*self._host.people.audience.remote]
        remote: dict[str, list[str]] = {}
        for person in told:
            remote.setdefault(person.node, []).append(person.name)
        for node, names in remote.items():
            self.post.told(node, marks if marks and len(names) > NAMES else names, chat_event)

    def serves_owner(self, key: str) -> bool:
        """Return whether this node serves the person who owns what is under a key."""
        return self._known.owner(key) in self._known.served

    def forget_person(self, who: Identity) -> None:
        """Name a deleted person no longer in heartbeats."""
        self._announced.forget(who.names)

    def _happened(self, chat_event: ChatEvent) -> None:
        """Record a change to someone."""
        for name in () if chat_event.said else (chat_event.by, *chat_event.to, chat_event.text):
            about = self._host.people.known(fold(name))
            if about:
                self.changed(about)

    def glance(self) -> None:
        """Check everyone whom this node serves and announce what has changed."""
        for name in [*self._known.served]:
            person, known = self._host.people.get(name), self._known[name]
            if person is None or not (person.node or known.tells(self._presence(person, known.visit))):
                self._announce(name)

    def _presence(self, person: Person, visit: int) -> Presence:
        return Presence(
            person.name,
            person.guest,
            self._host.accounts.key(person.name),
            self.node,
            visit,
            0,
            person.here,
            person.room.name,
            tuple(sorted(room.name for room in person.rooms)),
            person.activity.away,
            person.activity.idle,
            person.activity.since,
            round(self._host.clock() - person.activity.idle_seconds, 0),
            person.needs_longer,
        )

    async def _write(self) -> None:
        while self._dirty:
            name = next(iter(self._dirty))
            del self._dirty[name]
            try:
                await self._tell(name)
            except StoreUnavailable as problem:
                log.warning("cannot save where someone is", name=name, why=str(problem))
                self._dirty[name] = None
                self._new_profiles.add(name)
                await asyncio.sleep(RETRY)

    async def _tell(self, name: str) -> None:
        person, known = self._host.people.get(name), self._known.get(name)
        has_new_profile = name in self._new_profiles
        self._new_profiles.discard(name)
        if person and person.node:
            return
        if person:
            now = self._presence(person, known.visit if known else 1)
            if known and known.tells(now) and not has_new_profile:
                return
            is_known = known is not None and known.change > 0 and not has_new_profile
            own = None if is_known else person.profile.stored
            self._known[name] = now  # without a number: it isn't announced until it is saved
            with self._announced.next(name) as number:
                record = attrs.evolve(now, change=number)
                await self._store.keep(KIND, name, codec.to_text(record))
            if self._known.get(name) is now:
                self._known[name] = record
            await self.news.send(name, map(self._host.rooms.key, record.rooms), Here(record, own))
        elif known and known.node == self.node:
            with self._announced.next(name) as number:
                await self._store.forget(KIND, name)
            if self._known.get(name) is known:
                del self._known[name]
            await self.news.send(name, (), Gone(name, known.visit, number))

    @property
    def announced(self) -> Changes:
        """The changes that this node has announced, for its heartbeat."""
        return self._announced.changes

    async def finish(self) -> None:
        """Return once everything has been announced."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})
        await self.news.send_to_all()
        await self.post.finish()

    # people served by other nodes

    async def hear(self, hint: Mapping[str, Any]) -> None:
        """Learn what another node says about its people, or send it what it asks for. Raises `StoreUnavailable`."""
        match hint:
            case {"batch": batch, "from": str(node)}:
                await self._hear_batch(node, batch)
            case {"row": [*row]}:
                await self.learn(*read_row(row))
            case {"asks": str()}:
                await self.news.send_to_all()
            case {"gone": str(name), "from": str(node), "visit": int(visit), "change": int(change)}:
                self.forget(node, name, visit, change)

    async def _hear_batch(self, node: str, batch: Mapping[str, Any]) -> None:
        """Learn of all changes that a node has sent together."""
        self._heard[node].add(*batch["numbers"])
        for rooms, rows in batch["here"]:
            await self.remote.learn_all(rooms, map(read_row, rows))
        for gone in batch["gone"]:
            self.forget(node, *gone)

    async def learn(self, record: Presence, outline: Outline | None = None) -> None:
        """Learn of someone as their node announces them, unless a newer record is known.

        Without the outline of their profile that is the one known before, and for someone new at their node it is read
        from the store.
        """
        self._heard[record.node].add(record.change)
        await self.remote.learn(record, outline)

    def forget(self, node: str, name: str, visit: int, change: int) -> None:
        """Remove someone who has left the node that served them."""
        self._heard[node].add(change)
        known = self._known.get(name)
        if known and known.node == node and known.visit <= visit:
            self.remote.lose(name)

    def lost(self, nodes: Iterable[str]) -> int:
        """Remove everyone served by dead nodes; return how many of them were connected."""
        gone = [name for name, record in self._known.items() if record.node in nodes]
        here = sum(self._known[name].here for name in gone)
        for name in gone:
            self.remote.lose(name)
        for node in nodes:
            self._heard.pop(node, None)
        return here

    async def catch_up(self, announced: Mapping[str, Changes]) -> None:
        """Read what other nodes have announced without a hint that came here. `announced` has all live nodes.

        The records of people are read one by one, and all of them only if a node has announced more than it names.
        Raises `StoreUnavailable`.
        """
        missed: dict[str, None] = {}
        for node, changes in announced.items():
            names = self._heard[node].missed(changes) if node != self.node else ()
            if names is None:
                await self._reload(frozenset(announced))
                break
            missed |= dict.fromkeys(names)
        else:
            live = frozenset(announced)
            await asyncio.gather(*(self._read_again(name, live) for name in missed))
        for node, changes in announced.items():
            self._heard[node].reach(changes.count)

    async def _read_again(self, name: str, live: frozenset[str]) -> None:
        """Read the record of one person again."""
        before = self._known.get(name)
        body = await self._store.find(KIND, name)
        record = _read(name, body) if body else None
        if record and record.node in live:
            outline = await self._outline(record)
            await self.learn(record, outline)
            if outline is None:
                await self.remote.refresh(record.key)
        elif body is None:
            self._lose_unless_heard(name, before)

    async def _reload(self, live: frozenset[str]) -> None:
        """Read the records of all people again."""
        before = {**self._known}
        records = await self._store.every(KIND)
        read = (_read(name, body) for name, body in records.items())
        theirs = iter([record for record in read if record and record.node in live and record.node != self.node])
        while some := [*islice(theirs, TOGETHER)]:
            for record, outline in zip(some, await asyncio.gather(*map(self._outline, some)), strict=True):
                await self.learn(record, outline)
        for name, known in before.items():
            if name not in records:
                self._lose_unless_heard(name, known)

    async def _outline(self, record: Presence) -> Outline | None:
        """Read the profile of someone who is new at their node; None for anyone else. Raises `StoreUnavailable`."""
        known = self._known.get(fold(record.name))
        if known and known.node == record.node:
            return None
        return Outline.of(await self._host.profiles.load(record.key))

    def _lose_unless_heard(self, name: str, before: Presence | None) -> None:
        """Remove someone on another node who has no record, unless a hint came while it was read."""
        if before and before.node != self.node and self._known.get(name) is before:
            self.remote.lose(name)

    async def bury(self, node: str) -> None:
        """Delete the records of a node that is long dead."""
        for name, body in (await self._store.every(KIND)).items():
            record = _read(name, body)
            if record and record.node == node:
                await self._store.forget(KIND, name)

    async def _meet(self, name: str) -> None:
        """Learn who has a name on another node, before someone logs in with it here. Raises `StoreUnavailable`."""
        body = await self._store.find(KIND, fold(name))
        record = _read(name, body) if body else None
        if record:
            await self.learn(record)


def _read(name: str, body: str) -> Presence | None:
    """Return where someone is, as saved by their node. None if the record can't be read."""
    try:
        record: Presence = codec.from_text(body, Presence)
    except ValueError:
        log.warning("cannot read where someone is", name=name)
        return None
    return record
