"""A simulated cluster without real time: its nodes, lossy bus and slow store all follow one seed."""

from __future__ import annotations

import asyncio
import itertools
import random
import selectors
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, cast
from unittest import mock

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.store import Entry, Store, StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS

GAMES = TOYS
ENOUGH = 600
"""Log entries after which to stop: two bots at poker can play on for thousands."""
SHORT = {"tally": " max=5"}
"""Options for games that would otherwise never end."""


class _Selector(selectors.SelectSelector):
    """Wait for nothing: if there is nothing to do, advance the time to the next event."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000_000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen again"
        self.now += max(0.0, timeout)
        return []


class _Loop(asyncio.SelectorEventLoop):
    """An event loop with the time of its selector. Work for threads is done at once."""

    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now

    def run_in_executor(self, _: Any, job: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        done = self.create_future()
        done.set_result(job(*args))
        return done


def run(world: Coroutine[Any, Any, None]) -> None:
    """Run a simulation to its end, in simulated time."""
    loop = _Loop()
    names = map("node-{}".format, itertools.count(1))
    with (
        mock.patch("time.monotonic", loop.time),
        mock.patch("time.time", loop.time),
        mock.patch("lilygames.server.place.place.fresh_name", side_effect=names),
    ):
        try:
            loop.run_until_complete(world)
            left = asyncio.all_tasks(loop)
            for task in left:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        finally:
            loop.close()


class BadBus(LocalBus):
    """A bus that drops, repeats, delays and reorders hints."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self._luck = luck
        self.lies_dead = False

    async def publish(self, topic: str, hint: bytes) -> None:
        """Publish a hint, which may be lost."""
        for _ in range(self._luck.choice((0, 1, 1, 1, 2)) if not self.lies_dead else 0):
            delay = self._luck.choice((0.0, 0.001, 0.01, 0.3, 2.0))
            asyncio.get_running_loop().call_later(delay, self._late, topic, hint)

    def _late(self, topic: str, hint: bytes) -> None:
        asyncio.get_running_loop().create_task(super().publish(topic, hint))


class FarStore:
    """A store as one node reaches it: slow, sometimes without an answer, and never after the node has died."""

    def __init__(self, store: MemoryStore, luck: random.Random) -> None:
        self._store = store
        self._luck = luck
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        async def reach(*args: Any, **kwargs: Any) -> Any:
            await self._on_its_way()
            answer = await call(*args, **kwargs)
            await self._on_its_way()
            if name == "append" and self._luck.random() < 0.02:
                raise StoreUnavailable("the answer was lost")
            return answer

        return reach

    async def _on_its_way(self) -> None:
        await asyncio.sleep(self._luck.choice((0.0, 0.0, 0.001, 0.02)))
        if self.dead:
            await asyncio.get_running_loop().create_future()


class World:
    """Three nodes, their players, and the failures that happen to them."""

    def __init__(self, game: str, seed: int, people: Sequence[str]) -> None:
        self.luck = random.Random(f"{game} {seed}")
        self.game = game
        self.store = MemoryStore(time.time)
        self.bus = BadBus(self.luck)
        self.nodes: list[tuple[Stage, FarStore]] = []
        self.people = people
        self.at: dict[str, Stage] = {}

    async def add_node(self) -> None:
        """Start another node, and try again until it works."""
        reach = FarStore(self.store, self.luck)
        while True:
            try:
                stage = await Stage.open(GAMES, store=cast("Store", reach), seed=f"{self.luck.random()}", bus=self.bus)
            except StoreUnavailable:
                continue
            self.nodes.append((stage, reach))
            return

    async def kill_one(self) -> None:
        """Kill a node. Its people reconnect elsewhere, and a new node starts."""
        stage, reach = self.nodes.pop(self.luck.randrange(len(self.nodes)))
        reach.dead = True
        assert stage.node
        await self.add_node()
        for name in [name for name, where in self.at.items() if where is stage]:
            await self.come(name)

    async def come(self, name: str) -> None:
        """Log someone in at some node."""
        stage = self.luck.choice(self.nodes)[0]
        await stage.host.meet(name)
        stage.enter(name)
        self.at[name] = stage

    async def type(self, name: str, line: str) -> None:
        """Type a line for someone while the simulation runs."""
        stage = self.at[name]
        try:
            async with asyncio.timeout(20):
                await stage.hear(name, line)
        except TimeoutError:
            pass  # the node died meanwhile

    async def begin(self) -> None:
        """Seat everyone at one table."""
        for _ in range(3):
            await self.add_node()
        for name in self.people:
            await self.come(name)
        await asyncio.sleep(5)
        while not (tables := await self.store.every("open")):
            await self.type(self.people[0], f"/new {self.game}{SHORT.get(self.game, '')}")
            await asyncio.sleep(3)
        self.number = min(map(int, tables))
        for _ in range(50):
            for name in self.people[1:]:
                await self.type(name, f"/sit {self.number}")
            await self.type(self.people[0], f"/at {self.number} house 1")
            await asyncio.sleep(3)
            if len(self.seated()) >= len(self.people) + 1:
                break
        while (tables := self.tables()) and not tables[0].started:
            await self.type(self.people[0], f"/at {self.number} start")
            await asyncio.sleep(3)

    def tables(self) -> list[Any]:
        """Return the table as each node that has it sees it."""
        return [stage.table(self.number).table for stage, _ in self.nodes if self.number in stage.open_tables]

    async def entries(self) -> list[Entry]:
        """Return the table's whole log."""
        return list((await self.store.read(f"table/{self.number}", 0, 100_000)).entries)

    def seated(self) -> tuple[Any, ...]:
        """Return who sits at the table."""
        return max((table.seats for table in self.tables()), key=len, default=())

    async def play(self, seconds: float, fault: float) -> bool:
        """Make moves for some time, with failures now and then; return whether the game has ended.

        A very long game is left before its end.
        """
        end, log = asyncio.get_running_loop().time() + seconds, f"table/{self.number}"
        while asyncio.get_running_loop().time() < end and (await self.store.heads([log]))[log] < ENOUGH:
            await asyncio.sleep(self.luck.uniform(0.2, 1.0))
            if self.luck.random() < fault:
                await self._befall()
            await self._random_move()
            if str(self.number) not in await self.store.every("open"):
                return True
        return False

    async def _befall(self) -> None:
        match self.luck.randrange(3):
            case 0:
                await self.kill_one()
            case 1:
                self.bus.lies_dead = not self.bus.lies_dead
            case _:
                await self.come(self.luck.choice(self.people))

    async def _random_move(self) -> None:
        for name in self.luck.sample(list(self.people), len(self.people)):
            stage = self.at[name]
            bot = stage.open_tables.get(self.number)
            words = bot.words(stage.people[name]) if bot else ()
            if words:
                await self.type(name, f"/at {self.number} {self.luck.choice([*words[:60]])}")
                return
