"""A store that sends the other nodes a hint about each change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from lilygames.bus import Bus
from lilygames.chat.host import detached_records
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.store import Draft, Entry, Store
from lilygames.store.wrapper import Through
from lilygames.tables.ratings.ratings import STANDINGS
from lilygames.tables.sight import public_row

EVERYBODY = "nodes"
"""The topic that every node subscribes to. Each table has one of its own, named as its log is."""
FOLLOWED = frozenset(
    {
        public_row.KIND,
        "account",
        "former",
        "discussion",
        "vacation",
        "session",
        "motd",
        "deleted",
        detached_records.KIND,
    }
)
"""The kinds of records that nodes hold in memory."""


def is_followed(log: str) -> bool:
    """Return whether nodes hold the state of a log in memory."""
    return log.startswith("table/") or log in (STANDINGS, "audit")


class HintingStore(Through):
    """Send a hint after each change. A hint says what to read, never what it says, so no cards are on the bus.

    Only the public row of an open table is sent as it is, so that nodes need not read it. Those that
    this node writes are counted in its `beats`.
    """

    def __init__(self, store: Store, bus: Bus, beats: Beats) -> None:
        super().__init__(store)
        self._bus = bus
        self._node = beats.node
        self._beats = beats

    async def _hint(self, topic: str = EVERYBODY, **hint: Any) -> None:
        await self._bus.publish(topic, json.dumps({"from": self._node, **hint}).encode())

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any) -> tuple[Entry, ...]:
        """Append all drafts; see `Store.append`."""
        effects = more.get("effects", ())
        with self._counted_if_unsure(*(effect.kind for effect in effects)):
            entries = await super().append(log, expected, drafts, **more)
        for effect in effects:
            await self._changed(effect.kind, effect.key, effect.body)
        await self._appended(log, entries)
        return entries

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs; see `Store.append_each`."""
        written = await super().append_each(drafts, cmd=cmd)
        for log, entries in written.items():
            await self._appended(log, entries)
        return written

    async def _appended(self, log: str, entries: Sequence[Entry]) -> None:
        """Send a hint about new entries of a log, if nodes hold its state."""
        if log.startswith("table/"):
            await self._hint(log, log=log, seq=entries[-1].seq)
        elif is_followed(log):
            await self._hint(log=log, seq=entries[-1].seq)

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record, replacing an earlier one."""
        with self._counted_if_unsure(kind):
            await super().keep(kind, key, body)
        await self._changed(kind, key, body)

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`."""
        with self._counted_if_unsure(kind):
            swapped = await super().swap(kind, key, old, new)
        if swapped:
            await self._changed(kind, key, new)
        return swapped

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        with self._counted_if_unsure(kind):
            await super().forget(kind, key)
        await self._changed(kind, key, None)

    @contextmanager
    def _counted_if_unsure(self, *kinds: str) -> Iterator[None]:
        """Count a public row that was perhaps written, so that the other nodes read all rows: they get no hint."""
        try:
            yield
        except BaseException:
            if public_row.KIND in kinds:
                self._beats.row_written()
            raise

    async def _changed(self, kind: str, key: str, body: str | None) -> None:
        if kind == public_row.KIND:
            await self._hint(kind=kind, key=key, row=body, change=self._beats.row_written())
        elif kind in FOLLOWED:
            await self._hint(kind=kind, key=key)
