"""Clusters of simulated nodes in one process, for `scripts/capacity`: what each node does while people play."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from itertools import count
from operator import add
from typing import Any, cast
from unittest import mock

import attrs

from lilygames.bus import Reconnected, Subscription
from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, Screen, Stage
from lilygames.nodes.heartbeat import BEAT, LOOKS, SILENCE
from lilygames.nodes.node import Node
from lilygames.store import Store
from lilygames.store.memory import MemoryStore
from lilygames.tables.runner import Runner

SIZE = 4
"""People per table."""
SEATED = 0.6
"""The part of the people who sit at tables; the others are in the lobby."""
MIXED = 4
"""One table in so many has a player at the next node."""
EVERY = 8
"""Seconds between two moves of a table. So often each node checks what it follows, and beats every other second."""
TOGETHER = 20
"""People who log in before the other nodes follow."""
STAYS = 300
"""Seconds after which a person in a lobby logs out and another one logs in."""
HALL = "hall"
"""The room of everyone, when one is measured."""
NEVER = 1e6
"""Seconds that no measurement takes."""
TURNS = 60
"""Turns of the event loop in which the other nodes follow what has happened."""


class CountingStore:
    """The store as one node uses it; it counts the queries."""

    def __init__(self, store: Store, counts: Counter[str]) -> None:
        self._store = store
        self._counts = counts

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        async def counted(*args: Any, **kwargs: Any) -> Any:
            self._counts["queries"] += 1
            return await call(*args, **kwargs)

        return counted


class SharedBus:
    """The bus of all nodes; it counts the hints that each node receives."""

    def __init__(self) -> None:
        self._readers: defaultdict[str, dict[Subscription, Counter[str]]] = defaultdict(dict)

    def subscribe(self, topic: str, counts: Counter[str]) -> Subscription:
        """Subscribe to a topic for a node with these counts."""
        readers = self._readers[topic]
        hints = Subscription(lambda gone: readers.pop(gone, None))
        readers[hints] = counts
        hints.put(Reconnected())
        return hints

    def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic."""
        for hints, counts in [*self._readers[topic].items()]:
            counts["hints"] += 1
            hints.put(hint)


class NodeBus:
    """The bus as one node uses it. Implements `lilygames.bus.Bus`."""

    def __init__(self, bus: SharedBus, counts: Counter[str]) -> None:
        self._bus = bus
        self._counts = counts

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic."""
        self._bus.publish(topic, hint)

    def subscribe(self, topic: str) -> Subscription:
        """Subscribe to a topic."""
        return self._bus.subscribe(topic, self._counts)

    async def close(self) -> None:
        """Leave the bus to the other nodes."""


@attrs.frozen
class Simulated:
    """A node of the cluster, with the counts of what it does."""

    stage: Stage
    counts: Counter[str]

    @property
    def node(self) -> Node:
        """The node itself."""
        return cast("Node", self.stage.place.node)


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


@attrs.frozen
class Said:
    """The costs of one line in a room, for all nodes together and without its screens."""

    cpu: float
    hints: float
    shown: float
    """People who read it."""


async def turn() -> None:
    """Let all nodes follow what has happened."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


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


