"""Presence across nodes: each node keeps a record of the people it serves, and mirrors those of the others."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence

import attrs
import structlog

from lilygames import codec
from lilygames.bus import Bus
from lilygames.chat.arrivals import vanish
from lilygames.chat.events import ChatEvent
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.observers import Announced, Arrived, Left, LoggingIn, Mirrored, PersonEvent, Renamed, Returned, Said
from lilygames.chat.packets import say_goodbye
from lilygames.chat.people import Person
from lilygames.chat.profile import Profile
from lilygames.chat.terminal import Terminal
from lilygames.nodes.changes import Changes, Heard, OwnChanges
from lilygames.nodes.heartbeat import MARKS, Beats
from lilygames.nodes.invalidation import EVERYBODY
from lilygames.nodes.remote_terminal import NAMES, Elsewhere, Post
from lilygames.store import Store, StoreUnavailable
from lilygames.text import Line

log = structlog.get_logger()
KIND = "here"
RETRY = 1.0
"""Seconds before a failed write is tried again."""


@attrs.frozen
class Presence:
    """A person as their node announces them. Of two records the one with the later visit is valid."""

    name: str
    guest: bool
    key: str
    """The key of everything they own."""
    node: str
    visit: int
    """How many times they have logged in, on any node."""
    change: int
    """How many records their node has announced, including this one."""
    here: bool
    """Whether they are connected. Otherwise only their seat is kept."""
    room: str
    rooms: tuple[str, ...]
    away: bool
    idled: bool
    since: float
    typed: float

    @property
    def order(self) -> tuple[int, str, int]:
        """Sort key: the latest record of a name has the highest."""
        return self.visit, self.node, self.change

    def tells(self, now: Presence) -> bool:
        """Return whether what was announced still holds. When they last typed doesn't count."""
        return self.change > 0 and attrs.evolve(self, change=0, typed=now.typed) == now


class Records(dict[str, Presence]):
    """The last record of everyone, by folded name."""

    def __init__(self, node: str) -> None:
        super().__init__()
        self.served: dict[str, None] = {}
        """Those of the people whom this node serves."""
        self._node = node
        self._by_key: dict[str, str] = {}

    def __setitem__(self, name: str, record: Presence) -> None:
        if name in self:
            del self[name]
        super().__setitem__(name, record)
        self._by_key[record.key] = name
        if record.node == self._node:
            self.served[name] = None

    def __delitem__(self, name: str) -> None:
        if self._by_key.get(key := self[name].key) == name:
            del self._by_key[key]
        super().__delitem__(name)
        self.served.pop(name, None)

    def owner(self, key: str) -> str:
        """Return the folded name of the person who owns what is under a key; empty if they aren't here."""
        return self._by_key.get(key, "")


