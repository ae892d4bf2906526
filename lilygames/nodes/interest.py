"""Which open tables this node follows: those of its own people, and those that it has to run."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.chat.host.mail_turn import mails_to
from lilygames.chat.people.people import Person
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.tables.open.tables import Tables
from lilygames.tables.sight.public_row import PublicRow, row_of, says_the_same, to_text
from lilygames.tables.state.table import Table


class Interest:
    """Decides which tables this node follows. The cost of a move then depends on who is at the table alone."""

    def __init__(self, tables: Tables, beats: Beats, *, mails: bool = False) -> None:
        self._tables = tables
        self._mails = mails
        """Whether people can have mail about their tables."""
        self._remote = tables.remote
        self._people = tables.host.people
        self._beats = beats
        self._running: frozenset[str] = frozenset()
        """The nodes that took shared tasks at the last check."""

    def needs(self, number: int) -> bool:
        """Return whether this node has to follow an open table.

        It does if it runs the table, directs its tournament or mails to someone about it. It also does if one of its
        own people has a seat, is invited, watches or has asked for the table. So it does if a television here shows
        it. All nodes follow tables without a row.
        """
        row, bot = self._remote.rows.get(number), self._tables.open.get(number)
        if row is None or (bot and bot.case) or self._serves(row) or self._remote.is_wanted(number):
            return True
        if self._tables.televisions.at(number):
            return True
        if (self._mails and self._mails_about(row)) or self._directs(row):
            return True
        return not self._tables.lag(f"table/{number}")

    def _serves(self, row: PublicRow) -> bool:
        """Return whether one of this node's people has a seat at a table, is invited there or watches it."""
        if any(_is_own(self._people.known(name)) for name in row.concerns):
            return True
        room = self._tables.host.rooms.called(row.room)
        return room is not None and any(map(_is_own, room.people.nearby()))

    def _directs(self, row: PublicRow) -> bool:
        """Return whether this node directs the tournament of a table."""
        number, *place = row.tournament.split("/")
        return bool(place) and not self._tables.lag(f"tournament/{number}")

    def _mails_about(self, row: PublicRow) -> bool:
        """Return whether this node mails to someone who is invited to a table, or who plays there in a slow game."""
        host = self._tables.host
        return any(mails_to(host, host.accounts.key(name)) for name in row.mailed)

    def to_leave(self) -> Iterator[int]:
        """Yield the tables that this node follows and need not, and whose rows are up to date; 0 for each other one."""
        for number in [*self._tables.open]:
            left = number in self._tables.open and not self.needs(number) and self.is_told(number)
            yield number if left else 0

    def is_told(self, number: int) -> bool:
        """Return whether a table's row says what the table is, or what it is by now."""
        row, table = self._remote.rows.get(number), self._tables.open[number].table
        return row is not None and (row.seq > table.seq or says_the_same(row, row_of(table, self._beats.node)))

    def to_tell(self) -> Iterator[int]:
        """Yield the tables whose rows this node is to write again; 0 for each other one that it follows."""
        for number in [*self._tables.open]:
            yield number if self.row_to_tell(number) is not None else 0

    def row_to_tell(self, number: int) -> str | None:
        """Return the row that this node is to write of a table now, as text, or None if it is told.

        Rows may be missing or wrong, or the node in them should run the table no more. A node that has died or
        restarted runs no table any more. A node where nobody needs the table any more leaves it to one where someone
        has a seat.
        """
        bot = self._tables.open.get(number)
        if bot is None or bot.over or bot.case:
            return None
        row, now = self._remote.rows.get(number), row_of(bot.table, self._best_node(bot.table))
        if not says_the_same(row, now):
            told = bool(self._tables.lag(f"table/{number}"))
        else:
            told = not (row and now and row.node != now.node and self._is_to_pass(row, now.node))
        return None if told else to_text(now)

    def _is_to_pass(self, row: PublicRow, best: str) -> bool:
        """Return whether this node is to write that the best node runs a table, and not the one in the row."""
        if row.node == self._beats.node:
            return not self._serves(row)
        return row.node not in self._beats.running and best == self._beats.node

    def _best_node(self, table: Table) -> str:
        """Return the node that should run a table: one that serves a player, or else this one."""
        people = (self._people.get(name) for name in sorted(table.seats.owners))
        nodes = [person.node or self._beats.node for person in people if person and person.here]
        return next((node for node in nodes if node in self._beats.running), self._beats.node)

    def to_follow(self) -> Iterator[int]:
        """Yield the tables that this node has to follow because other nodes have come, gone or begun to stop.

        It yields 0 for each other one.
        """
        running = self._beats.running
        if running != self._running:
            self._running = running
            waiting = self._tables.unrestored
            for row in self._remote:
                yield row.number if row.number not in waiting and self.needs(row.number) else 0


def _is_own(person: Person | None) -> bool:
    """Whether this node serves a person, or keeps their seat after a disconnect."""
    return person is not None and not person.node
