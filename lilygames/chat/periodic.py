"""What is looked at again and again, whatever one look brings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from lilygames.store import StoreUnavailable

log = structlog.get_logger()


async def regularly(seconds: float, look: Callable[[], Awaitable[object]], amiss: str) -> None:
    """Look every so many seconds until cancelled; the log hears what was `amiss` where a look fails."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await look()
        except StoreUnavailable as problem:
            log.warning(amiss, why=str(problem))
        except Exception:
            log.exception(amiss)
