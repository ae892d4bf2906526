"""Which open tables this node follows: those of its own people, and those that it has to run."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.chat.mail_turn import mails_to
from lilygames.chat.people import Person
from lilygames.nodes.heartbeat import WAITING_ROWS, Beats
from lilygames.tables.public_row import PublicRow, row_of, says_the_same
from lilygames.tables.table import Table
from lilygames.tables.tables import Tables


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
        own people has a seat, is invited, watches or has asked for the table. All nodes follow tables without a row,
        and all tables while a node of an earlier release is alive.
        """
        row, bot = self._remote.rows.get(number), self._tables.open.get(number)
        if row is None or (bot and bot.case) or self._serves(row) or self._remote.is_wanted(number):
            return True
        if (self._mails and self._mails_about(row)) or self._directs(row):
            return True
        return not self._beats.all_read(WAITING_ROWS) or not self._tables.lag(f"table/{number}")

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
        """Yield the tables that this node follows and need not, and whose rows are up to date."""
        for number in [*self._tables.open]:
            if not self.needs(number) and self.is_told(number):
                yield number

    def is_told(self, number: int) -> bool:
        """Return whether a table's row says what the table is, or what it is by now."""
        row, table = self._remote.rows.get(number), self._tables.open[number].table
        return row is not None and (row.seq > table.seq or says_the_same(row, row_of(table, self._beats.node)))

    def to_tell(self) -> Iterator[tuple[int, PublicRow | None]]:
        """Yield the tables whose rows this node is to write again: they are missing or wrong, or it should run no more.

        A node of an earlier release writes no rows, and a node that has died or restarted runs no table any more. A
        node where nobody needs the table any more leaves it to one where someone has a seat.
        """
        for number, bot in [*self._tables.open.items()]:
            row, now = self._remote.rows.get(number), row_of(bot.table, self._best_node(bot.table))
            if bot.over or bot.case:
                continue
            if not says_the_same(row, now):
                if not self._tables.lag(f"table/{number}"):
                    yield number, now
            elif row and now and row.node != now.node and self._is_to_pass(row, now.node):
                yield number, now

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
        """Yield the tables that this node has to follow because other nodes have come, gone or begun to stop."""
        running = self._beats.running if self._beats.all_read(WAITING_ROWS) else frozenset()
        if running != self._running:
            self._running = running
            waiting = self._tables.unrestored
            yield from (row.number for row in self._remote if row.number not in waiting and self.needs(row.number))


def _is_own(person: Person | None) -> bool:
    """Whether this node serves a person, or keeps their seat after a disconnect."""
    return person is not None and not person.node
