"""Following tables that other nodes write too."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import PersonEvent, TableWanted
from lilygames.chat.visits.arrivals import let_go
from lilygames.store import Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.open.carried_over import CarriedOver
from lilygames.tables.open.leaving import Leaving
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.reopening import Reopening
from lilygames.tables.results.purses import Unsettled
from lilygames.tables.room.bot import TableBot
from lilygames.tables.room.catch_up import show_again
from lilygames.tables.sight.public_row import KIND

NEWEST = 50
"""Tables opened lately that another node may have opened without this one having heard of it."""


class Following:
    """Brings the tables that this node follows up to date with their logs, and begins to follow others."""

    observes = (TableWanted,)

    def __init__(
        self,
        host: Host,
        store: Store,
        archive: Archive,
        open_tables: OpenTables,
        *,
        reopening: Reopening,
        leaving: Leaving,
        carried_over: CarriedOver,
    ) -> None:
        self._host, self._store, self._archive = host, store, archive
        self._tables, self._bots = open_tables, open_tables.bots
        self._unplayable, self._unrestored = open_tables.unplayable, open_tables.unrestored
        self._remote = open_tables.remote
        self._reopening = reopening
        self._leaving = leaving
        self._carried_over = carried_over

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Begin to follow a table that someone needs."""
        return self.follow(event.number) if isinstance(event, TableWanted) else None

    async def follow(self, number: int) -> None:
        """Follow another node's change: update a table, or open or close it here."""
        await self._unrestored.ready_for("", [number])
        if number in self._unplayable:
            await self._unplayable.follow(number)
            if number not in self._unplayable:
                self._tables.drop(number)
                self._remote.forget(number)
        elif number not in self._bots:
            await self.mirror(number)
        bot = self._bots.get(number)
        if bot is None or self._carried_over.asleep:
            return
        before = bot.table.seats.owners
        seq = bot.table.seq
        await bot.room.do(bot.runner.follow)
        going = bot.over or (
            bot.table.seq > seq and bot.table.seats.owners
        )  # a table that has just advanced was open, unless everyone left
        if number in self._bots and not going and await self._store.find("open", str(number)) is None:
            self._tables.drop(number)
            self._remote.forget(number)
            bot.room.close_table()
            self._host.close_room(bot.room)
            for person in self._host.people.nearby():
                person.focus.leave(bot)
        let_go(self._host, before - bot.table.seats.owners)

    def read_to(self, number: int) -> int:
        """Return the number of the last entry this node has read of a table; 0 if it doesn't know the table.

        For a table that a start has left for later, it's the one that was the last then.
        """
        if number in self._unrestored:
            return self._unrestored.length(number)
        bot = self._bots.get(number)
        return bot.table.seq if bot else self._unplayable.read_to(number)

    async def mirror(self, number: int) -> None:
        """Begin to follow a table, unless it is no longer open; raises `StoreUnavailable`."""
        if number not in self._carried_over.told and await self._store.find("open", str(number)) is None:
            return
        found = await self._reopening.replayed(number)
        if number in self._unplayable:
            self._tables.add_unplayable(number)
        if found and not found[0].closed:
            await self._unrestored.rest(number)
            self._remote.take(number)
            await self._emptied(found[0].header.room)
            if number not in self._bots:
                bot = self._reopening.reopened(*found)
                with suppress(Unsettled):  # those stakes count until the account can be read
                    await bot.end_of_game.learn_settled()
                if number not in self._unrestored:
                    self._catch_up_on(bot)

    async def _emptied(self, room: str) -> None:
        """Follow the tables of a room up to now: one that is over or closed there leaves it."""
        for number, bot in [(number, bot) for number, bot in self._bots.items() if bot.room.name == room]:
            await self.follow(number)
            await bot.room.finish()
        for number in self._remote.in_room(room):
            if await self._store.find(KIND, str(number)) is None:
                self._leaving.ended(number)

    def _catch_up_on(self, bot: TableBot) -> None:
        """Show a table to players who sit there and haven't been told here that it has started."""
        for who in bot.table.seats.people:
            person = self._host.people.known(fold(who.name))
            if person and person.local and bot.table.started:
                show_again(bot, person)

    async def read_newest(self, room: str) -> None:
        """Read a room's newest tables if this node doesn't know them yet. Raises `StoreUnavailable`."""
        for number in await self._archive.latest(room, NEWEST):
            known = (self._bots, self._unplayable, self._unrestored, self._remote)
            if not any(number in those for those in known):
                await self.follow(number)
