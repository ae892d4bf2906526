"""The priority of what people type: work that nobody waits for rests until they have their answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

REST = 0.01
"""Seconds after an answer before other work goes on: programs and quick typists send the next line at once."""
LONGEST = 0.1
"""Seconds that other work rests at most, because an answer may wait for more typing, and others may type meanwhile."""


class _Answering:
    """A block in which a line is answered. One object for all lines costs a third of a generator for each."""

    __slots__ = ("_change",)

    def __init__(self, change: Callable[[int], None]) -> None:
        self._change = change

    def __enter__(self) -> None:
        self._change(1)

    def __exit__(self, *_: object) -> None:
        self._change(-1)


class Foreground:
    """The lines that people have typed and that aren't answered yet.

    As soon as a start listens, commands share the event loop with whatever it has left for later. Without this, /join
    at a place of 1,000 open tables takes 5 to 8 times as long as at one of 20. To remove it, return from `quiet` at
    once.
    """

    def __init__(self) -> None:
        self._lines = 0
        self._changed = -LONGEST
        """When a line last came or was answered, by the monotonic clock."""
        self._answering = _Answering(self._change)

    def answering(self) -> AbstractContextManager[None]:
        """Return a block in which other work rests, and for a moment after it."""
        return self._answering

    def line_came(self) -> None:
        """Note that a line has come; `line_answered` has to follow."""
        self._change(1)

    def line_answered(self) -> None:
        """Note that a line was answered."""
        self._change(-1)

    def _change(self, more: int) -> None:
        """Note that a line has come (1) or was answered (-1)."""
        self._lines += more
        self._changed = time.monotonic()

    async def quiet(self, unless: Callable[[], bool] = lambda: False) -> None:
        """Return in a later turn of the event loop, when nobody waits for an answer; after `LONGEST` seconds anyway.

        It returns soon after `unless` returns True, which says that someone waits for the work itself.
        """
        until = time.monotonic() + LONGEST
        await asyncio.sleep(0)  # what has arrived is read first
        while self._is_busy() and time.monotonic() < until and not unless():  # noqa: ASYNC110 - no single event says so
            await asyncio.sleep(REST)

    def _is_busy(self) -> bool:
        return time.monotonic() - self._changed < (LONGEST if self._lines else REST)