class Cluster:
    """Some nodes, and people at tables of each."""

    def __init__(self, nodes: Sequence[Simulated], clock: Clock) -> None:
        self.nodes = [*nodes]
        self._clock = clock
        self.at: dict[str, Simulated] = {}
        """The node that serves each person."""
        self.tables: list[int] = []
        self._to_go: deque[str] = deque()
        """People in lobbies, in the order in which they log out."""
        self._new = count()

    async def fill(self, people: int) -> None:
        """Log so many people in at each node, and let them begin to play."""
        for n in range(people):
            for where, node in enumerate(self.nodes):
                await self.login(f"p{where}x{n}", node)
            if n % TOGETHER == 0:
                await turn()
                await self.beat()
        await turn()
        await self.beat()
        tables = int(people * SEATED) // SIZE
        order = sorted(range(people), key=lambda n: n % 5 >= 5 * SEATED)  # every lobby has people at tables and others
        for where, node in enumerate(self.nodes):
            for table in range(tables):
                names = [f"p{where}x{n}" for n in order[table * SIZE : (table + 1) * SIZE]]
                if table % MIXED == 0 and len(self.nodes) > 1:
                    names[-1] = f"p{(where + 1) % len(self.nodes)}x{order[-1 - table // MIXED]}"
                await self._begin(node, names)
        free = order[tables * SIZE : people - tables // MIXED - 1]
        self._to_go += [f"p{where}x{n}" for n in free for where in range(len(self.nodes))]
        for _ in range(2):
            await self.beat()
            await self.look()

    async def _begin(self, node: Simulated, names: Sequence[str]) -> None:
        first = names[0]
        await self.type(first, "/new ohell max=10")
        number = max(node.stage.place.tables.open)
        await turn()
        for name in names[1:]:
            await self.type(name, f"/sit {number}")
            await turn()
        await self.type(first, "/start")
        await turn()
        self.tables.append(number)

    async def login(self, name: str, node: Simulated) -> None:
        """Log someone in at a node."""
        host = node.stage.place.host
        await host.meet(name)
        await host.tables.ready_for(name)
        node.stage.enter(name)
        self.at[name] = node

    async def type(self, name: str, line: str) -> None:
        """Let someone type a line."""
        stage = self.at[name].stage
        await stage.place.host.dispatcher.hear(stage.people[name], line)

    async def look(self) -> None:
        """Let each node check what it follows, as it does every second."""
        self._clock.tick()
        for node in self.nodes:
            await node.node.follower.look()
        await turn()

    async def beat(self) -> None:
        """Let each node beat, and check where its people are."""
        for node in self.nodes:
            await node.node._look()  # noqa: SLF001 - this stands in for its periodic task
            await node.node.room_talk.look()
        await turn()

    async def move(self) -> int:
        """Let the next person at each table make a move; return how many did."""
        moved = 0
        for number in self.tables:
            table = next(one for node in self.nodes if (one := node.stage.place.tables.open.get(number))).table
            names = [table.seats[seat].name for seat in table.to_move]
            for name in [name for name in names if name in self.at][:1]:
                stage = self.at[name].stage
                bot = stage.place.tables.open[number]
                await self.type(name, f"/{bot.words(stage.people[name])[0]}")
                moved += 1
        await turn()
        return moved

    async def come_and_go(self) -> None:
        """Let people log out, and as many others in at the same nodes: as many as do so between two moves."""
        for number in range(round(len(self.at) * EVERY / STAYS)):
            gone = self._to_go.popleft()
            node = self.at.pop(gone)
            node.stage.drop(gone)
            name = f"new{next(self._new)}"
            await self.login(name, node)
            self._to_go.append(name)
            if number % TOGETHER == 0:
                await turn()
        await turn()

    async def play(self, rounds: int) -> Cost:
        """Let every table make some moves, with the checks of as many seconds, and return what a node costs."""
        for node in self.nodes:
            node.counts.clear()
        begun = time.process_time()
        moves = logins = tables = 0.0
        for _ in range(rounds):
            moves -= time.process_time()
            await self.move()
            moves += time.process_time()
            logins -= time.process_time()
            await self.come_and_go()
            logins += time.process_time()
            for second in range(EVERY):
                tables -= time.process_time()
                await self.look()
                tables += time.process_time()
                if second % int(BEAT) == 0:
                    await self.beat()
        people = time.process_time() - begun - moves - logins - tables
        seconds = rounds * EVERY * len(self.nodes)
        total = sum((node.counts for node in self.nodes), Counter[str]())
        counts = (total[name] / seconds for name in ("hints", "followed", "queries"))
        return Cost(moves / seconds, logins / seconds, tables / seconds, people / seconds, *counts)

    async def gather(self, people: int) -> None:
        """Log so many people in at each node, and put all of them into one room without telling anyone."""
        for node in self.nodes:
            node.stage.place.host.open_room(HALL, "where everyone is")
        for number in range(people * len(self.nodes)):
            node = self.nodes[number % len(self.nodes)]
            await self.login(name := f"p{number}", node)
            host = node.stage.place.host
            host.rooms[HALL].people[name] = person = host.people[name]
            person.speak_in(host.rooms[HALL])
            node.node.roster.changed(person)
            if number % TOGETHER == 0:
                await turn()
        await turn()
        await self.beat()

    async def say(self, lines: int) -> Said:
        """Let people at the first node say a line in the room, at most so many, and return what one costs."""
        names = [name for name, node in self.at.items() if node is self.nodes[0]][:lines]
        shown, hints = 0, sum(node.counts["hints"] for node in self.nodes)
        cpu = idle = 0.0

        def show(*_: object) -> None:
            nonlocal shown
            shown += 1

        with mock.patch.object(Screen, "show", show):
            for name in names:
                idle -= time.process_time()
                await turn()
                idle += time.process_time()
                cpu -= time.process_time()
                await self.type(name, "hello")
                await turn()
                cpu += time.process_time()
        hints = sum(node.counts["hints"] for node in self.nodes) - hints
        many = len(names)
        return Said((cpu - idle) / many, hints / many, shown / many)

    async def lose_one(self) -> tuple[int, float, float]:
        """Kill a node, and let its people log in at the others. Return how many, and CPU seconds at each other node.

        The first time is for finding out that it is dead and running its tables, the second for the logins.
        """
        lost = self.nodes.pop()
        for task in lost.node._tasks:  # noqa: SLF001 - it gets no farewell
            task.cancel()
        names = [name for name, node in self.at.items() if node is lost]
        begun = time.process_time()
        for node in self.nodes:
            beats = node.node.beats
            beats._now = partial(add, beats._now(), SILENCE)  # noqa: SLF001 - time passes
        for _ in range(LOOKS + 1):
            await self.beat()
            await self.look()
        found = time.process_time()
        for n, name in enumerate(names):
            await self.login(name, self.nodes[n % len(self.nodes)])
            if n % TOGETHER == 0:
                await turn()
        await self.look()
        many = len(self.nodes)
        return len(names), (found - begun) / many, (time.process_time() - found) / many


@contextlib.contextmanager
def without_clock() -> Iterator[Clock]:
    """Let nodes check nothing by themselves, and let the garbage of all of them wait: one process has to hold them."""
    with (
        mock.patch("lilygames.nodes.follow.time", clock := Clock()),
        mock.patch("lilygames.nodes.follow.GLANCE", NEVER),
        mock.patch("lilygames.nodes.follow.MOMENT", 0),
        mock.patch("lilygames.nodes.node.BEAT", NEVER),
        mock.patch("lilygames.nodes.room_talk.BEAT", NEVER),
    ):
        gc.collect()
        gc.disable()
        yield clock
        gc.enable()


@contextlib.contextmanager
def counting_entries(nodes: Sequence[Simulated]) -> Iterator[None]:
    """Count the entries that each node reads of other nodes."""
    read, by_name = vars(Runner)["_read"], {node.node.name: node.counts for node in nodes}

    async def counted(runner: Runner, entry: Any) -> Any:
        by_name[runner.services.node]["followed"] += 1
        return await read(runner, entry)

    with mock.patch.object(Runner, "_read", counted):
        yield


@contextlib.asynccontextmanager
async def cluster(number: int, lobby: int = SETTINGS.lobby_people) -> AsyncIterator[Cluster]:
    """Yield a cluster of so many nodes, all in this process and on one store in memory. So many fit into a lobby."""
    settings = attrs.evolve(SETTINGS, lobby_people=lobby)
    store, bus, nodes = MemoryStore(), SharedBus(), list[Simulated]()
    with without_clock() as clock:
        for n in range(number):
            counts: Counter[str] = Counter()
            near = cast("Store", CountingStore(store, counts))
            stage = await Stage.open(games(), store=near, seed=str(n), bus=NodeBus(bus, counts), settings=settings)
            nodes.append(Simulated(stage, counts))
        with counting_entries(nodes):
            yield Cluster(nodes, clock)
        for node in nodes:
            await node.node.end()
