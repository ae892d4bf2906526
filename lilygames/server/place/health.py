"""Whether this node works, and whether new people should be sent to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lilygames.server.place.place import Place
from lilygames.server.watch.measures import Lateness
from lilygames.store import Replaced, Store, StoreUnavailable

PATIENCE = 2.0
"""Seconds that a healthy store has to answer."""


class Health:
    """The state of a node, as load balancers and monitoring ask for it."""

    def __init__(self, place: Place, store: Store, late: Lateness) -> None:
        self._place = place
        self._store = store
        self._late = late
        self._leaving = ""

    def leave(self, why: str) -> None:
        """Mark the node as not ready until it ends."""
        self._leaving = why

    @property
    def troubles(self) -> Sequence[str]:
        """Problems for the sysop that don't stop the node from serving."""
        return self._place.tables.troubles

    async def why_unhealthy(self) -> str:
        """Return why the node doesn't work; empty if it does."""
        if blocked := self._late.blocked():
            return f"the event loop was blocked for {blocked:.1f} seconds just now"
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.now()
        except Replaced as problem:
            return str(problem)
        except (StoreUnavailable, TimeoutError):
            return "the store doesn't answer"
        return ""

    async def unready(self) -> str:
        """Return why nobody should be sent here; empty if the node is ready."""
        if self._leaving:
            return self._leaving
        if self._place.node and self._place.node.beats.draining:
            return "this node is shutting down"
        return await self.why_unhealthy()
