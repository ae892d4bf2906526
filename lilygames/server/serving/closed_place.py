"""A place on a store that no server uses: for commands that need all its parts, but no port."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import structlog

from lilygames.games import games
from lilygames.server.place.place import Before, Place, furnish
from lilygames.server.serving.serving import opened_store
from lilygames.server.settings.config import Settings


@asynccontextmanager
async def closed_place(settings: Settings) -> AsyncIterator[Place]:
    """Open a place on the store of the settings without a port. Its tables stand still.

    Raises `StoreUnavailable`, also if a server uses the store.
    """
    with log_on_stderr():
        async with _opened(settings) as place:
            yield place


@contextmanager
def log_on_stderr() -> Iterator[None]:
    """Write the log to stderr, because the command's answer is on stdout."""
    before = structlog.get_config()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    try:
        yield
    finally:
        structlog.configure(**before)


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Place]:
    store = await opened_store(settings)
    try:
        place = await furnish(store, settings, games(), before=Before({}))
        try:
            yield place
        finally:
            await place.kept()
            place.workers.close()
    finally:
        await store.close()
