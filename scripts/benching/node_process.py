"""A simulated node in a process of its own, for `scripts/capacity`. It does what `scripts/benching/nodes.py` tells it.

Usage: node_process.py SOCKET SEED LOBBY
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from operator import add
from pathlib import Path
from typing import Any, cast
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import attrs
import structlog

from lilygames.chat.names.names import fold
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, Screen, Stage
from lilygames.nodes.membership.heartbeat import BEAT, SILENCE
from lilygames.nodes.node import Node
from lilygames.store import Store
from lilygames.tables.play.runner import Runner
from scripts.benching.sharing import BusAway, Connection, StoreAway

NEVER = 1e6
"""Seconds that no measurement takes."""
IDLE = 10
"""Turns of the event loop without a query after which a node has nothing left to do."""


class Clock:
    """The time of a simulated cluster, in seconds. It replaces the module `time` where nodes check something."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        """Return the time."""
        return self.now

    def tick(self) -> None:
        """Let a second pass."""
        self.now += 1


class NodeProcess:
    """A node and its people. Each public method is something that it can be told to do."""

    def __init__(self, stage: Stage, clock: Clock, connection: Connection) -> None:
        self._stage = stage
        self._clock = clock
        self._connection = connection
        self._here: set[str] = set()
        """The names of the people served here."""
        self._cpu: Counter[str] = Counter()
        """CPU seconds by what they were spent for."""
        self._counts: Counter[str] = Counter()
        self._charged = time.process_time()
        """The CPU time up to which it is known what it was spent for."""
        self._count_entries()

    @property
    def _node(self) -> Node:
        return cast("Node", self._stage.place.node)

    def _count_entries(self) -> None:
        """Count the entries of other nodes that this one reads from now on."""
        read = vars(Runner)["_read"]

        async def counted(runner: Runner, entry: Any) -> Any:
            self._counts["followed"] += 1
            return await read(runner, entry)

        mock.patch.object(Runner, "_read", counted).start()

    async def settle(self) -> None:
        """Return when this node has nothing left to do, as far as hints have come."""
        turns = 0
        while turns < IDLE:
            if self._connection.waiting:
                await asyncio.wait([*self._connection.waiting.values()])
                turns = 0
            await asyncio.sleep(0)
            turns += 1

    async def charge(self, what: str) -> None:
        """Note what the CPU time since the last call was spent for."""
        now = time.process_time()
        self._cpu[what] += now - self._charged
        self._charged = now

    async def spent(self) -> tuple[Counter[str], Counter[str]]:
        """Return the CPU seconds by what they were spent for, and the counts of what this node did."""
        return self._cpu, self._counts

    async def freeze(self) -> None:
        """Let no garbage collection look at the objects that are there, as a server does after its start."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(1_000, 200, 50)

    async def begin(self) -> None:
        """Forget what was measured."""
        self._cpu.clear()
        self._counts.clear()
        await self.charge("nothing")

    # people

    async def login(self, *names: str) -> None:
        """Log people in."""
        host = self._stage.place.host
        for name in names:
            await host.meet(name)
            await host.tables.ready_for(name)
            self._stage.enter(name).address = ""  # the quotas of an address aren't measured here
            self._here.add(name)

    async def replace(self, *pairs: tuple[str, str]) -> None:
        """Let someone log out and someone else log in, for each pair of names."""
        for gone, name in pairs:
            self._stage.drop(gone)
            self._here.discard(gone)
            await self.login(name)

    async def type(self, name: str, line: str) -> None:
        """Let someone type a line."""
        await self._stage.place.dispatcher.hear(self._stage.people[name], line)

    async def open(self, name: str, line: str) -> int:
        """Let someone open a table with a line, and return its number."""
        await self.type(name, line)
        return max(bot.table.header.number for bot in self._stage.people[name].seats)  # type: ignore[attr-defined]  # a table's bot

    async def movers(self) -> dict[int, str]:
        """Return the next player at each table that waits for someone here."""
        found = {}
        for number, bot in self._stage.place.tables.open.items():
            names = [bot.table.seats[seat].name for seat in bot.table.to_move] if bot.table.started else []
            if names and names[0] in self._here:
                found[number] = names[0]
        return found

    async def move(self, movers: dict[int, str]) -> None:
        """Let these people make the first legal move, each at a table."""
        for number, name in movers.items():
            bot = self._stage.place.tables.open[number]
            await self.type(name, f"/{bot.words(self._stage.people[name])[0]}")

    async def gather(self, room: str, *names: str) -> None:
        """Log people in and put them into a room without telling anyone."""
        await self.login(*names)
        host = self._stage.place.host
        hall = host.open_room(room, "where everyone is")
        for name in names:
            hall.people[fold(name)] = person = host.people[fold(name)]
            person.speak_in(hall)
            self._node.roster.changed(person)

    async def mute(self) -> None:
        """Show nothing on the screens of people here from now on, but count what is shown."""

        def show(*_: object) -> None:
            self._counts["shown"] += 1

        mock.patch.object(Screen, "show", show).start()

    # time

    async def beat(self) -> None:
        """Beat, and check where people are."""
        await self._node._look()  # noqa: SLF001 - this stands in for its periodic task
        await self._node.room_talk.look()

    async def look(self) -> None:
        """Let a second pass, and check the tables that this node follows."""
        self._clock.tick()
        await self._node.follower.look()

    async def wait(self) -> None:
        """Let the time between two heartbeats pass, with the checks in it."""
        await self.charge("nothing")
        for _ in range(int(BEAT)):
            await self.look()
        await self.charge("tables")
        await self.beat()

    async def miss(self) -> None:
        """Let so much time pass that a node which beats no more is silent."""
        beats = self._node.beats
        beats._now = partial(add, beats._now(), SILENCE)  # noqa: SLF001 - time passes


async def main(socket: str, seed: str, lobby: str) -> None:
    """Be a node until the leading process is gone."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    clock = Clock()
    mock.patch("lilygames.nodes.follow.time", clock).start()
    mock.patch("lilygames.nodes.follow.MOMENT", 0).start()
    for place in ("follow.GLANCE", "node.BEAT", "room_talk.BEAT"):
        mock.patch(f"lilygames.nodes.{place}", NEVER).start()

    async def handle(what: str, *args: Any) -> Any:
        if what == "hint":
            bus.hear(*args)
            return None
        return await getattr(node, what)(*args)

    connection = Connection(*await asyncio.open_unix_connection(socket), handle)
    listening = asyncio.create_task(connection.listen())
    bus = BusAway(connection)
    stage = await Stage.open(
        games(),
        store=cast("Store", StoreAway(connection)),
        seed=seed,
        bus=bus,
        settings=attrs.evolve(SETTINGS, lobby_people=int(lobby)),
    )
    node = NodeProcess(stage, clock, connection)
    connection.send("ready")
    await listening


def run(arguments: Sequence[str]) -> None:
    """Run a node with the arguments of a command line."""
    asyncio.run(main(*arguments))


if __name__ == "__main__":
    run(sys.argv[1:])
