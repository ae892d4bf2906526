"""A node of a cluster: it sends heartbeats, hears the other nodes, and takes over when one dies."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import structlog

from lilygames.bus import Bus, Reconnected, Subscription
from lilygames.chat.host import packets
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import EVERYONE, Audience
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person
from lilygames.chat.talk.talk import remembered
from lilygames.chat.tasks.periodic import regularly
from lilygames.nodes.follow import Follower, Refresh
from lilygames.nodes.hints.invalidation import EVERYBODY
from lilygames.nodes.membership.heartbeat import BEAT, must_agree
from lilygames.nodes.membership.membership import Membership
from lilygames.nodes.order.numbered import Counts, Received
from lilygames.nodes.order.predecessor import NOBODY, Predecessor
from lilygames.nodes.presence.remote_terminal import Held, opened, topic_of
from lilygames.nodes.presence.roster import Roster
from lilygames.nodes.room_talk import RoomTalk
from lilygames.nodes.shared_limits import SharedLimits
from lilygames.store import StoreUnavailable
from lilygames.tables.open.tables import Tables
from lilygames.tables.restore.known_headers import KnownHeaders
from lilygames.text import count

log = structlog.get_logger()
GLANCE = 0.005
WAY = 5.0
"""Seconds to wait for the other nodes to hear that this one is restarting. Those that have just died never will."""
SWEEP = 30.0
"""Seconds between checks for tables that no node runs."""


def fresh_name() -> str:
    """Return a new node name. Each process is a node of its own, also after a restart."""
    return secrets.token_hex(4)


class Node:
    """A server that serves some of the people of a place and knows about the others."""

    def __init__(
        self,
        host: Host,
        tables: Tables,
        *,
        membership: Membership,
        roster: Roster,
        bus: Bus,
        records: Mapping[str, Refresh],
        follower: Follower,
        limits: SharedLimits,
        room_talk: RoomTalk,
    ) -> None:
        self.name = membership.name
        self.beats = membership.beats
        self.roster = roster
        self._host = host
        self._tables = tables
        self._bus = bus
        self._records = records
        """The kinds of records to follow, and the function that reads one again."""
        self.follower = follower
        self._limits = limits
        self.room_talk = room_talk
        self._tasks: list[asyncio.Task[None]] = []
        self._received: defaultdict[str, Received[Mapping[str, Any]]] = defaultdict(Received)
        """The messages of each other node for people here."""
        self._holding: set[str] = set()
        """Nodes that hold back their messages for people here, because this node is restarting."""
        self._lives: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = ()
        """Tasks that start when this node wakes."""
        self._awake = False

    async def begin(
        self,
        before: Predecessor = NOBODY,
        *,
        at_once: bool = True,
        known: KnownHeaders = KnownHeaders(),  # noqa: B008 - it is frozen
    ) -> None:
        """Start this node, and take over from the one `before`, if there is one. Raises `StoreUnavailable`.

        Unless `at_once`, tables that may wait are left for later; the headers `known` needn't be read for that.

        The other nodes are followed from `wake` on.
        """
        tables = self._tables
        await must_agree(tables.store, before.node)
        mine = self._bus.subscribe(topic_of(self.name))
        hearing = asyncio.get_running_loop().create_task(self._hearing(mine, before))
        self._tasks.append(hearing)
        if before.node:
            await asyncio.wait({hearing}, timeout=WAY)
        await self.look()
        await self.follower.begin(at_once=at_once, known=known)

        async def listen() -> None:
            await hearing
            async for hint in mine:
                await self._hear(hint)

        self._lives = (
            listen,
            self.follower.listen,
            self.follower.listen_to_tables,
            self.follower.listen_to_rooms,
            self.follower.watch,
            self._limits.listen,
            self.room_talk.listen,
            self.room_talk.watch,
            partial(regularly, SWEEP, tables.restoring.sweep, "cannot check for tables that no node runs"),
        )
        self._run(partial(regularly, BEAT, self.look, "cannot send a heartbeat"))
        if before.node:
            await self._say(**before.fields)  # the heartbeat says so too, in case the bus loses it

    async def _hearing(self, mine: Subscription, before: Predecessor) -> None:
        """Take over from the node `before` once the bus is there: what the others send earlier reaches nobody."""
        with suppress(StopAsyncIteration):
            await anext(mine)
            self.beats.follow(before)

    def wake(self) -> None:
        """Start to follow the other nodes."""
        self._awake = True
        lives, self._lives = self._lives, ()
        self._run(*lives)

    async def make_way(self) -> None:
        """Return when all other nodes hold back their messages for people here, or after a timeout.

        After that, people here are shown no messages of other nodes. Later ones are sent again to the next process.
        """
        with suppress(StoreUnavailable):
            await self.look()  # a node may only seem late because nobody has looked since its last heartbeat
        await self._say(leaves=self.name)
        with suppress(TimeoutError):
            async with asyncio.timeout(WAY):
                while not self._others <= self._holding:  # noqa: ASYNC110 - no single event says so
                    await asyncio.sleep(GLANCE)
        await self.room_talk.rest()
        self._awake = False

    @property
    def arrived(self) -> dict[str, int]:
        """How many messages of each other node for people here have arrived."""
        return {node: one.count for node, one in self._received.items() if one.count}

    @property
    def _others(self) -> set[str]:
        """The other nodes that are alive for all we know."""
        return {node for node in self.beats.live - {self.name} if not self.beats.is_late(node)}

    async def _say(self, **what: Any) -> None:
        """Send a message to all other nodes."""
        await self._bus.publish(EVERYBODY, json.dumps({"from": self.name, **what}).encode())

    def _run(self, *lives: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._tasks += [asyncio.get_running_loop().create_task(life()) for life in lives]

    async def _hear(self, hint: bytes | Reconnected) -> None:
        """Show people here the messages of another node, in order."""
        if isinstance(hint, Reconnected):
            return
        try:
            message = json.loads(hint)
            match message:
                case {"again": [int(first), int(last)], "from": str(node)}:
                    await self.roster.post.again(node, first, last)
                case {"number": int()} if not self._awake:
                    pass
                case {"number": int(number), "from": str(node)}:
                    await self._show(*self._received[node].take(number, message))
                    await self._ask_again(node, self._received[node].gap())
        except Exception:
            log.exception("cannot read a message of another node")

    async def _ask_again(self, node: str, gap: tuple[int, int] | None) -> None:
        """Ask a node for messages that haven't arrived, if there are any."""
        if gap:
            await self._bus.publish(topic_of(node), json.dumps({"from": self.name, "again": gap}).encode())

    async def _check_messages(self) -> None:
        """Ask the other nodes for messages that they say they have sent here, and drop those that they have got."""
        for node in sorted(self.beats.live):
            if seen := self.beats.known(node):
                self.roster.post.arrived(node, seen.arrived)
                await self._ask_again(node, self._received[node].check(seen.sent))
        for node, received in [*self._received.items()]:
            before = received.count
            overdue = received.overdue(is_dead=node not in self.beats.live)
            if lost := received.count - before - len(overdue):
                log.warning("messages of another node are lost", node=node, messages=lost)
            await self._show(*overdue)

    @property
    def _counts(self) -> Counts:
        return Counts(self.roster.post.counts, self.arrived)

    async def _show(self, *messages: Mapping[str, Any]) -> None:
        """Show people here the messages of another node."""
        for message in messages:
            try:
                await self._show_one(message)
            except Exception:
                log.exception("cannot read a message for people here")

    async def _show_one(self, message: Mapping[str, Any]) -> None:
        names, what = opened(message)
        if isinstance(what, Held):
            self._holding.add(what.node)
        elif isinstance(what, ChatEvent):
            await self._read_new_room(what)
            if self.room_talk.sent_past_order(what):
                self._told(what, self._audience(names))
        else:
            for person in self._called(names):
                person.show(*what)

    def _called(self, names: Iterable[str]) -> list[Person]:
        """Return the people of these names who are connected to this node."""
        return [person for name in names if (person := self._host.people.known(fold(name))) and person.local]

    def _audience(self, names: Iterable[str]) -> Audience[Person]:
        """Return the people here that a message is for, by their names or by the mark of an audience."""
        match [*names]:
            case [mark] if mark == EVERYONE:
                return self._host.people.near
            case [mark] if mark.startswith("-") and (room := self._host.rooms.called(mark[1:])):
                return room.people.near
        return self._host.audience(self._called(names))

    async def _read_new_room(self, chat_event: ChatEvent) -> None:
        """Read a room that was just made at another node, whose hint may be slower than the event."""
        for name in chat_event.rooms if chat_event.kind == "create" else ():
            if self._host.rooms.called(name) is None:
                with suppress(StoreUnavailable):
                    await self._records["discussion"](fold(name))

    def _told(self, chat_event: ChatEvent, audience: Audience[Person]) -> None:
        packets.said(self._host, chat_event, [*audience.programs])
        self._host.deliver(chat_event, audience)
        for person in audience.people if chat_event.kind == "private" else ():
            if fold(person.name) in map(fold, chat_event.to):
                remembered(person, chat_event)
                self._host.quotas.wrote(chat_event.by, [person.name])

    async def look(self) -> None:
        """Beat once, and check that people are where their nodes say. Raises `StoreUnavailable`."""
        await self.roster.news.send_to_all()
        dead, buried = await self.beats.beat(people=self.roster.announced, messages=self._counts)
        for node in sorted(dead):
            lost = self.roster.lost([node])
            if lost:
                self._host.announce(f"*** {count(lost, 'player')} disconnected at once; their seats are kept ***")
        for node in sorted(self.beats.live):
            seen = self.beats.known(node)
            if seen and self.roster.post.waits_for_next(seen.follows.node):
                self.beats.has_made_way(seen.follows.node)
                self.roster.post.moved(seen.follows, node)
        others = {node: seen.people for node in sorted(self.beats.live) if (seen := self.beats.known(node))}
        await self.roster.catch_up(others)
        if self._awake:
            await self._check_messages()
        if self._awake:  # before that, people who resume have no terminals yet, and the others would count them as gone
            self.roster.glance()
        for node in sorted(buried):
            self.roster.post.forget(node)
            self._received.pop(node, None)
            if self.beats.rank(node) == 0:
                await self.roster.bury(node)
                await self.beats.bury(node)

    async def drain(self) -> None:
        """Stop taking new people, and leave shared tasks to other nodes. Raises `StoreUnavailable`."""
        await self.beats.drain()

    async def end(self) -> None:
        """Stop this node, and tell the others at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.room_talk.end()
        await self.roster.finish()
        try:
            await self.beats.stop()
        except StoreUnavailable as problem:
            log.warning("cannot tell the other nodes that this one stopped; they will notice", why=str(problem))
        await self._bus.close()
