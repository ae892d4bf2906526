"""Delete old talk: what was said in rooms, and private messages."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from itertools import takewhile

import attrs

from lilygames.chat.history import of_person, of_room
from lilygames.store import Entry, Store

PREFIXES = (of_room(""), of_person(""))
"""Beginnings of the names of logs with talk."""
NOTHING = "[]"
"""The body that the last entry of a log keeps: nothing was said."""
PAGE = 200
"""Entries read at once."""


@attrs.frozen
class TalkAge:
    """Deletes talk from a store, log by log."""

    store: Store

    async def forget_before(self, moment: float) -> AsyncGenerator[int, None]:
        """Delete talk from before a moment (UTC seconds), and yield the number of deleted entries after each log.

        An entry is as old as the newest one up to it, in case the clock was set back for a while. An entry from the
        future doesn't count, and goes with those around it. Raises `StoreUnavailable`.
        """
        now = await self.store.now()
        for prefix in PREFIXES:
            last = ""
            while logs := await self.store.logs(prefix, last):
                for last in logs:
                    yield await self._trim(last, moment, now)

    async def _trim(self, log: str, moment: float, now: float) -> int:
        """Delete the old entries of a log, and return how many."""
        deleted = 0
        while entries := (await self.store.read(log, 0, PAGE)).entries:
            old = [*takewhile(lambda entry: not moment <= entry.at <= now, entries)]
            old = old[: _last_dated(old, now)]
            if not old or (len(old) == 1 and old[0].body == NOTHING):
                break
            await self.store.trim(log, old[-1].seq, NOTHING)
            deleted += len(old)
            if len(old) < len(entries):
                break
        return deleted


def _last_dated(entries: Sequence[Entry], now: float) -> int:
    """Return the number of entries up to the last one that isn't from the future: what follows it may be new."""
    return next((place for place in range(len(entries), 0, -1) if entries[place - 1].at <= now), 0)
