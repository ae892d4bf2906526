"""The turns of an event loop: how long each takes, how long it waits for a core meanwhile, and what runs in it.

A turn begins when the loop has something to do, and ends when it looks for more. A line that arrives meanwhile waits.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import Context
from pathlib import Path
from selectors import DefaultSelector, SelectorKey
from typing import Any, TypeVarTuple, Unpack

import attrs
from rich.box import SIMPLE
from rich.table import Table

Args = TypeVarTuple("Args")
LONG = 0.001
"""Seconds from which a turn is long."""
_SHOWN = 6
"""Rows of what ran for long."""
_TITLE = "turns of the event loop, their waits for a core, and how long what arrives waits for the end of a turn"
_SCHEDULING = Path("/proc/thread-self/schedstat")
"""Linux counts here how long a thread has run, and how long it has waited for a core, in nanoseconds."""


@attrs.frozen
class Turn:
    """A turn of the loop, in seconds."""

    cpu: float
    waited: float
    """How long it waited for a core, when it began and in the middle."""

    @property
    def busy(self) -> float:
        """How long something that arrives at its beginning waits at most."""
        return self.cpu + self.waited


@attrs.define
class Turns:
    """The turns of some time."""

    seconds: float = 0.0
    turns: list[Turn] = attrs.field(factory=list)
    ran: list[tuple[str, float]] = attrs.field(factory=list)
    """The names of callbacks that ran for long, and their seconds of CPU."""

    def lasted(self, seconds: float) -> None:
        """Add the seconds in which turns were recorded."""
        self.seconds += seconds

    def wait(self, share: float, *, cpu_only: bool = False) -> float:
        """Return how long something that arrives at any time waits for the end of a turn, as a quantile in seconds."""
        lengths = [turn.cpu if cpu_only else turn.busy for turn in self.turns]
        least, most = 0.0, max(lengths, default=0.0)
        for _ in range(30):
            middle = (least + most) / 2
            longer = sum(length - middle for length in lengths if length > middle)
            least, most = (middle, most) if longer > (1 - share) * self.seconds else (least, middle)
        return most


class _Selector(DefaultSelector):
    """A selector that notes the turn which ends when the loop looks for events."""

    def __init__(self, note: Callable[[Turn], object]) -> None:
        super().__init__()
        self._note = note
        self._counts = _SCHEDULING.open("rb", buffering=0) if _SCHEDULING.exists() else None
        self._cpu = time.thread_time()
        self._waited = self._waits

    @property
    def _waits(self) -> float:
        """The seconds that this thread has ever waited for a core; 0 where the system doesn't count them."""
        return int(os.pread(self._counts.fileno(), 100, 0).split()[1]) / 1e9 if self._counts else 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Note the turn that ends, and look for events."""
        waited = self._waits
        self._note(Turn(time.thread_time() - self._cpu, waited - self._waited))
        self._waited = waited
        found = super().select(timeout)
        self._cpu = time.thread_time()
        return found

    def close(self) -> None:
        """Close the selector."""
        super().close()
        if self._counts:
            self._counts.close()


class RecordingLoop(asyncio.SelectorEventLoop):
    """An event loop that records its turns while someone asks for it."""

    def __init__(self) -> None:
        self._turns: Turns | None = None
        super().__init__(_Selector(self._note))

    @contextmanager
    def recording(self, turns: Turns) -> Iterator[None]:
        """Add what happens in a block to these turns."""
        begun, self._turns = self.time(), turns
        try:
            yield
        finally:
            self._turns = None
            turns.lasted(self.time() - begun)

    def _note(self, turn: Turn) -> None:
        if self._turns:
            self._turns.turns.append(turn)

    def _timed(self, callback: Callable[[Unpack[Args]], object]) -> Callable[[Unpack[Args]], object]:
        """Return a callback that notes how much CPU it takes."""

        def run(*args: *Args) -> object:
            begun = time.thread_time()
            try:
                return callback(*args)
            finally:
                taken = time.thread_time() - begun
                if taken > LONG and self._turns:
                    self._turns.ran.append((_name(callback), taken))

        return run

    def call_soon(
        self, callback: Callable[[Unpack[Args]], object], *args: *Args, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback in the next turn, and time it."""
        return super().call_soon(self._timed(callback), *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at a time, and time it."""
        return super().call_at(when, self._timed(callback), *args, context=context)

    def add_reader(self, fd: Any, callback: Callable[[Unpack[Args]], Any], *args: *Args) -> None:
        """Run a callback when something can be read, and time it."""
        super().add_reader(fd, self._timed(callback), *args)


def _name(callback: object) -> str:
    """Return the name of a callback, or of the coroutine whose task it runs."""
    owner = getattr(callback, "__self__", None)
    named = owner.get_coro() if isinstance(owner, asyncio.Task) else callback
    return str(getattr(named, "__qualname__", type(named).__qualname__))


def shown(found: Mapping[str, Turns]) -> list[Table]:
    """Return turns as a printable table, and what ran for long in them as another one."""
    heads = "turns", "CPU s", "waited s", "CPU > 1 ms", "waited > 1 ms", "p99 ms", "CPU p99 ms"
    lengths, longest = _table(_TITLE, heads), _table("what took over 1 ms of CPU", ("times", "CPU s", "longest ms"))
    for way, turns in found.items():
        lengths.add_row(
            way,
            str(len(turns.turns)),
            f"{sum(turn.cpu for turn in turns.turns):.2f}",
            f"{sum(turn.waited for turn in turns.turns):.2f}",
            str(sum(turn.cpu > LONG for turn in turns.turns)),
            str(sum(turn.waited > LONG for turn in turns.turns)),
            f"{1000 * turns.wait(0.99):.2f}",
            f"{1000 * turns.wait(0.99, cpu_only=True):.2f}",
        )
        for what, times in _longest(turns.ran):
            longest.add_row(f"{way}: {what}", str(len(times)), f"{sum(times):.2f}", f"{1000 * max(times):.1f}")
    return [lengths, longest]


def _table(title: str, heads: Sequence[str]) -> Table:
    table = Table("", title=title, title_justify="left", box=SIMPLE, padding=0, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right")
    return table


def _longest(ran: Sequence[tuple[str, float]]) -> list[tuple[str, list[float]]]:
    """Return what ran for long, with its times, those first that took most."""
    by_name: dict[str, list[float]] = {}
    for name, taken in ran:
        by_name.setdefault(name, []).append(taken)
    return sorted(by_name.items(), key=lambda item: -sum(item[1]))[:_SHOWN]
