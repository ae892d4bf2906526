"""Run long work on the event loop in short slices, so that nobody else notices it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TypeVar
from weakref import WeakKeyDictionary

from lilygames.scheduling.turns import ByOrigin, Turns

SLICE = 0.002
"""Seconds of work per turn of the event loop."""

T = TypeVar("T")
_TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns[str]] = WeakKeyDictionary()


async def run_in_slices(work: Iterable[T], origin: str = "") -> list[T]:
    """Return everything `work` yields, computed in slices, one job at a time; raises what `work` raises.

    Waiting jobs take turns by origin.
    """
    turns = _TURNS.setdefault(asyncio.get_running_loop(), Turns(1, ByOrigin()))
    async with turns.turn(origin):
        done: list[T] = []
        until = time.perf_counter() + SLICE
        for piece in work:
            done.append(piece)
            if time.perf_counter() > until:
                await asyncio.sleep(0)
                until = time.perf_counter() + SLICE
        return done
