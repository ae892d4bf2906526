"""Look regularly whether what is written is still kept, and tell everybody when that changes."""

from __future__ import annotations

import structlog

from lilygames.chat.host import Host
from lilygames.chat.periodic import regularly
from lilygames.store import Replaced, Store, StoreUnavailable

log = structlog.get_logger()
GLANCE = 2.0
"""Seconds between two looks."""
LOST = "*** The server can't save anything right now, so no moves can be made. The sysop has been told. ***"
BACK = "*** The server can save again; play goes on. ***"


class StoreWatch:
    """Notices that the files or the database of a store were removed or replaced."""

    def __init__(self, store: Store, host: Host) -> None:
        self._store = store
        self._host = host
        self.lost = False
        """Whether nothing that is written now would be kept."""

    async def watch(self) -> None:
        """Look again and again until cancelled."""
        await regularly(GLANCE, self.look, "it is not known whether anything is kept")

    async def look(self) -> None:
        """Look once; tell people and the log if it has changed."""
        try:
            await self._store.now()
        except Replaced as problem:
            if not self.lost:
                self.lost = True
                log.error("nothing is saved any more", why=str(problem))  # noqa: TRY400 - there is nothing to trace
                self._host.announce(LOST)
        except StoreUnavailable:
            return  # it may come back by itself, and whoever asks for something meanwhile is told
        else:
            if self.lost:
                self.lost = False
                log.warning("everything is saved again")
                self._host.announce(BACK)
