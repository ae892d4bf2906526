"""Follow the logs and records that other nodes write, by hints from the bus and by checking the store."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any

import structlog

from lilygames.bus import Bus, Reconnected
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.chat.tasks.periodic import regularly
from lilygames.nodes.hints.invalidation import EVERYBODY
from lilygames.nodes.hints.topic_hints import TopicHints
from lilygames.nodes.interest import Interest
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.nodes.order.changes import HeardOfAll
from lilygames.nodes.order.predecessor import Predecessor
from lilygames.nodes.presence.roster import Roster
from lilygames.store import StoreUnavailable
from lilygames.tables.archive.archive import INDEX
from lilygames.tables.open.tables import Tables
from lilygames.tables.restore.known_headers import KnownHeaders
from lilygames.tables.restore.unrestored import groups, leave_for_later
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight import public_row

log = structlog.get_logger()
GLANCE = 1.0
"""Seconds between checks of the tables that this node follows: the longest delay if a hint was lost."""
MOMENT = 0.2
"""Seconds before a node follows a new table of another node.

Most games with bots begin in that time, and so have a row. A node that doesn't need the table then reads nothing of it.
A game of `/quick` costs each other node a seventh of the CPU, and none of a dozen queries. To remove this, set it to 0.
"""
ALL = 30.0
"""Seconds between checks of all open tables and their rows, in case a row was written past the nodes."""
OWN = 3.0
"""Seconds between checks of the rows of the tables that this node follows."""
Refresh = Callable[[str], Awaitable[object]]
"""Reads the record of a key again."""


class Follower:
    """Keep what this node holds in memory up to date with the store."""

    def __init__(
        self,
        tables: Tables,
        roster: Roster,
        beats: Beats,
        bus: Bus,
        *,
        records: Mapping[str, Refresh],
        table_hints: TopicHints[int],
        mails: bool = False,
    ) -> None:
        self._tables = tables
        self._remote, self._leaving, self._following = tables.remote, tables.leaving, tables.following
        self._interest = Interest(tables, beats, mails=mails)
        self._roster = roster
        self._beats = beats
        self._store = tables.store
        self._node = roster.node
        self._records = records
        self._hints = bus.subscribe(EVERYBODY)
        self._table_hints = table_hints
        self._doubtful: set[int] = set()
        """Tables about which hints may have been lost."""
        self._marks: dict[int, str] = {}
        """The marks of open tables as last read from the store."""
        self._rows = HeardOfAll()
        """The changes of rows of which hints came."""
        self._index = 0
        """The number of the newest table that this node has heard of."""
        self._checked = 0.0
        """When all marks were last read, by the monotonic clock."""
        self._told = 0.0
        """When this node last checked which rows it has to write."""
        self._running: set[asyncio.Task[None]] = set()
        self._missed: set[int] = set()
        """Tables that couldn't be followed when last tried."""

    async def listen(self) -> None:
        """Follow hints until cancelled."""
        async for hint in self._hints:
            try:
                if isinstance(hint, Reconnected):
                    self._checked = 0.0
                    await self.look()
                else:
                    await self._follow(json.loads(hint))
            except StoreUnavailable as problem:
                log.warning("cannot follow a hint", why=str(problem))
            except Exception:
                log.exception("cannot follow a hint")

    async def listen_to_tables(self) -> None:
        """Follow the hints about tables that this node follows until cancelled."""
        async for number, hint in self._table_hints:
            try:
                self._heard(number, hint)
            except Exception:
                log.exception("cannot follow a hint", table=number)

    async def listen_to_rooms(self) -> None:
        """Learn of people at other nodes who are in the rooms of people here, until cancelled."""
        async for room, hint in self._roster.news.hints:
            try:
                if isinstance(hint, Reconnected):  # also when the subscription begins
                    await self._roster.news.ask(room)
                else:
                    await self._follow(json.loads(hint))
            except StoreUnavailable as problem:
                log.warning("cannot follow a hint", why=str(problem))
            except Exception:
                log.exception("cannot follow a hint", room=room)

    def _heard(self, number: int, hint: bytes | Reconnected) -> None:
        if isinstance(hint, Reconnected):
            if not self._doubtful:
                self._start(self._check_doubtful())
            self._doubtful.add(number)
            return
        match json.loads(hint):
            case {"from": str(node), "seq": int(seq)} if node != self._node and self._following.read_to(number) < seq:
                self._soon(number)

    async def _check_doubtful(self) -> None:
        """Check the tables about which hints may have been lost, all with one query."""
        await asyncio.sleep(0)
        numbers, self._doubtful = self._doubtful, set()
        try:
            await self._check_heads(numbers)
        except StoreUnavailable as problem:
            log.warning("cannot check tables", why=str(problem))

    async def _check_heads(self, numbers: Iterable[int], *others: str) -> Mapping[str, int]:
        """Follow those of some tables that have new entries; return the heads of all these logs, and of `others`.

        Raises `StoreUnavailable`.
        """
        logs = {f"table/{number}": number for number in numbers}
        heads = await self._store.heads([*logs, *others])
        for name, number in logs.items():
            if self._following.read_to(number) < heads[name]:
                self._soon(number)
        return heads

    async def _follow(self, hint: Mapping[str, Any]) -> None:
        match hint:
            case {"from": self._node}:
                return
            case {"log": str(name)} if name in self._records:
                await self._records[name]("")
            case {"log": _}:
                await self._tables.results.ratings.follow()
            case {"kind": public_row.KIND, "key": str(number), "row": str() | None as body, "change": int(change)}:
                self._rows.add(hint["from"], change)
                self._marked(int(number), body)
            case {"kind": str(kind), "key": str(key)} if kind in self._records:  # a newer release may send other kinds
                await self._records[kind](key)
            case {"batch": _} | {"row": _} | {"gone": _} | {"asks": _}:
                await self._roster.hear(hint)
            case {"leaves": str(node)}:
                self._beats.makes_way(node)
                self._roster.post.hold(node, self._node)
            case {"follows": str(before), "from": str(node)}:
                self._beats.has_made_way(before)
                self._roster.post.moved(Predecessor.read(hint), node)

    def _soon(self, number: int) -> None:
        """Follow a table in its own task, so that a slow one doesn't delay the others."""
        self._start(self._table(number))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _table(self, number: int) -> None:
        known = number in self._tables.open
        try:
            await self._following.follow(number)
            self._roster.remote.place_all()
            self._missed.discard(number)
            if number in self._tables.open and not (known or self._interest.needs(number)):
                self._leave_soon(number)  # its game began while this node read it
        except StoreUnavailable as problem:
            if number not in self._missed:  # log each table once per outage of the store
                log.warning("cannot follow a table", table=number, why=str(problem))
            self._missed.add(number)
        except Exception:
            log.exception("cannot follow a table", table=number)

    def _marked(self, number: int, body: str | None) -> None:
        """Learn the mark of an open table; None if it isn't open any more."""
        row, followed = public_row.from_text(body or ""), number in self._followed
        if body is not None:
            self._marks[number] = body
            self._index = max(self._index, number)
        if body is None and not followed:
            self._leaving.ended(number)
        elif row is None and not followed and number not in self._remote.rows:
            self._start(self._new(number))
        elif row is None and (body is None or number in self._remote.rows):
            self._remote.forget(number)
            self._soon(number)
        elif row is None:
            return
        elif (known := self._remote.rows.get(number)) is None or known.seq <= row.seq:
            self._leaving.learn(row)
            self._weigh(number)

    async def _new(self, number: int) -> None:
        """Follow a table that another node has opened, unless its game begins in a moment and nobody here needs it.

        If someone here asks for the table before that, it is followed at once.
        """
        with self._remote.announced(number):
            await asyncio.sleep(MOMENT)
        if number not in self._remote and number not in self._followed:
            await self._table(number)

    def _weigh(self, number: int) -> None:
        """Follow a table that this node needs, or leave one that it doesn't need."""
        if number in self._remote and self._interest.needs(number):
            self._soon(number)
        elif number in self._tables.open and not self._interest.needs(number):
            self._leave_soon(number)

    def _leave_soon(self, number: int) -> None:
        """Leave a table to other nodes, in the task of its room, unless it is needed by then."""
        bot = self._tables.open[number]
        bot.room.post(self._leave, number, bot)

    async def _leave(self, number: int, bot: TableBot) -> None:
        known = self._tables.open.get(number) is bot and not self._tables.carried_over.asleep
        if known and not self._interest.needs(number) and self._interest.is_told(number):
            self._leaving.leave(number)

    @property
    def _followed(self) -> set[int]:
        """The open tables that this node follows, also those that it can't play, or that a start has left for later."""
        return {*self._tables.open, *self._tables.unplayable.numbers, *self._tables.unrestored.numbers}

    async def begin(self, *, at_once: bool = True, known: KnownHeaders = KnownHeaders()) -> None:  # noqa: B008 - frozen
        """Follow every open table that this node needs now, and learn the rows of the others.

        Unless `at_once`, tables that may wait are left for later; the headers `known` needn't be read for that. Raises
        `StoreUnavailable`.
        """
        counts = self._beats.rows_of_others
        self._marks = await self._tables.restoring.kept_open(whole=False)
        self._rows.reach(counts)
        for body in self._marks.values():
            if row := public_row.from_text(body):
                self._leaving.learn(row)
        tables = self._tables
        self._remote.want(tables.carried_over.told)
        needed = {number for number in self._marks if self._interest.needs(number)}
        numbers = sorted((needed | {*tables.carried_over.told}) - self._followed)
        if not at_once:
            await leave_for_later(tables.unrestored, tables.store, tables.games, numbers, known)
        for number in numbers:
            if number not in tables.unrestored:
                await self._table(number)
            elif number not in self._remote.rows:  # what changes there is hinted to nobody else
                self._table_hints.opened(number)
        self._roster.remote.place_all()

    async def look(self) -> None:
        """Check the store for changes whose hints were lost. Raises `StoreUnavailable`."""
        heads = await self._check_heads(self._followed, INDEX)
        self._index = max(self._index, *self._tables.open, 0)
        if heads[INDEX] > self._index or self._may_have_lost_rows():
            self._index = heads[INDEX]
            await self._look_at_all()
        if time.monotonic() - self._told >= OWN:
            await self._tell_rows()
        for number in filter(None, await run_in_slices(self._interest.to_follow(), "tables")):
            self._soon(number)
        for number in filter(None, await run_in_slices(self._interest.to_leave(), "tables")):
            if number in self._tables.open:
                self._leave_soon(number)
        await self._tables.results.ratings.follow()
        await self._records["audit"]("")

    def _may_have_lost_rows(self) -> bool:
        """Return whether another node has written a row without a hint that came here, or may have."""
        lost = self._rows.has_lost(self._beats.rows_of_others)
        return lost or time.monotonic() - self._checked >= ALL

    async def _look_at_all(self) -> None:
        """Check which tables are open, and their rows. Raises `StoreUnavailable`."""
        counts = self._beats.rows_of_others
        marks = await self._tables.restoring.kept_open()
        followed = self._followed
        for number, body in marks.items():
            known = number in self._remote or number in followed
            if body != self._marks.get(number) or not known:
                self._marked(number, body)
        for number in (self._followed | {row.number for row in self._remote}) - marks.keys():
            if number in self._followed:
                self._soon(number)
            elif await self._store.find(public_row.KIND, str(number)) is None:
                self._leaving.ended(number)
        self._marks, self._checked = marks, time.monotonic()
        self._rows.reach(counts)

    async def _tell_rows(self) -> None:
        """Write the rows that this node has to, because they are missing or wrong. Raises `StoreUnavailable`."""
        self._told = time.monotonic()
        numbers = [*filter(None, await run_in_slices(self._interest.to_tell(), "tables"))]
        for some in groups(numbers):  # a store writes those together that are asked for together
            await self._tables.host.foreground.quiet()
            await asyncio.gather(*map(self._tell_row, some))

    async def _tell_row(self, number: int) -> None:
        """Write the row of a table in place of the one that this node knows of, or else of the one that is stored."""
        if not await self._replace_row(number, self._marks.get(number)):
            await self._replace_row(number, await self._store.find(public_row.KIND, str(number)))

    async def _replace_row(self, number: int, before: str | None) -> bool:
        """Write the row of a table in place of a mark; return False if the store has another mark."""
        body = self._interest.row_to_tell(number)  # the table may have changed meanwhile
        stored = public_row.from_text(before or "")
        if body is None or (stored and stored.seq > self._following.read_to(number)):
            return True  # it is told, or will be with what this node has yet to read
        if before is None or not await self._store.swap(public_row.KIND, str(number), before, body):
            return False
        self._marked(number, body)
        return True

    async def watch(self) -> None:
        """Check the store once a second until cancelled."""
        await regularly(GLANCE, self.look, "cannot check the open tables")
