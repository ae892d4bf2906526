"""Turns at expensive work: a fixed number of jobs at once, and an order for those that wait."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, Protocol, TypeVar

Turn = asyncio.Future[None]
Key = TypeVar("Key")
Key_contra = TypeVar("Key_contra", contravariant=True)


class Order(Protocol[Key_contra]):
    """The turns that wait, and which of them is next."""

    def add(self, key: Key_contra, turn: Turn) -> None:
        """Add a turn."""

    def pop(self) -> Turn | None:
        """Remove the next turn and return it; None if nobody waits."""


class ByOrigin:
    """An order in which origins take turns, so that those who ask often delay only themselves."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Turn]] = {}

    def add(self, key: str, turn: Turn) -> None:
        """Add a turn of an origin."""
        self._waiting.setdefault(key, deque()).append(turn)

    def pop(self) -> Turn | None:
        """Return the first turn of the origin that has waited longest; its other turns go to the back."""
        if not self._waiting:
            return None
        origin = next(iter(self._waiting))
        turns = self._waiting.pop(origin)
        first = turns.popleft()
        if turns:
            self._waiting[origin] = turns
        return first


class ByDue:
    """An order by time: the first that is due is next. All times are on one clock."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Turn]] = []
        self._numbers = itertools.count()

    def add(self, key: float, turn: Turn) -> None:
        """Add a turn that is due at a time."""
        heapq.heappush(self._waiting, (key, next(self._numbers), turn))

    def pop(self) -> Turn | None:
        """Return the turn that is due first; those due together keep their order."""
        return heapq.heappop(self._waiting)[-1] if self._waiting else None


class Turns(Generic[Key]):
    """Lets a fixed number of jobs run at once; the others wait in an order."""

    def __init__(self, together: int, order: Order[Key]) -> None:
        self._together = self._free = together
        self._waiting = order
        self.waiting = 0
        """The number of jobs that wait."""

    @property
    def idle(self) -> bool:
        """Whether no job runs or waits."""
        return self._free == self._together

    @asynccontextmanager
    async def turn(self, key: Key) -> AsyncIterator[None]:
        """Wait for a turn, and give it to the next job at the end."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(key)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, key: Key) -> None:
        turn: Turn = asyncio.get_running_loop().create_future()
        self._waiting.add(key, turn)
        self.waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had already come
                self._next()
            raise
        finally:
            self.waiting -= 1

    def _next(self) -> None:
        while turn := self._waiting.pop():
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class OneByOne:
    """Jobs that give way to everything else: each turn of the event loop begins one of them, in order.

    So what people type, which each turn looks for, waits for one of them at most.
    """

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], object]] = deque()

    def post(self, job: Callable[[], object]) -> None:
        """Begin a job in a turn of its own."""
        self._waiting.append(job)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        """Begin the first job, and leave the others to the next turns. A job that fails holds up none of them."""
        job = self._waiting[0]
        try:
            job()
        finally:
            self._waiting.popleft()
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._begin)
