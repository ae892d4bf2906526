"""A timer for one job at a time, which runs in the task of a table's room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from lilygames.tables.play.runner import Runner
from lilygames.tables.state.life import Life

Job = Callable[[], Awaitable[None]]


class Timer:
    """A timer of a table. A process that has handed its table over runs no more jobs."""

    def __init__(self, runner: Runner) -> None:
        self.busy = False
        """Whether a job is pending or a bot is thinking."""
        self._runner = runner
        self._pending: asyncio.TimerHandle | None = None
        self._queued: Job | None = None
        """A bot's move that is due, and lets people's lines go first."""

    def start(self, seconds: float, job: Job) -> None:
        """Run a job after some seconds, unless another job is pending."""
        if not (self.busy or self._runner.rests):
            self.busy = True
            self._pending = asyncio.get_running_loop().call_later(seconds, self.fire, job)

    def restart(self, seconds: float, job: Job) -> None:
        """Run a job after some seconds, instead of the pending one. Other nodes may have to act first."""
        self.cancel()
        delay = max(0.0, seconds) + self._runner.services.lag(self._runner.log)
        if delay <= 0:
            self.fire(job)
        else:
            self.busy = True
            self._pending = asyncio.get_running_loop().call_later(delay, self.fire, job)

    def hold(self) -> None:
        """Block other jobs until `fire`, while a bot thinks."""
        self.busy = True

    def fire_in(self, seconds: float, job: Job) -> None:
        """Run the job that the timer is held for after some seconds."""
        if seconds > 0:
            self._pending = asyncio.get_running_loop().call_later(seconds, self.queue, job)
        else:
            self.queue(job)

    def queue(self, job: Job) -> None:
        """Run the job that the timer is held for once those of other tables before it have begun."""
        self._queued = job
        self._runner.services.bot_work.post(partial(self._fire_queued, job))

    def _fire_queued(self, job: Job) -> None:
        if self._queued is job:
            self._queued = None
            self.fire(job)

    def fire(self, job: Job) -> None:
        """Run a job now and free the timer."""
        if self._runner.life is not Life.ASLEEP:
            self._runner.room.post(job)
        self._pending, self.busy = None, False

    def cancel(self) -> None:
        """Drop the pending job, if any."""
        if self._pending:
            self._pending.cancel()
        self._pending, self._queued, self.busy = None, None, False
