"""Leaving tables to other nodes: their rooms stay open here, and their players' names stay taken."""

from __future__ import annotations

import attrs

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.charter import Charter
from lilygames.chat.people.people import Room
from lilygames.chat.visits.arrivals import let_go
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.sight.public_row import PublicRow


@attrs.frozen
class _Elsewhere:
    """A table that only other nodes follow. Implements `lilygames.chat.people.people.RemoteTable`."""

    number: int
    _tables: OpenTables

    def room_changed(self) -> None:
        """Let the table have its new place in the list."""
        self._tables.changed(self.number)


class Leaving:
    """Leaves tables to other nodes, and learns what becomes of those."""

    def __init__(self, host: Host, open_tables: OpenTables) -> None:
        self._host = host
        self._tables = open_tables
        self._remote = open_tables.remote

    def lag(self, log: str) -> float:
        """Return the seconds this node leaves other nodes to act on a log first, when any node may act."""
        return self._host.cluster.lag(log, self._remote.runs(log))

    def is_cut_off(self, name: str) -> bool:
        """Return whether someone was served by another node that may have died."""
        person = self._host.people.get(fold(name))
        return person is not None and bool(person.node) and self._host.cluster.is_silent(person.node)

    def leave(self, number: int) -> None:
        """Stop following a table that only other nodes need. Call it in the task of the table's room."""
        bot = self._tables.bots[number]
        bot.sleep()
        self._tables.drop(number)
        self._keep(number, bot.room, bot.room.charter)
        for name in bot.table.seats.holders:
            person = self._host.people.known(name)
            if person and bot in person.seats:
                person.seats.remove(bot)
        for each in self._host.people.nearby():
            each.focus.leave(bot)

    def learn(self, row: PublicRow) -> None:
        """Learn the public row of a table. If the table isn't followed here, keep its room and its players' names."""
        before = self._remote.rows.get(row.number)
        self._remote.learn(row)
        if before and row.number in self._remote:
            let_go(self._host, {*before.holders} - {*row.holders})
        if row.number not in self._tables.bots and row.number not in self._tables.unplayable:
            charter = Charter(private=row.private, permitted=frozenset(row.concerns), cleared=self._host.clock())
            self._keep(row.number, self._room(row), charter)

    def _room(self, row: PublicRow) -> Room:
        games = self._tables.games
        title = games[row.game].title if row.game in games else row.game
        return self._host.open_room(row.room, f"{title} table", lasting=row.room in games)

    def _keep(self, number: int, room: Room, charter: Charter) -> None:
        """Keep the room of a table that this node leaves, unless another table is there already."""
        here = self._tables.in_room(room.name)
        if here is None or here.over:
            room.leave_table(_Elsewhere(number, self._tables), charter)
        self._remote.leave(number, room)
        self._tables.changed(number)

    def ended(self, number: int) -> None:
        """Forget a table that isn't followed here and isn't open any more."""
        row = self._remote.rows.get(number)
        left = number in self._remote
        room = self._remote.room_of(number) if left else None
        self._remote.forget(number)
        self._tables.changed(number)
        if row is None or room is None:
            return
        if isinstance(room.remote, _Elsewhere) and room.remote.number == number:
            room.close_table()
            self._host.close_room(room)
        let_go(self._host, row.holders)
