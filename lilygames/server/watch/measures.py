"""Measurements that run all the time: the store, the bus, the event loop, the disk and the memory."""

from __future__ import annotations

import asyncio
import resource
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import attrs

from lilygames.bus import Bus
from lilygames.chat.tasks.periodic import regularly
from lilygames.scheduling.durations import Durations
from lilygames.server.watch.disk_usage import DiskUsage
from lilygames.store import Answered, Append, Conflict, Draft, Entry, Store, StoreUnavailable
from lilygames.store.wrapper import Through

T = TypeVar("T")
GLANCE = 1.0
"""Seconds between measurements of the event loop's delay."""
BLOCKED = 2.0
"""Seconds of delay after which the event loop counts as blocked."""
REMEMBERED = 10.0
"""Seconds for which it counts as blocked afterwards."""
DISK = 300.0
"""Seconds between measurements of the disk."""
BUS = 5.0
"""Seconds between measurements of the bus."""


class CountedStore(Through):
    """A store that counts and times its writes."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.conflicts = self.failures = 0
        self.writes = Durations()

    async def _counted(self, write: Awaitable[T]) -> T:
        """Return what a write returns, and count and time it."""
        began = time.perf_counter()
        try:
            written = await write
        except BaseException as problem:
            self.count(problem, began)
            raise
        self.count(written, began)
        return written

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any) -> tuple[Entry, ...]:
        """Append all drafts together; see `Store.append`."""
        return await self._counted(self.store.append(log, expected, drafts, **more))

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append and tell the answer; see `Store.append_soon`."""
        self.store.append_soon(call, _CountedAnswer(self, answered, time.perf_counter()))

    def count(self, answer: object, began: float) -> None:
        """Count and time a write that began then and was answered so."""
        match answer:
            case Conflict():
                self.conflicts += 1
            case StoreUnavailable():
                self.failures += 1
        self.writes.add(time.perf_counter() - began)

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs, counted as one write; see `Store.append_each`."""
        return await self._counted(self.store.append_each(drafts, cmd=cmd))

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record under its kind and key, in place of an earlier one."""
        await self._counted(self.store.keep(kind, key, body))

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Keep `new` in place of `old`; see `Store.swap`."""
        return await self._counted(self.store.swap(kind, key, old, new))

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        await self._counted(self.store.forget(kind, key))


@attrs.frozen
class _CountedAnswer:
    """Counts the answer to an append, and passes it on."""

    store: CountedStore
    answered: Answered
    began: float

    def finish(self, answer: tuple[Entry, ...] | Exception) -> None:
        """Take the answer."""
        self.store.count(answer, self.began)
        self.answered.finish(answer)


class Lateness:
    """How late the event loop runs its callbacks."""

    def __init__(self) -> None:
        self.now = self.worst = 0.0
        self._due = float("inf")
        self._blocked_at = float("-inf")
        self._blocked_for = 0.0

    async def watch(self) -> None:
        """Measure again and again until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            self._due = loop.time() + GLANCE
            await asyncio.sleep(GLANCE)
            self._measure(loop.time())
            self.worst = max(self.worst * 0.98, self.now)

    def _measure(self, now: float) -> None:
        self.now = max(0.0, now - self._due)
        if self.now > BLOCKED:
            self._blocked_at, self._blocked_for = now, self.now

    def blocked(self) -> float:
        """Return how many seconds the event loop was blocked just now; 0 if it wasn't."""
        now = asyncio.get_running_loop().time()
        if now - self._due > BLOCKED:  # this request was read before the measurement could end
            return now - self._due
        return self._blocked_for if now - self._blocked_at < REMEMBERED else 0.0


class BusDelay:
    """How long a hint takes to the bus and back to this node."""

    def __init__(self, bus: Bus, node: str) -> None:
        self._bus = bus
        self._topic = f"delay/{node}"
        self.times = Durations()
        self.lost = 0
        """Hints that didn't come back in time."""

    async def watch(self) -> None:
        """Send a hint again and again until cancelled, and time its way."""
        hints = self._bus.subscribe(self._topic)
        try:
            while True:
                await asyncio.sleep(BUS)
                await self._measure(hints)
        finally:
            hints.close()

    async def _measure(self, hints: Any) -> None:
        sent = repr(began := time.perf_counter()).encode()
        await self._bus.publish(self._topic, sent)
        try:
            async with asyncio.timeout(BUS):
                while await anext(hints) != sent:  # an older one, or the news that the bus is back
                    pass
        except TimeoutError:
            self.lost += 1
        else:
            self.times.add(time.perf_counter() - began)


@attrs.frozen
class Sizes:
    """Bytes on the disk, and how many more each day."""

    store: int
    archive: int
    """Archived games outside the store."""
    files: int
    """Everything in the data folder, which may include the store and the archive."""
    free: int
    growth: float
    """Growth of the store and the archive per day."""


class Disk:
    """The sizes of the store, the archive and the data folder."""

    def __init__(self, usage: DiskUsage, now: Callable[[], float], folder: Path) -> None:
        self._usage = usage
        self._now = now
        self._folder = folder
        self.sizes: Sizes | None = None
        """The last measurement; None before the first."""

    async def watch(self) -> None:
        """Measure again and again until cancelled."""
        with suppress(StoreUnavailable, OSError):
            await self.measure()
        await regularly(DISK, self.measure, "cannot measure the disk")

    async def measure(self) -> None:
        """Measure once. Raises `StoreUnavailable` and `OSError`."""
        now = self._now()
        used, growth = await self._usage.now(now), await self._usage.growth(now)
        files, free = await asyncio.to_thread(_folder_sizes, self._folder)
        self.sizes = Sizes(used.store, used.archive, files, free, growth.store + growth.archive)


def _folder_sizes(folder: Path) -> tuple[int, int]:
    """Return the bytes of the files in a folder, and the free bytes of its disk."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # it was deleted meanwhile
            continue
    return total, shutil.disk_usage(folder).free


def memory() -> float:
    """Return the process's memory in bytes (`/proc/self/statm`, proc(5)), or its peak if that isn't available."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return memory_peak()
    return float(pages * resource.getpagesize())


def memory_peak() -> float:
    """Return the process's peak memory in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0
