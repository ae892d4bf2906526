"""Check regularly that the store still saves, and tell everyone if that changes."""

from __future__ import annotations

import time

from lilygames import log_events
from lilygames.chat.host.host import Host
from lilygames.chat.tasks.periodic import regularly
from lilygames.store import Replaced, Store, StoreUnavailable

GLANCE = 2.0
"""Seconds between checks."""
LOST = "*** The server can't save anything right now, so no moves can be made. The sysop has been told. ***"
BACK = "*** The server can save again. You can continue to play. ***"


class StoreWatch:
    """Notice when a store doesn't answer, or when its files or database were removed or replaced."""

    def __init__(self, store: Store, host: Host) -> None:
        self._store = store
        self._host = host
        self.lost = False
        """Whether new writes would be lost, until a sysop does something."""
        self.why = ""
        """Why nothing can be saved now; empty if it can."""
        self.took = 0.0
        """Seconds that the last check took."""
        self._since = 0.0

    async def watch(self) -> None:
        """Check again and again until cancelled."""
        await regularly(GLANCE, self.look, "cannot check that the store saves")

    async def look(self) -> None:
        """Check once. Tell the log if the answer has changed, and people if an outage won't end by itself."""
        asked = time.perf_counter()
        try:
            await self._store.now()
        except StoreUnavailable as problem:
            self._is_away(str(problem), replaced=isinstance(problem, Replaced))
        else:
            self._is_back()
        finally:
            self.took = time.perf_counter() - asked

    def _is_away(self, why: str, *, replaced: bool) -> None:
        if not self.why:
            self._since = time.monotonic()
        if not self.why or (replaced and not self.lost):
            log_events.store_lost(why, replaced=replaced)
        self.why = why
        if replaced and not self.lost:
            self.lost = True
            self._host.announce(LOST)

    def _is_back(self) -> None:
        if self.why:
            log_events.store_back(seconds=time.monotonic() - self._since)
        self.why = ""
        if self.lost:
            self.lost = False
            self._host.announce(BACK)
