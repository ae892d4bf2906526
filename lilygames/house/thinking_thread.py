"""A thread of the server's own process in which bots think if there are no worker processes."""

from __future__ import annotations

import asyncio
import pickle
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from lilygames.house.worker import Answer, Job, move_of

_SWITCH = 0.0001
"""Seconds until a thread that computes lets the event loop go on. Python's own 5 ms pass after each system call."""


class ThinkingThread:
    """A thread that does one job at a time, as a `Worker` does, but without a limit to its CPU time.

    While it thinks, the event loop waits for `_SWITCH` seconds each time it comes back from a system call, so others
    hardly notice. Without the thread they would wait until the bot has its move.
    """

    dead = False
    """Whether it does no more jobs."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "bots")

    async def do(self, job: Job) -> Answer:
        """Return the answer to a job. If the task is cancelled, it ends only once the thread is free again.

        The job is copied, because a bot's memory may change while it thinks. Raises what pickling the job raises.
        """
        sys.setswitchinterval(_SWITCH)
        packed = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        asked = asyncio.get_running_loop().run_in_executor(self._executor, _answered, packed)
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            await asyncio.wait({asked})
            raise

    def close(self) -> None:
        """Let the thread end after its job."""
        self.dead = True
        self._executor.shutdown(wait=False, cancel_futures=True)


def _answered(packed: bytes) -> Answer:
    job: Job = pickle.loads(packed)  # noqa: S301 - this process has written it
    begun = time.monotonic()
    try:
        return Answer(move_of(job), time.monotonic() - begun)
    except Exception as problem:  # noqa: BLE001 - a strategy may raise anything
        return Answer(problem=problem)
