"""Long work in the host's own thread, done a little at a time, so that nobody feels it who did not ask for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TypeVar
from weakref import WeakKeyDictionary

from lilygames.chat.fair_gate import FairGate

SLICE = 0.002
"""Seconds of such work in one turn of the event loop."""

T = TypeVar("T")
_GATES: WeakKeyDictionary[asyncio.AbstractEventLoop, FairGate] = WeakKeyDictionary()


async def run_in_slices(work: Iterable[T], origin: str = "") -> list[T]:
    """Return all that `work` yields, which is worked out by and by, and by one asker after another; raises as it does.

    Those who ask take turns by their origin.
    """
    turnstile = _GATES.setdefault(asyncio.get_running_loop(), FairGate(1))
    async with turnstile.passage(origin):
        done: list[T] = []
        until = time.perf_counter() + SLICE
        for piece in work:
            done.append(piece)
            if time.perf_counter() > until:
                await asyncio.sleep(0)
                until = time.perf_counter() + SLICE
        return done
