"""A store before another one: everything goes through, and whoever stands there says only what it does besides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.store import Draft, Entry, Page, Store


class Through:
    """Passes everything on to `store`."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any) -> tuple[Entry, ...]:
        """Append all drafts together; see `Store.append`."""
        return await self.store.append(log, expected, drafts, **more)

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""
        return await self.store.read(log, after, limit)

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""
        return await self.store.heads(logs)

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record under its kind and key, in place of an earlier one."""
        await self.store.keep(kind, key, body)

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""
        return await self.store.find(kind, key)

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Keep `new` in place of `old`; see `Store.swap`."""
        return await self.store.swap(kind, key, old, new)

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind by key."""
        return await self.store.every(kind)

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        await self.store.forget(kind, key)

    async def now(self) -> float:
        """Return the time by the engine's clock, in UTC seconds."""
        return await self.store.now()

    async def close(self) -> None:
        """Let go of the engine."""
        await self.store.close()
