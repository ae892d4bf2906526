"""Old data: archive finished games, and delete old talk and records.

This happens once a day and in small steps.

A wrong clock mustn't delete everything. So ages are counted by a steady time, which is kept in the store. It follows
the clock as long as that is at most a day ahead. If the clock jumps further, nothing more happens for a day. Then the
steady time catches up, by a day per hour. So a clock that is years ahead for some hours deletes nothing early. While
the clock is behind the steady time, nothing happens either.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TypeVar

import attrs
import structlog

from lilygames import codec
from lilygames.chat.tasks.periodic import regularly
from lilygames.server.watch.disk_usage import DiskUsage
from lilygames.store import Store, StoreUnavailable
from lilygames.tables.archive.archive import INDEX

log = structlog.get_logger()
T = TypeVar("T")
GLANCE = 3600.0
"""Seconds between two looks."""
FIRST_GLANCE = 300.0
"""Seconds from the start to the first look: people come back first, but a place restarted hourly has its turn, too."""
DAY = 86400.0
LEASE = 900.0
"""Seconds for which one node does this work; it renews the lease at each step."""
JUMP = DAY
"""Seconds that the clock may be ahead of the steady time: it jumped, or the server was off for a while."""
HOLD = DAY
"""Seconds to wait after a jump, in case someone sets the clock right."""
CATCH_UP = 24
"""How many times faster than real time the steady time catches up after that."""
SHARE = 4
"""After each step, the task rests this many times as long as the step took: at most a fifth of a core."""
FREED = 1 << 18
"""Bytes given back to the disk in a step."""
_KIND = "retention"

Forget = Callable[[float], AsyncGenerator[int, None]]
"""Delete or archive what is older than a moment (UTC seconds), in steps. Yields the number of things after each."""


@attrs.frozen
class Task:
    """Something that is kept for some days; 0 keeps it for ever."""

    name: str
    days: int
    forget_before: Forget


def at_once(forget: Callable[[float], Awaitable[int]]) -> Forget:
    """Return the steps of a function that deletes everything at once and returns the number, for a few records."""

    async def steps(moment: float) -> AsyncGenerator[int, None]:
        yield await forget(moment)

    return steps


async def at_leisure(steps: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """Do steps with a rest after each, as long as `SHARE` times the step."""
    began = time.monotonic()
    async with aclosing(steps):
        async for some in steps:
            took = time.monotonic() - began
            yield some
            await asyncio.sleep(SHARE * took)
            began = time.monotonic()


@attrs.frozen
class SteadyTime:
    """The time that ages are counted by, and for how many seconds the clock has been too far ahead of it."""

    at: float
    ahead: float = 0.0

    def after(self, elapsed: float, now: float) -> SteadyTime:
        """Return the steady time after `elapsed` seconds of real time, when the clock says `now`."""
        if now <= self.at:
            return SteadyTime(self.at)
        if now - self.at <= JUMP:
            return SteadyTime(now)
        speed = CATCH_UP if self.ahead >= HOLD else 1
        return SteadyTime(min(now, self.at + speed * elapsed), self.ahead + elapsed)

    def behind(self, now: float) -> bool:
        """Return whether the clock was set back."""
        return now < self.at


@attrs.frozen
class Done:
    """The state in the store: the steady time, and the day (since 1970) for which the work is done."""

    steady: SteadyTime
    day: int = 0


@attrs.frozen
class Lease:
    """The node that does the work, until a time in UTC seconds."""

    node: str
    until: float


class _TurnLost(Exception):
    """Another node has the lease."""


class Retention:
    """Does the tasks of a place. Every node runs this; a compare-and-set lets one of them work."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        node: str,
        tasks: Sequence[Task],
        usage: DiskUsage,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tasks = tasks
        self._usage = usage
        self._store = store
        self._clock = clock
        self._node = node
        self._monotonic = monotonic
        self._looked = monotonic()

    async def watch(self) -> None:
        """Look periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot archive games and delete old data", first=FIRST_GLANCE)

    async def look(self) -> None:
        """Do what is due by the steady time, unless another node does. Raises `StoreUnavailable`."""
        elapsed = min(self._monotonic() - self._looked, 2 * GLANCE)
        self._looked = self._monotonic()
        if not await self._take_turn():
            return
        now = await self._now()
        await self._usage.sample(now)
        before = await self._done(now)
        steady = before.steady.after(elapsed, now)
        if steady.ahead and not before.steady.ahead:
            log.warning("the clock is far ahead of old data; it is deleted from tomorrow on", days=_days(now, steady))
        day = int(steady.at // DAY)
        if steady.behind(now) or day <= before.day:
            await self._keep(attrs.evolve(before, steady=steady))
            return
        todo = [(task.name, task.forget_before(steady.at - task.days * DAY)) for task in self.tasks if task.days]
        try:
            finished = [await self._do(name, steps) for name, steps in (*todo, ("disk", self.vacuum()))]
        except _TurnLost:
            return
        await self._keep(Done(steady, day if all(finished) else before.day))

    async def _do(self, name: str, steps: AsyncGenerator[int, None]) -> bool:
        """Do a task at the pace of `SHARE`. Return whether the store allowed it; else the next look tries again.

        Raises `_TurnLost` if another node does the work now.
        """
        number = 0
        try:
            async with aclosing(at_leisure(steps)) as slow:
                async for some in slow:
                    number += some
                    if not await self._take_turn():
                        raise _TurnLost
        except StoreUnavailable as problem:
            log.warning("cannot look after old data", what=name, why=str(problem))
            return False
        if number:
            log.info("old data archived or deleted", what=name, number=number)
        return True

    async def vacuum(self) -> AsyncGenerator[int, None]:
        """Give unused space back to the disk, and yield the bytes of each step."""
        async with aclosing(at_leisure(self._freed())) as steps:
            async for freed in steps:
                yield freed

    async def _freed(self) -> AsyncGenerator[int, None]:
        while freed := await self._store.vacuum(FREED):
            yield freed

    async def _now(self) -> float:
        """Return the time by the clock or by the store, whichever is earlier."""
        return min(self._clock(), await self._store.now())

    async def _done(self, now: float) -> Done:
        """Return the stored state. At first the steady time is that of the newest table: the clock may be wrong now."""
        try:
            if body := await self._store.find(_KIND, "done"):
                done: Done = codec.from_text(body, Done)
                return done
        except ValueError:
            log.warning("the state of the archive and of deletions can't be read")
        (head,) = (await self._store.heads([INDEX])).values()
        newest = (await self._store.read(INDEX, head - 1, 1)).entries if head else ()
        return Done(SteadyTime(min(now, newest[0].at) if newest else now))

    async def _keep(self, done: Done) -> None:
        await self._store.keep(_KIND, "done", codec.to_text(done))

    async def _take_turn(self) -> bool:
        """Take or renew the lease; return whether this node has it."""
        now = await self._store.now()
        body = await self._store.find(_KIND, "lease")
        lease = _read_lease(body)
        if lease and lease.node == self._node and now < lease.until - LEASE / 2:
            return True
        if lease and lease.node != self._node and now < lease.until <= now + LEASE:
            return False
        return await self._store.swap(_KIND, "lease", body, codec.to_text(Lease(self._node, now + LEASE)))


def _read_lease(body: str | None) -> Lease | None:
    try:
        lease: Lease | None = codec.from_text(body, Lease) if body else None
    except ValueError:
        return None
    return lease


def _days(now: float, steady: SteadyTime) -> int:
    return int((now - steady.at) // DAY)
