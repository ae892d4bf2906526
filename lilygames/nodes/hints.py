"""A store that lets the other nodes know where there is something new to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lilygames.bus import Bus
from lilygames.store import Draft, Effect, Entry, Page, Store

EVERYBODY = "nodes"
"""The topic that every node listens to."""
FOLLOWED = frozenset({"open", "account", "former", "discussion", "belongings", "vacation"})
"""The kinds of records that nodes hold in memory."""


def is_followed(log: str) -> bool:
    """Whether nodes hold the fold of a log in memory."""
    return log.startswith("table/") or log == "ratings"


class HintingStore:
    """A store whose changes are hinted at; a hint says where, never what: nobody's cards are on the bus."""

    def __init__(self, store: Store, bus: Bus, node: str) -> None:
        self._store = store
        self._bus = bus
        self._node = node

    async def _hint(self, **hint: Any) -> None:
        await self._bus.publish(EVERYBODY, json.dumps({"from": self._node, **hint}).encode())

    async def append(
        self,
        log: str,
        expected: int | None,
        drafts: Sequence[Draft],
        *,
        cmd: str,
        not_before: float | None = None,
        effects: Sequence[Effect] = (),
    ) -> tuple[Entry, ...]:
        """Append all drafts together; see `Store.append`."""
        entries = await self._store.append(log, expected, drafts, cmd=cmd, not_before=not_before, effects=effects)
        if is_followed(log):
            await self._hint(log=log, seq=entries[-1].seq)
        for effect in effects:
            if effect.kind in FOLLOWED:
                await self._hint(kind=effect.kind, key=effect.key)
        return entries

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""
        return await self._store.read(log, after, limit)

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""
        return await self._store.heads(logs)

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record under its kind and key, in place of an earlier one."""
        await self._store.keep(kind, key, body)
        if kind in FOLLOWED:
            await self._hint(kind=kind, key=key)

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""
        return await self._store.find(kind, key)

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind by key."""
        return await self._store.every(kind)

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        await self._store.forget(kind, key)
        if kind in FOLLOWED:
            await self._hint(kind=kind, key=key)

    async def now(self) -> float:
        """Return the time by the engine's clock, in UTC seconds."""
        return await self._store.now()

    async def close(self) -> None:
        """Let go of the engine."""
        await self._store.close()
