"""Turns at expensive work: a fixed number of jobs at once, and an order for those that wait."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Generic, Protocol, TypeVar

Turn = asyncio.Future[None]
PUT_OFF = 3
"""Turns for which a piece of work is put off while something is about to be written: in busy rooms, that never ends."""
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
    """Work that gives way to everything else: each turn of the event loop does one piece of it, in order.

    A turn reads what has arrived first, and `sends` says that something is about to be written, which goes first, too.
    So what people type waits for one piece at most. To remove this, call each job at once, and return from `turn`.
    """

    def __init__(self, sends: Callable[[], bool] = lambda: False) -> None:
        self._sends = sends
        self._waiting: deque[Callable[[], object]] = deque()
        self._taken = False
        """Whether a piece is done in this turn, or waits for a later one."""
        self._put_off = 0
        self._begun = False
        """Whether a piece goes on in this turn. Lines that arrive meanwhile are read before more is begun."""

    def post(self, job: Callable[[], object]) -> None:
        """Do a job in a turn of its own."""
        self._waiting.append(job)
        if not self._taken:
            self._look_next_turn()

    async def turn(self) -> None:
        """Return in a turn that does no other piece of this work."""
        if not self._taken:
            self._look_next_turn()
            return
        await self.later_turn()

    async def later_turn(self) -> None:
        """Return in such a turn, too, but not in this one: what has arrived by now goes first."""
        turn: Turn = asyncio.get_running_loop().create_future()
        self.post(partial(_come, turn))
        await turn

    def _look_next_turn(self) -> None:
        """Do the next piece in the next turn, after all that can be read then. A timer runs after what is read."""
        self._taken = True
        loop = asyncio.get_running_loop()
        loop.call_at(loop.time(), self._do_next)

    def _do_next(self) -> None:
        """Begin the first piece, and leave the others to later turns. A piece that fails holds up none of them."""
        self._taken = False
        if self._begun:
            self._begun = False
            self._look_next_turn()
        elif self._waiting:
            self._look_next_turn()
            if self._put_off < PUT_OFF and self._sends():
                self._put_off += 1
                return
            self._put_off, self._begun = 0, True
            self._waiting.popleft()()


def _come(turn: Turn) -> None:
    if not turn.done():
        turn.set_result(None)
