"""Reopening tables from their logs, after a restart and when this node begins to follow them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.errors import UserError
from lilygames.store import Damaged, Entry, Store, is_outage
from lilygames.tables.archive.archive import Archive
from lilygames.tables.log.acts import Header
from lilygames.tables.open.carried_over import CarriedOver
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.rooms import TableRooms
from lilygames.tables.restore.unplayable import without_header
from lilygames.tables.room.bot import PastStep, TableBot
from lilygames.tables.state.table import Table, step_of


def _steps(table: Table, entries: Iterable[Entry]) -> Iterator[PastStep]:
    """Yield the steps of a table that some entries make."""
    for entry in entries:
        act, table, _ = step_of(table, entry)
        yield PastStep(entry, act, table)


class Reopening:
    """Replays tables, and opens them in their rooms as their logs left them."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        open_tables: OpenTables,
        rooms: TableRooms,
        carried_over: CarriedOver,
    ) -> None:
        self._store, self._archive = store, archive
        self._games = open_tables.games
        self._tables = open_tables
        self._unplayable, self._unrestored = open_tables.unplayable, open_tables.unrestored
        self._rooms = rooms
        self._carried_over = carried_over

    async def replayed(self, number: int) -> tuple[Table, list[PastStep]] | None:
        """Return a table as its log left it, with all its earlier states; None if it can't be played here.

        Raises `StoreUnavailable`.
        """
        header: Header | None = None
        entries: list[Entry] | None = None
        try:
            people, entries = await self._archive.named(number)
            header = await self._archive.header(number, people)
            game = header.game_in(self._games)
            if game:
                table = Table(header, game, await self._archive.sealed_secret(header, entries))
                await self._unrestored.rest(number)
                past = await run_in_slices(_steps(table, entries[: self._carried_over.told.get(number)]), "replays")
                return past[-1].table if past else table, past
            if header.lesson:
                await self._store.forget("open", str(number))  # it has changed since, so start again
                return None
            self._unplayable.wait(header, entries)
        except Exception as bug:
            if is_outage(bug):
                raise
            self._unplayable.stop(header or await self._known_header(number), entries, bug)
        return None

    async def _known_header(self, number: int) -> Header:
        """Return the header of a table whose log can't be read; a placeholder if that can't be read either."""
        if number in self._unrestored:
            return self._unrestored.header(number)
        with suppress(UserError, Damaged):
            return await self._archive.header(number)
        return without_header(number)

    def reopened(self, table: Table, past: list[PastStep]) -> TableBot:
        """Open a table that has been replayed, in its room or in another one if that is taken."""
        header = table.header
        there = self._tables.in_room(header.room)
        taken = there is not None and not there.over
        room = self._rooms.free(table.game, private=header.private) if taken else header.room
        bot = self._rooms.open(room, table, past[0].entry.at if past else None)
        with suppress(UserError), bot.runner.bugs_stop_this_table:
            bot.replay_past(past)
        return bot
