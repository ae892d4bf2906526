"""Closing tables: those whose game has ended, and those that everyone left before the start."""

from __future__ import annotations

import structlog

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Room
from lilygames.chat.visits.arrivals import let_go
from lilygames.store import Store, StoreUnavailable
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.room.bot import TableBot

log = structlog.get_logger()


class Closing:
    """Closes tables, and lets the people go who were kept for their seats there."""

    def __init__(self, host: Host, store: Store, open_tables: OpenTables, duplicates: DuplicateSets) -> None:
        self._host, self._store = host, store
        self._tables = open_tables
        self._duplicates = duplicates
        self._rooms: set[Room] = set()
        """Rooms of tables that are over but still marked as open in the store."""

    def ended(self, number: int) -> None:
        """Close a table whose game has ended, after everything that its end brings about."""
        self._over(self._tables.bots[number])

    def close(self, bot: TableBot) -> None:
        """Close a table that everyone left before the start."""
        if bot.table.header.duplicate:
            bot.room.post(self._duplicates.dropped, bot.table.header.duplicate, bot.table.header.number)
        bot.room.close_table()
        self._over(bot)

    async def finish(self) -> None:
        """Wait until tables that are over are no longer marked as open."""
        for room in [*self._rooms]:
            await room.finish()

    def _over(self, bot: TableBot) -> None:
        number = bot.table.header.number
        self._tables.drop(number)
        self._tables.remote.forget(number)
        nearby = self._host.people.nearby()
        sat = [person for person in nearby if bot in person.seats]
        for person in sat:
            person.seats.remove(bot)
        for person in nearby:
            person.focus.leave(bot)
        names = {*bot.table.seats.owners, *(fold(person.name) for person in sat)}
        let_go(self._host, names, told=bot.table.outcome is not None)
        self._host.close_room(bot.room)
        self._rooms.add(bot.room)
        bot.room.post(self._forget, number, bot.room)

    async def _forget(self, number: int, room: Room) -> None:
        """Remove a table from the open ones in the store; if that fails now, a later sweep does it.

        Only then may another table have its room. Otherwise other nodes would find two tables there.
        """
        try:
            await self._store.forget("open", str(number))
        except StoreUnavailable as problem:
            log.warning("a finished table stays marked as open for now", table=number, why=str(problem))
        self._rooms.discard(room)
        self._host.cluster.release(f"room {fold(room.name)}")
