"""Follow the logs and records that other nodes write, by hints from the bus and by checking the store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from lilygames import codec
from lilygames.bus import Bus, Reconnected
from lilygames.chat.periodic import regularly
from lilygames.nodes.heartbeat import Beats
from lilygames.nodes.invalidation import EVERYBODY
from lilygames.nodes.roster import Presence, Roster
from lilygames.store import StoreUnavailable
from lilygames.tables.tables import Tables

log = structlog.get_logger()
GLANCE = 1.0
"""Seconds between checks of all open tables: the longest delay if a hint was lost."""
Refresh = Callable[[str], Awaitable[object]]
"""Reads the record of a key again."""


class Follower:
    """Keep what this node holds in memory up to date with the store."""

    def __init__(self, tables: Tables, roster: Roster, beats: Beats, bus: Bus, records: Mapping[str, Refresh]) -> None:
        self._tables = tables
        self._roster = roster
        self._beats = beats
        self._store = tables.store
        self._node = roster.node
        self._records = records
        self._hints = bus.subscribe(EVERYBODY)
        self._running: set[asyncio.Task[None]] = set()
        self._missed: set[int] = set()
        """Tables that couldn't be followed when last tried."""

    async def listen(self) -> None:
        """Follow hints until cancelled."""
        async for hint in self._hints:
            try:
                if isinstance(hint, Reconnected):
                    await self.look()
                else:
                    await self._follow(json.loads(hint))
            except StoreUnavailable as problem:
                log.warning("cannot follow a hint", why=str(problem))
            except Exception:
                log.exception("cannot follow a hint")

    async def _follow(self, hint: Mapping[str, Any]) -> None:
        match hint:
            case {"from": self._node}:
                return
            case {"log": str(name), "seq": int(seq)}:
                await self._log(name, seq)
            case {"kind": "open", "key": str(number)}:
                self._soon(int(number))
            case {"kind": str(kind), "key": str(key)} if kind in self._records:  # a newer release may send other kinds
                await self._records[kind](key)
            case {"here": record}:
                await self._roster.learn(codec.load(record, Presence))
            case {"leaves": str(node)}:
                self._beats.makes_way(node)
                self._roster.post.hold(node, self._node)
            case {"follows": str(before), "from": str(node)}:
                self._beats.has_made_way(before)
                self._roster.post.moved(before, node)
            case {"gone": str(name), "from": str(node), "visit": int(visit), "change": int(change)}:
                self._roster.forget(node, name, visit, change)

    async def _log(self, name: str, seq: int) -> None:
        kind, _, number = name.partition("/")
        if name in self._records:
            await self._records[name]("")
            return
        if kind != "table":
            await self._tables.results.ratings.load()
            return
        if self._tables.read_to(int(number)) < seq:
            self._soon(int(number))

    def _soon(self, number: int) -> None:
        """Follow a table in its own task, so that a slow one doesn't delay the others."""
        task = asyncio.get_running_loop().create_task(self._table(number))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _table(self, number: int) -> None:
        try:
            await self._tables.follow(number)
            self._roster.place_all()
            self._missed.discard(number)
        except StoreUnavailable as problem:
            if number not in self._missed:  # log each table once per outage of the store
                log.warning("cannot follow a table", table=number, why=str(problem))
            self._missed.add(number)
        except Exception:
            log.exception("cannot follow a table", table=number)

    async def begin(self) -> None:
        """Follow every table that is open now. Raises `StoreUnavailable`."""
        for number in sorted(await self._tables.kept_open() | {*self._tables.told}):
            await self._table(number)

    async def look(self) -> None:
        """Check the store for changes whose hints were lost. Raises `StoreUnavailable`."""
        known = {*self._tables.open, *self._tables.unplayable.numbers}
        for number in await self._tables.kept_open() ^ known:
            self._soon(number)
        logs = {f"table/{number}": number for number in known}
        for name, head in (await self._store.heads([*logs])).items():
            if self._tables.read_to(logs[name]) < head:
                self._soon(logs[name])
        await self._tables.results.ratings.load()
        await self._records["audit"]("")

    async def watch(self) -> None:
        """Check the store once a second until cancelled."""
        await regularly(GLANCE, self.look, "cannot check the open tables")
