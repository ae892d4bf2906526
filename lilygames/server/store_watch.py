"""Check regularly that the store still saves, and tell everyone if that changes."""

from __future__ import annotations

import structlog

from lilygames.chat.host import Host
from lilygames.chat.periodic import regularly
from lilygames.store import Replaced, Store, StoreUnavailable

log = structlog.get_logger()
GLANCE = 2.0
"""Seconds between checks."""
LOST = "*** The server can't save anything right now, so no moves can be made. The sysop has been told. ***"
BACK = "*** The server can save again. You can continue to play. ***"


class StoreWatch:
    """Notice when a store's files or database were removed or replaced."""

    def __init__(self, store: Store, host: Host) -> None:
        self._store = store
        self._host = host
        self.lost = False
        """Whether new writes would be lost."""

    async def watch(self) -> None:
        """Check again and again until cancelled."""
        await regularly(GLANCE, self.look, "cannot check that the store saves")

    async def look(self) -> None:
        """Check once. Tell people and the log if the answer has changed."""
        try:
            await self._store.now()
        except Replaced as problem:
            if not self.lost:
                self.lost = True
                log.error("nothing can be saved", why=str(problem))  # noqa: TRY400 - there is nothing to trace
                self._host.announce(LOST)
        except StoreUnavailable:
            return  # an outage may end by itself, and commands report it meanwhile
        else:
            if self.lost:
                self.lost = False
                log.warning("the store saves again")
                self._host.announce(BACK)
