"""Restoring open tables after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import structlog

from lilygames.chat.host.host import Host
from lilygames.chat.people.observers import PersonEvent, TableAwaited
from lilygames.chat.visits.arrivals import let_go
from lilygames.errors import UserError
from lilygames.recovery.salvage import readable
from lilygames.store import Store, is_outage
from lilygames.tables.open.bookkeeping import Bookkeeping
from lilygames.tables.open.carried_over import CarriedOver
from lilygames.tables.open.following import Following
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.reopening import Reopening
from lilygames.tables.play.services import Effect
from lilygames.tables.restore.known_headers import KnownHeaders
from lilygames.tables.restore.unrestored import groups, leave_for_later
from lilygames.tables.room.bot import PastStep, TableBot
from lilygames.tables.sight.public_row import KIND, from_text
from lilygames.tables.state.table import Table

log = structlog.get_logger()


class Restoring:
    """Reopens the tables that were open when the host stopped, at once or one by one later.

    `effects` are the jobs at the end of a game. `clustered` says whether other nodes may write the tables' logs.
    """

    observes = (TableAwaited,)

    def __init__(
        self,
        host: Host,
        store: Store,
        open_tables: OpenTables,
        books: Bookkeeping,
        *,
        reopening: Reopening,
        following: Following,
        carried_over: CarriedOver,
        lag: Callable[[str], float],
        effects: Sequence[Effect],
        clustered: bool,
    ) -> None:
        self._host, self._store, self._books = host, store, books
        self._tables, self._bots = open_tables, open_tables.bots
        self._unplayable, self._unrestored = open_tables.unplayable, open_tables.unrestored
        self._remote = open_tables.remote
        self._reopening, self._following = reopening, following
        self._carried_over = carried_over
        self._lag = lag
        self._effects = effects
        self._clustered = clustered
        self._orphans: set[int] = set()
        """Tables found by the last sweep that are open in the store but not on this node."""

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Restore a table that someone needs."""
        return self.restore_later(event.number) if isinstance(event, TableAwaited) else None

    async def restore(self, *, at_once: bool = True, known: KnownHeaders = KnownHeaders()) -> None:  # noqa: B008 - frozen
        """Reopen every table that was open when the host stopped; tables that can't be played are stopped.

        No bot or clock runs there until `wake`. Unless `at_once`, nearly all tables are left for later; the headers
        `known` needn't be read for that. Raises `StoreUnavailable`.
        """
        await self._books.vacations.load()
        marks = await self.kept_open(whole=False)
        for row in filter(None, map(from_text, marks.values())):
            self._remote.learn(row)
        numbers = sorted(marks)
        if not at_once:
            await leave_for_later(self._unrestored, self._store, self._tables.games, numbers, known)
            self._tables.hold_later()
        for group in groups([number for number in numbers if number not in self._unrestored]):
            for found in await asyncio.gather(*map(self._reopening.replayed, group)):
                if found:
                    await self._resumed(*found)

    async def restore_later(self, number: int) -> None:
        """Reopen a table that was left for later, with the people who are here, and resume it.

        Those who turn out to have no seat any more are let go. Raises `StoreUnavailable`.
        """
        header = self._unrestored.header(number)
        try:
            if self._clustered:
                await self._following.mirror(number)
            elif found := await self._reopening.replayed(number):
                await self._resumed(*found)
        except Exception as bug:
            if is_outage(bug):
                raise
            self._unplayable.stop(header, None, bug)  # everyone's commands wait for this table
        names = self._unrestored.people_of(number)
        self._unrestored.drop(number)
        if bot := self._bots.get(number):
            with suppress(UserError), bot.runner.bugs_stop_this_table:
                self._carried_over.settle(bot)
            if not self._carried_over.asleep:
                await asyncio.sleep(0)
                await self._resume(bot)
        self._carried_over.release(number)
        if number not in self._bots and (room := self._host.rooms.called(header.room)):
            self._host.close_room(room)
        if number not in self._bots and number not in self._unplayable:
            self._tables.drop(number)
        here = filter(None, map(self._host.people.known, names))
        self._unplayable.tell(number, [person for person in here if person.local])
        let_go(self._host, names - self._host.going.keys())

    async def kept_open(self, *, whole: bool = True) -> dict[int, str]:
        """Return the marks of the tables that are open in the store, by number; raises `StoreUnavailable`.

        Unless they must be `whole`, damaged ones are left out.
        """
        read = self._store.every(KIND) if whole else readable(self._store, KIND, self._books.unreadable)
        marks = {}
        for key, body in (await read).items():
            try:
                marks[int(key)] = body
            except ValueError as problem:
                self._books.unreadable.report(KIND, key, problem)
        return marks

    async def _resumed(self, table: Table, past: list[PastStep]) -> None:
        """Reopen a table that has been replayed, or finish it if it is over. Stop it if that can't be done.

        Raises `StoreUnavailable`.
        """
        number = table.header.number
        try:
            await self._finish(table)
            if await self._is_open(table):
                await self._unrestored.rest(number)  # reopening takes a millisecond, as the replay before did
                self._reopening.reopened(table, past)
        except Exception as bug:
            if is_outage(bug):
                raise
            self._unplayable.stop(table.header, [step.entry for step in past], bug)  # a plug-in may raise anything

    async def _is_open(self, table: Table) -> bool:
        """Return whether a replayed table is still open; if it isn't, remove its mark. Raises `StoreUnavailable`."""
        header, duplicates = table.header, self._books.duplicates
        waits = any(not who.house for who in table.seats) or await duplicates.plays_alone(header)
        if not table.closed and (table.started or waits):
            return True
        if header.duplicate and not table.closed:
            await duplicates.dropped(header.duplicate, header.number)
        await self._store.forget("open", str(header.number))
        return False

    async def _finish(self, table: Table) -> None:
        """Complete the end of a game that the host was stopped in."""
        await self._books.purses.settle(table, set())
        for effect in self._effects if table.closed and not table.lesson else ():
            await effect(table)

    async def wake(self) -> None:
        """Resume every table: publish what other nodes have done, then start bots and clocks."""
        self._carried_over.wake()
        for bot in [*self._bots.values()]:
            await self._resume(bot)

    async def _resume(self, bot: TableBot) -> None:
        """Resume a table, unless other nodes are to act first. Errors are not raised."""
        try:
            await bot.runner.wake()
            if not self._lag(bot.runner.log):
                await bot.room.do(bot.go_on)
        except Exception:
            log.exception("cannot resume a table", table=bot.table.header.number)

    async def sweep(self) -> None:
        """Finish tables that are still open in the store although they ended along with their node."""
        remote = {row.number for row in self._remote if self._lag(f"table/{row.number}")}
        known = {*self._bots, *self._unplayable.numbers, *self._unrestored.numbers}
        orphans = {*await self.kept_open()} - known - remote
        for number in orphans & self._orphans:
            if found := await self._reopening.replayed(number):
                await self._resumed(*found)
        self._orphans = orphans
