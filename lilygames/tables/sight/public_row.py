"""The public row of an open table, which every node knows. It is stored with the mark that the table is open.

A node that follows no entries of a table lists it, keeps its room and finds its players by this row. A table without a
row may concern people at any node, so every node follows it. A server alone writes rows, too: until a start has
restored a table, programs are told what its row says.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.store import Effect
from lilygames.tables.log.acts import Sitter
from lilygames.tables.sight import packets
from lilygames.tables.sight.openers import opener
from lilygames.tables.state.table import Table, free_seats

KIND = "open"
"""The kind of the records that mark open tables, by number. Their bodies are rows, or empty for tables without one."""


@attrs.frozen
class Vacancies:
    """The free seats of a table, and those who may take one."""

    invited: tuple[str, ...]
    """Folded names of everyone who is invited, and has neither a seat nor declined."""
    sitters: tuple[Sitter, ...] = ()
    """The players, as lists name them."""
    open: int = 0
    """The number of its free seats."""
    wanted: int = 0
    """The number of players with which it starts; 0 if a player starts it."""
    accepts: str = ""
    """The formula of those who may sit down; empty if everyone may."""


@attrs.frozen
class PublicRow:
    """An open table as everyone may know it. For private tables, only nodes read it."""

    number: int
    seq: int
    """The entry of the log after which it was written."""
    node: str
    """The node that wrote it. That node runs the table as long as it lives: it serves people there. Empty for a server
    alone."""
    game: str
    room: str
    private: bool
    state: str
    """The table's state as packets name it."""
    players: tuple[str, ...]
    holders: tuple[str, ...]
    """Folded names of everyone who has a seat, even if a bot keeps it."""
    seats: int
    vacancies: Vacancies | None = attrs.field(default=None, metadata={codec.LATER: True})
    """The free seats; None once the game has started, unless it may be joined or someone has been invited since."""
    slow: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether its players have days for a move."""
    staked: tuple[str, ...] | None = attrs.field(default=None, metadata={codec.LATER: True})
    """Folded names of everyone who has brought chips; None if the game isn't played for any."""
    tournament: str = attrs.field(default="", metadata={codec.LATER: True})
    """The place in a tournament that it was opened for: `3/2/5` for tournament 3, round 2, table 5."""
    opener: str | None = attrs.field(default=None, metadata={codec.LATER: True})
    """Folded name of the person whose quota counts it; empty if it counts for nobody, None in a row of release 0.2."""
    simul: int = attrs.field(default=0, metadata={codec.LATER: True})
    """When the simul that it belongs to was opened, in seconds since 1970; 0 for none."""
    party: str = attrs.field(default="", metadata={codec.LATER: True})
    """The code with which people join it; empty if it's no party."""

    @property
    def waits(self) -> bool:
        """Whether the game hasn't started."""
        return self.state == packets.WAITS

    @property
    def concerns(self) -> tuple[str, ...]:
        """Folded names of those whose node follows the table: they have a seat, or may take one."""
        return (*self.holders, *self.invited)

    @property
    def mailed(self) -> tuple[str, ...]:
        """Folded names of those who may get mail about the table."""
        return self.concerns if self.slow else self.invited

    @property
    def invited(self) -> tuple[str, ...]:
        """Folded names of everyone who is invited, and has neither a seat nor declined."""
        return self.vacancies.invited if self.vacancies else ()

    def may_see(self, folded: str) -> bool:
        """Return whether someone with this folded name may know of the table; empty is someone who hasn't logged in."""
        return not self.private or folded in self.concerns

    def absent(self, is_here: Callable[[str], bool]) -> tuple[str, ...]:
        """Return the players who are disconnected, as `TableBot.absent` does for tables that are followed here."""
        people = () if self.slow else self.players or self.holders
        return tuple(name for name in people if not is_here(name))

    @property
    def facts(self) -> dict[str, object]:
        """The facts that programs are told of the table, as `packets.facts` does for tables that are followed here."""
        return {
            "number": self.number,
            "room": self.room,
            "game": self.game,
            "state": self.state,
            "players": [*self.players],
            "seats": self.seats,
            "open": self.vacancies.open if self.vacancies and self.waits else 0,
        }


def row_of(table: Table, node: str) -> PublicRow | None:
    """Return the row that a node writes of a table, or None if it is closed."""
    header = table.header
    if table.closed:
        return None
    return PublicRow(
        header.number,
        table.seq,
        node,
        header.game,
        header.room,
        header.private,
        packets.state(table),
        tuple(who.name for who in table.seats.people),
        tuple(sorted(table.seats.holders)),
        len(table.seats),
        _vacancies(table),
        table.clock.slow,
        _staked(table),
        header.tournament,
        opener(table),
        header.simul,
        header.party,
    )


def _vacancies(table: Table) -> Vacancies | None:
    invited = _unanswered(table)
    if table.started and not (table.game.joins and table.going):
        return Vacancies(invited) if invited else None
    sitters = tuple(Sitter(who.name, who.level) for who in table.seats)
    return Vacancies(invited, sitters, free_seats(table), table.header.wanted, table.header.accepts)


def _staked(table: Table) -> tuple[str, ...] | None:
    """Return the folded names of everyone who has brought chips to a table, also if they have left it since."""
    if not (table.game.purse and table.game.purse.staked):
        return None
    people = {who.name for who in table.seats if not who.house}
    newcomer = {table.rounds.newcomer.name} if table.rounds.newcomer else set()
    return tuple(sorted(map(fold, people | newcomer)))


def _unanswered(table: Table) -> tuple[str, ...]:
    """Return the folded names of everyone who is invited, and has neither a seat nor declined."""
    first = () if table.started else map(fold, table.header.invited)
    names = dict.fromkeys((*(name for name in first if name not in table.declined), *table.guests))
    return tuple(name for name in names if table.own_seat(name) is None)


def says_the_same(one: PublicRow | None, other: PublicRow | None) -> bool:
    """Return whether two rows of a table say the same, whoever wrote them and when."""
    if one is None or other is None:
        return one is other
    return attrs.evolve(one, seq=other.seq, node=other.node) == other


def row_changed(before: Table, after: Table, node: str, *, forgets: bool) -> tuple[Effect, ...]:
    """Return the record to write with entries of a node that lead from one table to another; none if it is the same.

    If the entries delete a name (`forgets`), there is no row until one is written without it.
    """
    if after.closed:
        return ()
    same = before.seats is after.seats and before.paused == after.paused and before.started == after.started
    is_set = after.started and not after.game.joins
    same = same and before.frozen == after.frozen and (is_set or before.rounds is after.rounds)
    same = same and before.guests is after.guests and before.declined is after.declined
    if same and before.clock is after.clock and not forgets:
        return ()
    row = None if forgets else row_of(after, node)
    return () if says_the_same(row_of(before, node), row) else (Effect(KIND, str(after.header.number), to_text(row)),)


def to_text(row: PublicRow | None) -> str:
    """Return the body of an open table's record."""
    return codec.to_text(row) if row else ""


def from_text(body: str) -> PublicRow | None:
    """Return the row in an open table's record; None if there is none, or a newer release wrote it."""
    if not body:
        return None
    try:
        row: PublicRow = codec.from_text(body, PublicRow)
    except ValueError:
        return None
    return row
