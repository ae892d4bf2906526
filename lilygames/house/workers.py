"""Worker processes in which bots think, so that the event loop never waits for them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog

from lilygames.game import Strategy, Thinker
from lilygames.house.forecast import Forecast
from lilygames.house.pickled_positions import PickledPositions
from lilygames.house.thinking_thread import ThinkingThread
from lilygames.house.worker import Job, Worker, WorkerDied
from lilygames.scheduling.turns import ByDue, Turns
from lilygames_rules.kit import Luck

log = structlog.get_logger()
BRAKE = 5.0
"""CPU seconds a decision may take; a bot that counts its work stays far below."""
_FULL = 0.25
"""Seconds of moves asked for, for each worker, up to which bots search with their whole budgets."""


async def _at_once() -> None:
    """Return at once."""


class Workers:
    """Worker processes, each started when it is first needed.

    With 0 workers, bots think in this process: in a `thread`, or else in the event loop, so that the steps of a test
    follow one another. Each worker first calls the functions of `prepare`, which fill the tables of bots, so that no
    move waits for them. `turn` waits until a job may be pickled, which takes time of the event loop.
    """

    def __init__(
        self,
        number: int,
        brake: float = BRAKE,
        *,
        thread: bool = False,
        prepare: Sequence[Callable[[], object]] = (),
        turn: Callable[[], Awaitable[None]] = _at_once,
    ) -> None:
        self._number = number
        self._in_loop = not (number or thread)
        self._brake = brake
        self._prepare = tuple(prepare)
        self._turn = turn
        self._all = list[Worker | ThinkingThread]()
        self._free = list[Worker | ThinkingThread]()
        self._turns = Turns(max(1, number), ByDue())
        self._rethinking = asyncio.Lock()
        self._forecast = Forecast()
        self._positions = PickledPositions()

    async def think(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck, due: float = 0.0, /) -> Any:
        """Return the strategy's move; a `Thinker` runs in a worker and gets copies. Moves that are due first go first.

        Raises what the strategy raises, `TooLong`, and `WorkerDied`; the next decision starts another worker.
        """
        if self._in_loop or not isinstance(strategy, Thinker):
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

        Checks count, too. Otherwise busy workers would never come to them. Without processes, bots always search with
        their whole budgets.
        """
        if not self._number:
            return 1.0
        seconds = self._forecast.seconds / max(1, self._number)
        return _FULL / seconds if seconds > _FULL else 1.0

    async def rethink(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck, _: float = 0.0, /) -> Any:
        """Return the strategy's move for a check of a game, after all decisions that games wait for.

        Any strategy runs in a worker, so that checks don't hold up the event loop. They take turns, one decision at a
        time. Raises what `think` raises.
        """
        if self._in_loop:
            await asyncio.sleep(0)
            return strategy(view, moves, luck)
        with self._forecast.waiting(type(view), iterations(strategy)):
            async with self._rethinking, self._turns.turn(math.inf):
                return await self._thought(strategy, view, moves, luck)

    async def _thought(self, strategy: Strategy, view: Any, moves: Sequence[Any], luck: Luck) -> Any:
        """Return the move, and note how long the worker took."""
        self._free = [worker for worker in self._free if not worker.dead]
        worker = self._free.pop() if self._free else await self._started()
        try:
            await self._turn()
            answer = await worker.do(Job(strategy, self._positions.packed(view, moves), luck))
        except WorkerDied:
            log.warning("a bot worker died; another one starts with the next decision")
            raise
        finally:
            if not worker.dead:
                self._free.append(worker)
        if answer.problem:
            raise answer.problem
        self._forecast.found(type(view), iterations(strategy), answer.seconds)
        return answer.move

    async def _started(self) -> Worker | ThinkingThread:
        """Return one more worker; one that has died is forgotten."""
        worker = await Worker.start(self._brake, self._prepare) if self._number else ThinkingThread()
        self._all = [*(one for one in self._all if not one.dead), worker]
        return worker

    def close(self) -> None:
        """Shut the workers down without waiting for decisions in progress."""
        for worker in self._all:
            worker.close()
        self._all, self._free = [], []


def iterations(strategy: Strategy) -> int:
    """Return how much a strategy searches; 0 if it doesn't."""
    return strategy.budget.iterations if isinstance(strategy, Thinker) else 0
