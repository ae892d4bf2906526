"""Slow computations about closed seals, one at a time in a thread, so that they don't slow each other or the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class SlowJobs:
    """Two queues for one thread at a time: the roots that games wait for come before the checks of finished games."""

    def __init__(self) -> None:
        self._thread = asyncio.Lock()
        self._checks = asyncio.Lock()

    async def soon(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job for a game in play in a thread, after at most one check; any error is raised."""
        async with self._thread:
            return await asyncio.to_thread(job, *args, **kwargs)

    async def later(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a check of a finished game in a thread, after all others that wait; any error is raised."""
        async with self._checks:
            return await self.soon(job, *args, **kwargs)
