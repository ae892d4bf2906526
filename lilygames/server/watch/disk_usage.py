"""How many bytes the store and the archive use, and how many more each day."""

from __future__ import annotations

import attrs

from lilygames import codec
from lilygames.store import Store
from lilygames.store.packs import Packs

KIND = "disk"
"""The kind of the daily records, by the number of the day since 1970."""
KEPT = 30
"""Days of which the figures are kept."""
DAY = 86400.0
LEAST = 3600.0
"""Seconds that figures must be old to count."""


@attrs.frozen
class Usage:
    """Bytes on the disk at a time in UTC seconds. Packs in a database count for the store."""

    at: float
    store: int
    archive: int


@attrs.frozen
class Growth:
    """Bytes more per day, on average over some days; negative while more is given back than is written."""

    store: float = 0.0
    archive: float = 0.0
    days: float = 0.0
    """The days of the average; 0 without earlier figures."""


@attrs.frozen
class DiskUsage:
    """Measures the store and the archive. `sample` must run once a day for `growth`."""

    store: Store
    packs: Packs

    async def now(self, at: float) -> Usage:
        """Return the figures for this moment. Raises `StoreUnavailable`."""
        return Usage(at, await self.store.size(), await self.packs.size())

    async def sample(self, at: float) -> None:
        """Store the figures of a day, if they aren't stored yet. Raises `StoreUnavailable`."""
        day = int(at // DAY)
        if await self.store.find(KIND, str(day)) is None:
            await self.store.swap(KIND, str(day), None, codec.to_text(await self.now(at)))
            for key in await self.store.every(KIND):
                if not day - KEPT < int(key) <= day:
                    await self.store.forget(KIND, key)

    async def growth(self, at: float) -> Growth:
        """Return the growth per day since the oldest figures, which are at most `KEPT` days old.

        Raises `StoreUnavailable`.
        """
        known = map(_read, (await self.store.every(KIND)).values())
        samples = [usage for usage in known if usage and usage.at <= at - LEAST]
        if not samples:
            return Growth()
        oldest, now = min(samples, key=lambda usage: usage.at), await self.now(at)
        days = (now.at - oldest.at) / DAY
        return Growth((now.store - oldest.store) / days, (now.archive - oldest.archive) / days, days)


def _read(body: str) -> Usage | None:
    try:
        usage: Usage = codec.from_text(body, Usage)
    except ValueError:
        return None
    return usage
