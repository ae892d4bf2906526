"""Processes in which house players think, so that nobody at the host waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

import structlog

from lilygames.game import Strategy, Thinker
from rules.kit import Luck

log = structlog.get_logger()
BRAKE = 5.0
"""Seconds of its processor that a thought may take; none that counts what it does comes near."""
_KINDNESS = 5
"""How much a worker gives way to the host on a machine that is short of processors."""


class TooLong(Exception):
    """A strategy has thought as long as none should."""


class Workers:
    """A number of processes that think, started by the first thought; none of them: thoughts are had on the spot."""

    def __init__(self, number: int, brake: float = BRAKE) -> None:
        self._number = number
        self._brake = brake
        self._pool: ProcessPoolExecutor | None = None
        self._starts = asyncio.Lock()

    async def think(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return the strategy's move; a `Thinker` is asked in a worker, which gets copies and no more.

        Raises what the strategy raises, `TooLong`, and `BrokenProcessPool` where a worker died: the next thought
        begins with fresh ones.
        """
        if not self._number or not isinstance(strategy, Thinker):
            return strategy(view, moves, luck)
        pool = await self._at_work()
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(pool, thought, self._brake, strategy, view, moves, luck)
        except BrokenProcessPool:
            log.warning("a worker of the house has died; the next thought begins with fresh ones")
            self._pool = None if self._pool is pool else self._pool
            raise

    async def _at_work(self) -> ProcessPoolExecutor:
        """Return the pool. It is begun in a thread: that takes a tenth of a second, which everybody would wait for."""
        async with self._starts:
            if self._pool is None:
                self._pool = await asyncio.to_thread(self._started)
            return self._pool

    def close(self) -> None:
        """Let the workers go; what they still think of is not waited for."""
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        """Return a pool that has begun all its workers, which are spawned, not forked: the host has threads."""
        pool = ProcessPoolExecutor(self._number, get_context("spawn"), initializer=_begin)
        pool.submit(os.getpid)  # the first thing asked for begins them
        return pool


def thought(brake: float, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the strategy's move, in a worker; raises `TooLong` after so many seconds of its processor."""
    signal.setitimer(signal.ITIMER_PROF, brake)
    try:
        return strategy(view, moves, luck)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _begin() -> None:
    """Leave Ctrl-C to the host, give way to it, and end when it ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _brake)
    os.nice(_KINDNESS)
    threading.Thread(target=_end_with_the_host, daemon=True).start()


def _brake(*_: object) -> None:
    raise TooLong


def _end_with_the_host() -> None:
    host = parent_process()
    if host is not None:
        wait([host.sentinel])
        os._exit(0)
