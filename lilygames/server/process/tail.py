"""Follow the last lines of the log, for `lilygames tail`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from lilygames.codec import Json
from lilygames.server.process.logs import RecentLines

PORTION = 100
"""Lines read at once."""
GLANCE = 0.25
"""Seconds until a reader who is up to date looks again."""
QUIET = 20
"""Glances without a line after which an empty one shows whether the reader is still there."""


async def lines_after(recent: RecentLines, number: int, *, follow: bool) -> AsyncIterator[Json]:
    """Yield each line after a number, with its own; with `follow` also those to come, and empty ones.

    A slow reader has no queue here. Lines that are dropped meanwhile are missing, and the numbers show how many.
    """
    quiet = 0
    while True:
        for last, line in recent.after(number, PORTION):
            yield {"number": last, "line": line}
            number, quiet = last, -1
        quiet += 1
        if not quiet:
            continue
        if not follow:
            return
        if quiet % QUIET == 0:
            yield {"number": number, "line": ""}
        await asyncio.sleep(GLANCE)
