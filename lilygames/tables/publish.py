"""Delivery of table events: lines for people and packets for client programs.

`narrate` words the lines, and `visible` decides what each reader may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.game import Reader
from lilygames.tables import narrate, packets
from lilygames.tables.log import Sitter
from lilygames.tables.narrate import Words
from lilygames.tables.runner import Advanced
from lilygames.tables.table import Table
from lilygames.text import Kind, Line, Tag, Voice
from rules.kit import Seat


class Publisher:
    """A table's audience: spectators in its room and players."""

    def __init__(self, room: Room, number: int, people: Mapping[str, Person]) -> None:
        self.tag = Tag(room.name, number)
        """The tag on the table's lines."""
        self._room = room
        self._people = people
        self._typist: Seat | None = None
        """The seat whose typed move is being played."""

    def is_here(self, name: str) -> bool:
        """Return whether the person with this name is connected to any node."""
        person = self._people.get(fold(name))
        return person is not None and person.here

    def near(self, who: Sitter) -> Person | None:
        """Return the person in a seat if they are connected to this node."""
        person = self._people.get(fold(who.name)) if who.person else None
        return person if person and person.local else None

    @property
    def watched(self) -> bool:
        """Whether anyone in the room sees the table."""
        return any(person.here for person in self._room.watching)

    @contextmanager
    def typing(self, seat: Seat | None) -> Iterator[None]:
        """Mark a seat as the one typing, so that it isn't told about its own move."""
        self._typist = seat
        try:
            yield
        finally:
            self._typist = None

    def reader(self, table: Table, seat: Seat | None, voice: Voice) -> Reader:
        """Return a seat's player, or a spectator, as a reader with a voice."""
        return narrate.reader(table, seat, voice, typed=seat is not None and seat == self._typist)

    def reader_of(self, table: Table, person: Person) -> Reader:
        """Return a person as a reader of this table's lines."""
        return self.reader(table, table.seat_of(person.name), person.voice)

    def line(self, text: str, kind: Kind = "game", aloud: str = "", by: str = "") -> Line:
        """Return a line of this table, as `narrate.line` does."""
        return narrate.line(self.tag, text, kind, aloud, by)

    def say(self, table: Table, words: Words, aloud: str = "", by: str = "") -> None:
        """Show a notice to everyone watching the table; `by` is the person quoted in it."""
        if isinstance(words, str):
            self._room.show(self.line(words, aloud=aloud, by=by))
            return
        for person in self._room.watching:
            seat = table.own_seat(person.name)  # a bot may be substituting for them
            person.overhear(self._room, narrate.worded(self.tag, table, words, seat, by))

    def say_near(self, table: Table, words: Words) -> None:
        """Show a notice that every node produces itself to the people on this node."""
        if isinstance(words, str):
            self._room.show_near(self.line(words))
            return
        for person in self._room.watching:
            if person.local:
                seat = table.own_seat(person.name)
                person.overhear(self._room, narrate.worded(self.tag, table, words, seat))

    def observe(self, advanced: Advanced) -> None:
        """Tell everyone what happened, as far as they may know."""
        if back := narrate.taken_back(advanced.after):
            self.say_near(advanced.after, back)
        watching = self._room.watching
        self._tell(advanced, watching)
        self._inform(advanced, watching)

    def _tell(self, advanced: Advanced, watching: Sequence[Person]) -> None:
        """Tell everyone watching what they may know, worded once per group of readers.

        A player who has just left reads it as their former seat.
        """
        before, after = advanced.before, advanced.after
        told: dict[tuple[Seat | None, Voice], tuple[Line, ...]] = {}
        for person in watching:
            if not person.local:
                continue
            seat = after.seat_of(person.name)
            key = (before.seat_of(person.name) if seat is None else seat, person.voice)
            if key not in told:
                told[key] = narrate.happened(self.tag, after, advanced.events, self.reader(after, *key))
            person.overhear(self._room, *told[key])

    def _inform(self, advanced: Advanced, watching: Sequence[Person]) -> None:
        """Send client programs the events and the table's state.

        Spectators and players get them until the game ends.
        """
        table = advanced.after
        sitting = map(self._people.get, table.seats.by_name)
        for person in {*watching, *filter(None, sitting)}:
            if person.wants_packets:
                seat = table.seat_of(person.name)
                person.packet(*packets.taken_back(self._room.name, table, seat))
                person.packet(*packets.happened(self._room.name, advanced.events, seat))
                self.inform(table, person)

    def inform(self, table: Table, person: Person) -> None:
        """Send a person's client program the table's state as they may know it."""
        if person.wants_packets:
            person.packet(*packets.standing(self._room.name, table, self.reader_of(table, person)))

    def say_how_it_ended(self, table: Table) -> None:
        """Announce the result to everyone watching and all players.

        Players hear the next game here only if they watch or join it.
        """
        players = table.seats.owners & self._room.people.keys()
        for person in {*self._room.watching, *(self._room.people[name] for name in players)}:
            if person.local:
                ending = narrate.ending(table, self.reader_of(table, person))
                seal = () if table.lesson else (narrate.seal_at_the_end(self.tag, table),)
                person.show(*seal, *map(self.line, ending))
        self._room.stop_watching(players)
