"""One node of a place: its heart, its ears, and what it does when another falls silent."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import structlog

from lilygames.bus import Bus, Reconnected
from lilygames.chat import packets
from lilygames.chat.events import Happening
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.chat.periodic import regularly
from lilygames.chat.talk import remembered
from lilygames.nodes.follow import Follower, Refresh
from lilygames.nodes.heartbeat import BEAT
from lilygames.nodes.invalidation import EVERYBODY
from lilygames.nodes.membership import Membership
from lilygames.nodes.remote_terminal import Held, opened, topic_of
from lilygames.nodes.roster import Roster
from lilygames.store import StoreUnavailable
from lilygames.tables.tables import Tables
from lilygames.text import count

log = structlog.get_logger()
GLANCE = 0.005
WAY = 1.0
"""Seconds in which every other node has heard that this one makes way."""
SWEEP = 30.0
"""Seconds between two looks for tables that nobody goes on with."""


def fresh_name() -> str:
    """Return the name of a node that begins now: a process that begins anew is another node."""
    return secrets.token_hex(4)


class Node:
    """A host that serves some of the people of a place, and knows of the others."""

    def __init__(
        self,
        host: Host,
        tables: Tables,
        *,
        membership: Membership,
        roster: Roster,
        bus: Bus,
        records: Mapping[str, Refresh],
    ) -> None:
        self.name = membership.name
        self.beats = membership.beats
        self.roster = roster
        self._host = host
        self._tables = tables
        self._bus = bus
        self._records = records
        """The records that are followed, by kind, and what reads one anew."""
        self._tasks: list[asyncio.Task[None]] = []
        self._holding: set[str] = set()
        """The nodes that keep what they have for people here, since this one makes way."""
        self._lives: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = ()
        """What begins when this node wakes."""
        self._awake = False

    async def begin(self, before: str = "") -> None:
        """Live from now on, and take over from the node `before`, if there is one; raises `StoreUnavailable`.

        What the others do is followed from `wake` on.
        """
        tables = self._tables
        follower = Follower(tables, self.roster, self.beats, self._bus, self._records)
        mine = self._bus.subscribe(topic_of(self.name))
        await self._look()
        await tables.results.ratings.load()
        await follower.begin()

        async def listen() -> None:
            async for hint in mine:
                self._hear(hint)

        self._lives = (
            listen,
            follower.listen,
            follower.watch,
            partial(regularly, SWEEP, tables.sweep, "tables cannot be looked for"),
        )
        self._run(partial(regularly, BEAT, self._look, "this node cannot beat"))
        if before:
            await self._say(follows=before)

    def wake(self) -> None:
        """Hear the other nodes, and follow what they do."""
        self._awake = True
        lives, self._lives = self._lives, ()
        self._run(*lives)

    async def make_way(self) -> None:
        """Return when all other nodes keep what they have for people here, or after a while."""
        await self._say(leaves=self.name)
        with suppress(TimeoutError):
            async with asyncio.timeout(WAY):
                while not self.beats.live - {self.name} <= self._holding:  # noqa: ASYNC110 - each is heard by itself
                    await asyncio.sleep(GLANCE)

    async def _say(self, **what: str) -> None:
        """Let all other nodes know something."""
        await self._bus.publish(EVERYBODY, json.dumps({"from": self.name, **what}).encode())

    def _run(self, *lives: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._tasks += [asyncio.get_running_loop().create_task(life()) for life in lives]

    def _hear(self, hint: bytes | Reconnected) -> None:
        """Show people here what another node has for them."""
        if isinstance(hint, Reconnected):
            return
        try:
            names, what = opened(hint)
            people = [person for name in names if (person := self._host.people.get(fold(name))) and person.near]
            if isinstance(what, Held):
                self._holding.add(what.node)
            elif isinstance(what, Happening):
                self._told(what, people)
            else:
                for person in people:
                    person.show(*what)
        except Exception:
            log.exception("a hint for people here cannot be read")

    def _told(self, happening: Happening, people: list[Person]) -> None:
        audience = self._host.audience(people)
        packets.said(happening, [*audience.programs])
        self._host.deliver(happening, audience)
        for person in people if happening.kind == "private" else ():
            if fold(person.name) in map(fold, happening.to):
                remembered(person, happening)

    async def _look(self) -> None:
        """Beat once, and see to it that people are where their nodes say; raises `StoreUnavailable`."""
        self.beats.people = self.roster.changes
        dead, buried = await self.beats.beat()
        for node in sorted(dead):
            lost = self.roster.lost([node])
            if lost:
                self._host.announce(f"*** {count(lost, 'line')} dropped at once; the seats are kept ***")
        others = {node: seen.people for node in sorted(self.beats.live) if (seen := self.beats.known(node))}
        if any(self.roster.heard.get(node, 0) != people for node, people in others.items()):
            await self.roster.reload(self.beats.live, others)
        if (
            self._awake
        ):  # before that, people whom it takes up have no terminals yet, and the others would lose sight of them
            self.roster.glance()
        for node in sorted(buried):
            self.roster.post.forget(node)
            if self.beats.rank(node) == 0:
                await self.roster.bury(node)
                await self.beats.bury(node)

    async def drain(self) -> None:
        """Take nobody in any more, and let other nodes be the first to do what any may; raises `StoreUnavailable`."""
        self.beats.draining = True
        await self.beats.beat()

    async def end(self) -> None:
        """Be no node any more: the others learn it at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.roster.finish()
        try:
            await self.beats.stop()
        except StoreUnavailable as problem:
            log.warning("the other nodes learn only by silence that this one is gone", why=str(problem))
        await self._bus.close()
