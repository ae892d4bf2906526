"""Delete old talk: what was said in rooms, and private messages."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import attrs

from lilygames.chat.talk.history import of_person, of_room
from lilygames.store import Store
from lilygames.store.old_entries import trim_old

PREFIXES = (of_room(""), of_person(""))
"""Beginnings of the names of logs with talk."""
NOTHING = "[]"
"""The body that the last entry of a log keeps: nothing was said."""


@attrs.frozen
class TalkAge:
    """Deletes talk from a store, log by log."""

    store: Store

    async def forget_before(self, moment: float) -> AsyncGenerator[int, None]:
        """Delete talk from before a moment (UTC seconds), and yield the number of deleted entries after each log.

        Raises `StoreUnavailable`.
        """
        now = await self.store.now()
        for prefix in PREFIXES:
            last = ""
            while logs := await self.store.logs(prefix, last):
                for last in logs:
                    yield await trim_old(self.store, last, moment, now, blank=NOTHING)