class Roster:
    """Everyone who is here, on any node."""

    observes = (LoggingIn, Arrived, Returned, Left, Renamed, Announced, Said)

    def __init__(self, host: Host, store: Store, bus: Bus, beats: Beats) -> None:
        node = beats.node
        self.post = Post(bus, node)
        self._beats = beats
        self._announced = OwnChanges()
        self._heard: defaultdict[str, Heard] = defaultdict(Heard)
        """The changes heard from each other node."""
        self._host = host
        self._store = store
        self._bus = bus
        self.node = node
        self._known = Records(node)
        self._dirty: dict[str, None] = {}
        self._unplaced: dict[str, None] = {}
        """People on other nodes who are in rooms that don't exist here yet."""
        self._task: asyncio.Task[None] | None = None

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Announce a change to the other nodes, or learn what they know."""
        match event:
            case Announced(chat_event, _, remote, mark):
                self._happened(chat_event)
                self._relay(chat_event, remote, mark)
            case Arrived(person) | Returned(person):
                self._came(person)
            case Left(person):
                self.changed(person)
            case Renamed(old, new):
                self._renamed(old, new)
            case LoggingIn(name):
                return self._meet(name)
        return None

    # people served by this node

    def _came(self, person: Person) -> None:
        """Record that someone has logged in at this node."""
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

    def _relay(self, chat_event: ChatEvent, told: Sequence[Person], mark: str) -> None:
        """Forward an event to other nodes, for the people they serve.

        If these are many and have a mark, that is sent instead of their names. A node of an earlier release can't read
        marks.
        """
        remote: dict[str, list[str]] = {}
        for person in told:
            remote.setdefault(person.node, []).append(person.name)
        marks = [mark] if mark and self._beats.all_read(MARKS) else []
        for node, names in remote.items():
            self.post.told(node, marks if marks and len(names) > NAMES else names, chat_event)

    def _happened(self, chat_event: ChatEvent) -> None:
        """Record a change to someone."""
        for name in () if chat_event.said else (chat_event.by, *chat_event.to, chat_event.text):
            about = self._host.people.get(fold(name))
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
                await asyncio.sleep(RETRY)

    async def _tell(self, name: str) -> None:
        person, known = self._host.people.get(name), self._known.get(name)
        if person and person.node:
            return
        if person:
            now = self._presence(person, known.visit if known else 1)
            if known and known.tells(now):
                return
            self._known[name] = now  # without a number: it isn't announced until it is saved
            with self._announced.next(name) as number:
                record = attrs.evolve(now, change=number)
                await self._store.keep(KIND, name, codec.to_text(record))
            if self._known.get(name) is now:
                self._known[name] = record
            own = {} if known and known.change else {"profile": codec.dump(person.profile.stored)}
            await self._hint(here=codec.dump(record), **own)
        elif known and known.node == self.node:
            with self._announced.next(name) as number:
                await self._store.forget(KIND, name)
            if self._known.get(name) is known:
                del self._known[name]
            await self._hint(gone=name, visit=known.visit, change=number)

    @property
    def announced(self) -> Changes:
        """The changes that this node has announced, for its heartbeat."""
        return self._announced.changes

    async def _hint(self, **hint: object) -> None:
        await self._bus.publish(EVERYBODY, json.dumps({"from": self.node, **hint}).encode())

    async def finish(self) -> None:
        """Return once everything has been announced."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})
        await self.post.finish()

    # people served by other nodes

    async def learn(self, record: Presence, profile: Profile | None = None) -> None:
        """Mirror someone as their node announces them, unless a newer record is known.

        Their profile is read from the store if None, and they haven't been mirrored before.
        """
        self._heard[record.node].add(record.change)
        known = self._known.get(fold(record.name))
        if record.node == self.node or (known and known.order >= record.order):
            return
        self._known[fold(record.name)] = record
        person = self._host.people.get(fold(record.name))
        if person and not person.node and person.terminal:
            self._superseded(person)
        if person is None:
            person = self._host.people[fold(record.name)] = Person(
                record.name, guest=record.guest, room=self._host.lobby
            )
        self._mirror(person, record)
        if known is None or known.node != record.node:
            self._host.accounts.known_by(record.name, record.key)
            person.set_profile(profile or await self._host.owned(record.name))

    @staticmethod
    def _superseded(person: Person) -> None:
        """Close the connection of someone who has logged in at another node."""
        if older := person.disconnect():
            older.show(Line("(disconnected: you've logged in from somewhere else)"))
            say_goodbye(older, "elsewhere")
            older.close()

    def _mirror(self, person: Person, record: Presence) -> None:
        remote: Terminal = Elsewhere(record.name, record.node, self.post)
        person.set_guest(guest=record.guest)
        if record.here:
            person.connect(remote, record.node)
        else:
            person.disconnect(record.node)
        person.activity.restore(
            since=record.since,
            idle_seconds=max(0.0, self._host.clock() - record.typed),
            away=record.away,
            idle=record.idled,
            missed_since=person.activity.missed_since,
        )
        self._place(person, record)
        self._host.publish(Mirrored(person))

    def _place(self, person: Person, record: Presence) -> None:
        """Put someone into the rooms that their node names, if those exist here."""
        name, lobbies = fold(person.name), self._host.lobbies
        found = [lobbies.called(room) or self._host.rooms.called(room) for room in record.rooms]
        rooms = dict.fromkeys(room for room in found if room)
        if None in found:
            self._unplaced[name] = None
        else:
            self._unplaced.pop(name, None)
        for room in [room for room in person.rooms if room not in rooms]:
            room.people.pop(name)
            if lobbies.includes(room):
                self._host.close_room(room)
        for room in [room for room in rooms if room not in person.rooms]:
            room.people[name] = person
        person.speak_in(self._host.rooms.called(record.room) or lobbies.of(person))

    def place_all(self) -> None:
        """Put people into the rooms that have been created here since they were announced."""
        for name in [*self._unplaced]:
            person, record = self._host.people.get(name), self._known.get(name)
            if person and person.node and record:
                self._place(person, record)
            else:
                del self._unplaced[name]

    def forget(self, node: str, name: str, visit: int, change: int) -> None:
        """Remove someone who has left the node that served them."""
        self._heard[node].add(change)
        known = self._known.get(name)
        if known and known.node == node and known.visit <= visit:
            self._lose(name)

    def _lose(self, name: str) -> None:
        del self._known[name]
        person = self._host.people.get(name)
        if person and person.node:
            person.disconnect()
            self._host.publish(Mirrored(person))
            if not self._host.keeps_seat(name):
                vanish(self._host, person)

    def lost(self, nodes: Iterable[str]) -> int:
        """Remove everyone served by dead nodes; return how many of them were connected."""
        gone = [name for name, record in self._known.items() if record.node in nodes]
        here = sum(self._known[name].here for name in gone)
        for name in gone:
            self._lose(name)
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
            await self.learn(record)
        elif body is None:
            self._lose_unless_heard(name, before)

    async def _reload(self, live: frozenset[str]) -> None:
        """Read the records of all people again."""
        before = {**self._known}
        records = await self._store.every(KIND)
        for name, body in records.items():
            record = _read(name, body)
            if record and record.node in live:
                await self.learn(record)
        for name, known in before.items():
            if name not in records:
                self._lose_unless_heard(name, known)

    def _lose_unless_heard(self, name: str, before: Presence | None) -> None:
        """Remove someone on another node who has no record, unless a hint came while it was read."""
        if before and before.node != self.node and self._known.get(name) is before:
            self._lose(name)

    async def refresh(self, key: str) -> None:
        """Read again what someone on another node owns, by its key."""
        person = self._host.people.get(self._known.owner(key))
        if person and person.node:
            person.set_profile(await self._host.owned(person.name))

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
