"""The pages that look at a table: each gets the whole table once, and then an update for each entry of its log.

A page gets updates instead of the lines that they word. An update is the same for everyone in a seat, and for all
spectators, so it is made and encoded once for them. Televisions get what spectators get.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from weakref import WeakKeyDictionary

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Terminal
from lilygames.tables.log.acts import Sitter
from lilygames.tables.play import next_steps
from lilygames.tables.play.held_moves import played
from lilygames.tables.play.runner import Advanced
from lilygames.tables.play.televisions import Televisions
from lilygames.tables.sight.sight import Sight
from lilygames.tables.state.table import Table
from lilygames.tables.state.vacant import number_vacant
from lilygames.text import Packet
from lilygames_rules.kit import Event, Seat

MISSED = 60
"""Most entries that a page which comes back is told one by one; after more, it gets the whole table."""


class PictureUpdates:
    """One table, as each page knows it."""

    def __init__(self, room: str, number: int, people: Mapping[str, Person], televisions: Televisions) -> None:
        self._room = room
        self._number = number
        self._people = people
        self._televisions = televisions
        self._known: WeakKeyDictionary[Terminal, int] = WeakKeyDictionary()
        """The last entry that each page knows."""
        self._ends: dict[Seat, float] = {}
        self._more: Sequence[Seat] = ()
        """The seats that may take more time, when pages were last told."""
        """When the time of each seat to move ends, by the monotonic clock; empty without a clock."""
        self._sights: dict[Seat | None, Sight] = {}
        """The last sight of each seat that a page has."""

    def tell(self, advanced: Advanced, events: Sequence[Event], pages: Iterable[Person]) -> None:
        """Send each page what an entry has changed, or the whole table if the page doesn't know it.

        A page that has missed entries gets nothing: it is about to be told what it missed.
        """
        before, after = advanced.before, advanced.after
        updates: dict[tuple[Seat | None, Seat | None], Packet] = {}
        for person in sorted(pages, key=lambda person: after.seat_of(person.name) is not None):
            known = self._known.get(person.terminal) if person.terminal else None
            if known is None:
                self.inform(after, person)
            elif person.terminal and known == before.seq:
                seats = before.seat_of(person.name), after.seat_of(person.name)
                if seats not in updates:
                    was = self._sight(before, seats[0])
                    updates[seats] = Packet("update", self._sight(after, seats[1]).since(was, events))
                self._known[person.terminal] = after.seq
                person.packet(updates[seats])

    def show(self, advanced: Advanced) -> None:
        """Show on the table's televisions what an entry has changed for a spectator, or the whole table."""
        if not (televisions := self._televisions.at(self._number)):
            return
        before, after = advanced.before, advanced.after
        update = Packet("update", self._sight(after, None).since(self._sight(before, None), played(advanced)))
        moved = before.seats is not after.seats or before.started != after.started
        for television in televisions:
            if self._known.get(television) != before.seq:
                self.begin(after, television)
                continue
            self._known[television] = after.seq
            television.packet(update, *([_party(after)] if moved else []))

    def begin(self, table: Table, television: Terminal) -> None:
        """Send a television the whole table as a spectator sees it."""
        self._known[television] = table.seq
        sight = self._sight(table, None)
        television.packet(Packet("table", {**sight.whole, "next": []}), _party(table))
        if self._ends:
            television.packet(Packet("clock", sight.clock(self._left, self._more)))

    def expect(self, person: Person, seq: int) -> None:
        """Wait to tell a page that has come back what happened after an entry, before it gets anything else."""
        if person.terminal:
            self._known[person.terminal] = seq

    def missed(self, table: Table, person: Person) -> int | None:
        """Return the last entry that a page knows; None if it needs the whole table, because it missed too many."""
        known = self._known.get(person.terminal) if person.terminal else None
        return known if known and table.seq - MISSED <= known <= table.seq else None

    def catch_up(self, person: Person, steps: Sequence[Advanced]) -> None:
        """Send a page the updates that it has missed, as it would have got them."""
        if not (person.terminal and steps):
            return
        seat = steps[-1].after.seat_of(person.name)
        before = Sight(self._room, steps[0].before, seat, self._presence)
        for step in steps:
            after = Sight(self._room, step.after, seat, self._presence)
            person.packet(Packet("update", after.since(before, played(step))))
            before = after
        self._known[person.terminal] = steps[-1].after.seq

    def inform(self, table: Table, person: Person) -> None:
        """Send a page the whole table."""
        if person.terminal:
            self._known[person.terminal] = table.seq
            sight = self._sight(table, table.seat_of(person.name))
            person.packet(Packet("table", {**sight.whole, "next": self._next(table, person)}))
            if self._ends:
                person.packet(Packet("clock", sight.clock(self._left, self._more)))

    def tell_clock(
        self, table: Table, left: Mapping[Seat, float], more: Sequence[Seat], pages: Iterable[Person]
    ) -> None:
        """Tell pages how many seconds each seat to move has left, and which may take more."""
        now = time.monotonic()
        self._ends, self._more = {seat: now + seconds for seat, seconds in left.items()}, more
        for person in pages:
            person.packet(Packet("clock", self._sight(table, table.seat_of(person.name)).clock(left, more)))
        for television in self._televisions.at(self._number):
            television.packet(Packet("clock", self._sight(table, None).clock(left, more)))

    def tell_roster(self, table: Table, pages: Iterable[Person]) -> None:
        """Tell pages who of the players is here."""
        for person in pages:
            person.packet(Packet("roster", self._sight(table, table.seat_of(person.name)).presences))
        for television in self._televisions.at(self._number):
            television.packet(Packet("roster", self._sight(table, None).presences))

    def tell_over(self, table: Table, rating_of: Callable[[str], codec.Json], pages: Iterable[Person]) -> None:
        """Tell pages how the game ended, and their own rating after it."""
        for person in pages:
            over = self._sight(table, table.seat_of(person.name)).over
            person.packet(Packet("over", {**over, "rating": rating_of(person.name), "next": self._next(table, person)}))
        for television in self._televisions.at(self._number):
            television.packet(Packet("over", {**self._sight(table, None).over, "rating": None, "next": []}))

    def _next(self, table: Table, person: Person) -> codec.Json:
        """Return what someone can do after the game, in the order of the row that lines show; empty before the end."""
        if not table.closed:
            return []
        played = table.seat_of(person.name) is not None
        return next_steps.listed(self._room, table, guest=person.guest, played=played)

    @property
    def _left(self) -> Mapping[Seat, float]:
        now = time.monotonic()
        return {seat: max(0.0, end - now) for seat, end in self._ends.items()}

    def _sight(self, table: Table, seat: Seat | None) -> Sight:
        known = self._sights.get(seat)
        if known is None or known.table is not table:
            known = self._sights[seat] = Sight(self._room, table, seat, self._presence)
        return known

    def _presence(self, who: Sitter) -> Mapping[str, bool]:
        person = self._people.get(fold(who.name)) if who.person else None
        here = who.house or (person is not None and person.here)
        return {"here": here, "away": person is not None and person.activity.away}


def _party(table: Table) -> Packet:
    """Return how many more people a party has room for."""
    header = table.header
    return Packet("party", {"number": header.number, "code": header.party, "free": number_vacant(table)})
