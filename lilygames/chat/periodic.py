"""Run periodic jobs; an error in one run doesn't stop the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from lilygames.store import StoreUnavailable

log = structlog.get_logger()


async def regularly(seconds: float, look: Callable[[], Awaitable[object]], amiss: str) -> None:
    """Run `look` every so many seconds until cancelled; log an error in a run as `amiss`."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await look()
        except StoreUnavailable as problem:
            log.warning(amiss, why=str(problem))
        except Exception:
            log.exception(amiss)
