"""Run periodic jobs; an error in one run doesn't stop the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from lilygames.store import StoreUnavailable

log = structlog.get_logger()


async def regularly(
    seconds: float, look: Callable[[], Awaitable[object]], failure: str, *, first: float | None = None
) -> None:
    """Run `look` every `seconds` until cancelled; log an error in a run as `failure`.

    The first run is after `first` seconds, or after as many as the others.
    """
    wait = seconds if first is None else first
    while True:
        await asyncio.sleep(wait)
        wait = seconds
        try:
            await look()
        except StoreUnavailable as problem:
            log.warning(failure, why=str(problem))
        except Exception:
            log.exception(failure)
