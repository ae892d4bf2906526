"""Worker processes in which bots think, so that the event loop never waits for them."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

import structlog

from lilygames.game import Strategy, Thinker
from lilygames.house.forecast import Forecast
from lilygames.priority import give_way, lengthen_time_slice
from lilygames.turns import ByDue, Turns
from rules.kit import Luck

log = structlog.get_logger()
BRAKE = 5.0
"""CPU seconds a decision may take; a bot that counts its work stays far below."""
_FULL = 0.25
"""Seconds of moves asked for, for each worker, up to which bots search with their whole budgets."""
_NICENESS = 5
"""Nice value of workers, so that the server goes first on a busy machine."""


class TooLong(Exception):
    """A strategy has exceeded its CPU time."""


class Workers:
    """A pool of worker processes, started at the first decision; with 0 workers, strategies run in this process.

    Each worker first calls the functions of `prepare`, which fill the tables of bots, so that no move waits for them.
    """

    def __init__(self, number: int, brake: float = BRAKE, *, prepare: Sequence[Callable[[], object]] = ()) -> None:
        self._number = number
        self._brake = brake
        self._prepare = tuple(prepare)
        self._pool: ProcessPoolExecutor | None = None
        self._starts = asyncio.Lock()
        self._turns = Turns(max(1, number), ByDue())
        self._rethinking = asyncio.Lock()
        self._forecast = Forecast()

    async def think(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck, due: float = 0.0, /) -> Any:
        """Return the strategy's move; a `Thinker` runs in a worker and gets copies. Moves that are due first go first.

        Raises what the strategy raises, `TooLong`, and `BrokenProcessPool` if a worker died; the next decision starts
        new workers.
        """
        if not self._number or not isinstance(strategy, Thinker):
            return strategy(view, moves, luck)
        with self._forecast.waiting(type(view), iterations(strategy)):
            async with self._turns.turn(due or asyncio.get_running_loop().time()):
                return await self._thought(strategy, view, moves, luck)

    @property
    def idle(self) -> bool:
        """Whether no worker has anything to do."""
        return self._turns.idle

    def budget_share(self) -> float:
        """Return the share of its budget that the next move should be searched with: less while much waits.

        Checks count, too. Otherwise busy workers would never come to them.
        """
        seconds = self._forecast.seconds / max(1, self._number)
        return _FULL / seconds if seconds > _FULL else 1.0

    async def rethink(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck, _: float = 0.0, /) -> Any:
        """Return the strategy's move for a check of a game, after all decisions that games wait for.

        Any strategy runs in a worker, so that checks don't hold up the event loop. They take turns, one decision at a
        time. Raises what `think` raises.
        """
        with self._forecast.waiting(type(view), iterations(strategy)):
            async with self._rethinking:
                if not self._number:
                    await asyncio.sleep(0)
                    return strategy(view, moves, luck)
                async with self._turns.turn(math.inf):
                    return await self._thought(strategy, view, moves, luck)

    async def _thought(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return the move, and note how long the worker took."""
        pool = await self._at_work()
        try:
            loop = asyncio.get_running_loop()
            move, seconds = await loop.run_in_executor(pool, thought, self._brake, strategy, view, moves, luck)
        except BrokenProcessPool:
            log.warning("a bot worker died; new workers start with the next decision")
            self._pool = None if self._pool is pool else self._pool
            raise
        self._forecast.found(type(view), iterations(strategy), seconds)
        return move

    async def _at_work(self) -> ProcessPoolExecutor:
        """Return the pool; it starts in a thread, because that would block the event loop for a tenth of a second."""
        async with self._starts:
            if self._pool is None:
                self._pool = await asyncio.to_thread(self._started)
            return self._pool

    def close(self) -> None:
        """Shut the workers down without waiting for decisions in progress."""
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        """Return a pool with all its workers started; they are spawned, not forked, because the server has threads."""
        pool = ProcessPoolExecutor(self._number, get_context("spawn"), initializer=_begin, initargs=(self._prepare,))
        pool.submit(os.getpid)  # the first job starts them
        return pool


def iterations(strategy: Strategy) -> int:
    """Return how much a strategy searches; 0 if it doesn't."""
    return strategy.budget.iterations if isinstance(strategy, Thinker) else 0


def thought(brake: float, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> tuple[Any, float]:
    """Return the strategy's move, and the seconds it took (in a worker).

    Raises `TooLong` when the CPU time is used up.
    """
    begun = time.monotonic()
    signal.setitimer(signal.ITIMER_PROF, brake)
    try:
        return strategy(view, moves, luck), time.monotonic() - begun
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _begin(prepare: Sequence[Callable[[], object]]) -> None:
    """Initialise a worker: ignore Ctrl-C, let the server go first, end it whenever the server ends, and fill tables."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _brake)
    give_way(_NICENESS)
    lengthen_time_slice()
    threading.Thread(target=_end_with_the_host, daemon=True).start()
    for fill in prepare:
        fill()


def _brake(*_: object) -> None:
    raise TooLong


def _end_with_the_host() -> None:
    host = parent_process()
    if host is not None:
        wait([host.sentinel])
        os._exit(0)
