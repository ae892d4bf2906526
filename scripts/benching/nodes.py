"""Clusters of simulated nodes for `scripts/capacity`: what each node does while people play.

Each node is a process with a heap of its own, as on a machine of its own. In one process, the objects of all nodes lie
between each other. A check of the same 1,000 people took 1.4 times as long there with eight nodes as with two.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from asyncio.subprocess import Process
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import attrs

from lilygames.gametest.stage import SETTINGS
from lilygames.nodes.membership.heartbeat import BEAT, LOOKS
from scripts.benching import node_process
from scripts.benching.sharing import NodeAway, Shared

SIZE = 4
"""People per table."""
SEATED = 0.6
"""The part of the people who sit at tables; the others are in the lobby."""
MIXED = 4
"""One table in so many has a player at the next node."""
EVERY = 8
"""Seconds between two moves of a table. So often each node checks what it follows, and beats every other second."""
TOGETHER = 20
"""People who log in at each node before the others follow."""
STAYS = 300
"""Seconds after which a person in a lobby logs out and another one logs in."""
HALL = "hall"
"""The room of everyone, when one is measured."""
CACHE = bytes(64 << 20)
"""More memory than a processor caches."""


@attrs.frozen
class Cost:
    """The mean costs of one node, all per second of play: CPU seconds, and what it handled."""

    moves: float
    logins: float
    """For people who come and go, at any node."""
    tables: float
    """To check the tables that it follows, in case hints were lost."""
    people: float
    """To beat, and to check where its people are."""
    hints: float
    followed: float
    """Entries that another node appended."""
    queries: float

    @property
    def cpu(self) -> float:
        """All CPU seconds per second of play."""
        return self.moves + self.logins + self.tables + self.people


@attrs.frozen
class Said:
    """The costs of one line in a room, for all nodes together and without its screens."""

    cpu: float
    hints: float
    shown: float
    """People who read it."""


class Cluster:
    """Some nodes, and people at tables of each. Nodes do one thing after the other, so that only one uses the CPU."""

    def __init__(self, shared: Shared, nodes: Sequence[NodeAway], processes: Sequence[Process]) -> None:
        self._shared = shared
        self.nodes = [*nodes]
        self._processes = [*processes]
        self.at: dict[str, NodeAway] = {}
        """The node that serves each person."""
        self._to_go: deque[str] = deque()
        """People in lobbies, in the order in which they log out."""
        self._new = count()
        self._measures = False

    async def _each(self, what: str, *args: Any) -> list[Any]:
        """Let each node do something, and return what that returns."""
        return [await self._do(node, what, *args) for node in self.nodes]

    async def _do(self, node: NodeAway, what: str, *args: Any) -> Any:
        """Let a node do something. While costs are measured, its caches are cold, however many others there are."""
        if self._measures:
            CACHE.count(1)
        return await node.do(what, *args)

    async def _measure(self) -> None:
        """Measure costs from now on."""
        if not self._measures:
            await self._each("freeze")
        await self._each("begin")
        for node in self.nodes:
            node.counts.clear()
        self._measures = True

    async def settle(self) -> None:
        """Return when all nodes have followed what has happened."""
        before = -1
        while self._shared.messages != before:
            before = self._shared.messages
            await self._each("settle")

    async def beat(self) -> None:
        """Let each node beat, and check where its people are."""
        await self._each("beat")
        await self.settle()

    async def fill(self, people: int) -> None:
        """Log so many people in at each node, and let them begin to play."""
        for first in range(0, people, TOGETHER):
            for where, node in enumerate(self.nodes):
                await self.login(node, (f"p{where}x{n}" for n in range(first, min(first + TOGETHER, people))))
            await self.settle()
            await self.beat()
        tables = int(people * SEATED) // SIZE
        order = sorted(range(people), key=lambda n: n % 5 >= 5 * SEATED)  # every lobby has people at tables and others
        for table in range(tables):
            seated = []
            for where in range(len(self.nodes)):
                names = [f"p{where}x{n}" for n in order[table * SIZE : (table + 1) * SIZE]]
                if table % MIXED == 0 and len(self.nodes) > 1:
                    names[-1] = f"p{(where + 1) % len(self.nodes)}x{order[-1 - table // MIXED]}"
                seated.append(names)
            await self._begin(seated)
        free = order[tables * SIZE : people - tables // MIXED - 1]
        self._to_go += [f"p{where}x{n}" for n in free for where in range(len(self.nodes))]
        for _ in range(2):
            await self._wait()

    async def _begin(self, tables: Sequence[Sequence[str]]) -> None:
        """Let people begin to play at new tables."""
        numbers = [await self.at[first].do("open", first, "/new ohell max=10") for first, *_ in tables]
        await self.settle()
        for names, number in zip(tables, numbers, strict=True):
            for name in names[1:]:
                await self._type(name, f"/sit {number}")
        await self.settle()
        for first, *_ in tables:
            await self._type(first, "/start")
        await self.settle()

    async def login(self, node: NodeAway, names: Iterable[str]) -> None:
        """Log people in at a node."""
        names = [*names]
        await node.do("login", *names)
        self.at |= dict.fromkeys(names, node)

    async def _type(self, name: str, line: str) -> None:
        await self.at[name].do("type", name, line)

    async def _move(self) -> None:
        """Let the next person at each table make a move."""
        movers = [(node, await node.do("movers")) for node in self.nodes]
        await self._each("charge", "nothing")
        done: set[int] = set()
        for node, names in movers:
            await self._do(node, "move", {number: name for number, name in names.items() if number not in done})
            done |= names.keys()
        await self.settle()

    async def _come_and_go(self) -> None:
        """Let people log out, and as many others in at the same nodes: as many as do so between two moves."""
        pairs: dict[NodeAway, list[tuple[str, str]]] = {node: [] for node in self.nodes}
        for _ in range(round(len(self.at) * EVERY / STAYS)):
            gone, name = self._to_go.popleft(), f"new{next(self._new)}"
            node = self.at[name] = self.at.pop(gone)
            pairs[node].append((gone, name))
            self._to_go.append(name)
        for node, some in pairs.items():
            await self._do(node, "replace", *some)
        await self.settle()

    async def _wait(self) -> None:
        """Let the time between two heartbeats pass."""
        await self._each("wait")
        await self.settle()

    async def play(self) -> Cost:
        """Let every table make a move, with the checks of the time until the next one; return what a node costs."""
        await self._measure()
        await self._move()
        await self._each("charge", "moves")
        await self._come_and_go()
        await self._each("charge", "logins")
        for _ in range(EVERY // int(BEAT)):
            await self._wait()
            await self._each("charge", "people")
        seconds = EVERY * len(self.nodes)
        spent = await self._each("spent")
        cpu = sum((one for one, _ in spent), Counter[str]())
        counts = sum((one for _, one in spent), sum((node.counts for node in self.nodes), Counter[str]()))
        return Cost(
            *(cpu[name] / seconds for name in ("moves", "logins", "tables", "people")),
            *(counts[name] / seconds for name in ("hints", "followed", "queries")),
        )

    async def gather(self, people: int) -> None:
        """Log so many people in at each node, and put all of them into one room without telling anyone."""
        for first in range(0, people, TOGETHER):
            for where, node in enumerate(self.nodes):
                names = [f"p{where}x{n}" for n in range(first, min(first + TOGETHER, people))]
                await node.do("gather", HALL, *names)
                self.at |= dict.fromkeys(names, node)
            await self.settle()
        await self.beat()

    async def say(self, lines: int) -> Said:
        """Let people at the first node say a line in the room, at most so many, and return what one costs."""
        names = [name for name, node in self.at.items() if node is self.nodes[0]][:lines]
        await self._each("mute")
        await self._measure()
        for name in names:
            await self._each("charge", "nothing")
            await self.settle()
            await self._each("charge", "idle")
            await self._type(name, "hello")
            await self.settle()
            await self._each("charge", "lines")
        spent = await self._each("spent")
        cpu = sum(one["lines"] - one["idle"] for one, _ in spent)
        hints, shown = sum(node.counts["hints"] for node in self.nodes), sum(counts["shown"] for _, counts in spent)
        return Said(cpu / len(names), hints / len(names), shown / len(names))

    async def lose_one(self) -> tuple[int, float, float]:
        """Kill a node, and let its people log in at the others. Return how many, and CPU seconds at each other node.

        The first time is for finding out that it is dead and running its tables, the second for the logins.
        """
        lost = self.nodes.pop()
        self._processes.pop().kill()
        lost.lose()
        names = [name for name, node in self.at.items() if node is lost]
        await self._measure()
        await self._each("miss")
        for _ in range(LOOKS + 1):
            await self.beat()
            await self._each("look")
            await self.settle()
        await self._each("charge", "found")
        for first in range(0, len(names), TOGETHER * len(self.nodes)):
            for where, node in enumerate(self.nodes):
                await self.login(node, names[first + where : first + TOGETHER * len(self.nodes) : len(self.nodes)])
            await self.settle()
        await self._each("charge", "back")
        cpu = sum((one for one, _ in await self._each("spent")), Counter[str]())
        return len(names), cpu["found"] / len(self.nodes), cpu["back"] / len(self.nodes)


@contextlib.asynccontextmanager
async def cluster(number: int, lobby: int = SETTINGS.lobby_people) -> AsyncIterator[Cluster]:
    """Yield a cluster of so many nodes on one store in memory. So many people fit into a lobby."""
    shared, nodes, processes = Shared(), list[NodeAway](), list[Process]()
    with tempfile.TemporaryDirectory() as folder:
        socket = str(Path(folder) / "shared")
        server = await asyncio.start_unix_server(lambda *streams: nodes.append(NodeAway(shared, *streams)), socket)
        try:
            for seed in range(number):
                arguments = (node_process.__file__, socket, str(seed), str(lobby))
                processes.append(await asyncio.create_subprocess_exec(sys.executable, *arguments))
                while len(nodes) <= seed:  # noqa: ASYNC110 - it only takes a moment
                    await asyncio.sleep(0.01)
                await nodes[seed].ready.wait()
            yield Cluster(shared, nodes, processes)
        finally:
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            server.close()
