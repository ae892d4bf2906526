"""Who is told of what happens at a table, on lines for people and in packets for programs.

What they are told is worded in `narrate`; what of it they may know is decided in `visible`.
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
    """The people around a table: those in its room who watch the game, and its players."""

    def __init__(self, room: Room, number: int, people: Mapping[str, Person]) -> None:
        self.tag = Tag(room.name, number)
        """What the table's lines name it by."""
        self._room = room
        self._people = people
        self._typist: Seat | None = None
        """Whose typed move is being made."""

    def is_here(self, name: str) -> bool:
        """Whether the person of that name has a terminal now, at whatever node."""
        person = self._people.get(fold(name))
        return person is not None and person.here

    def near(self, who: Sitter) -> Person | None:
        """Return the person in a seat, if this node serves them."""
        person = self._people.get(fold(who.name)) if who.person else None
        return person if person and person.local else None

    @property
    def watched(self) -> bool:
        """Whether anybody is in the room and sees what happens."""
        return any(person.here for person in self._room.watching)

    @contextmanager
    def typing(self, seat: Seat | None) -> Iterator[None]:
        """Let who has this seat be the one who types what happens meanwhile, and need not be told of it."""
        self._typist = seat
        try:
            yield
        finally:
            self._typist = None

    def reader(self, table: Table, seat: Seat | None, voice: Voice) -> Reader:
        """Return who reads: a seat with its voice."""
        return narrate.reader(table, seat, voice, typed=seat is not None and seat == self._typist)

    def reader_of(self, table: Table, person: Person) -> Reader:
        """Return a person as a reader of this table's lines."""
        return self.reader(table, table.seat_of(person.name), person.voice)

    def line(self, text: str, kind: Kind = "game", aloud: str = "", by: str = "") -> Line:
        """Return a line of this table, as `narrate.line` does."""
        return narrate.line(self.tag, text, kind, aloud, by)

    def say(self, table: Table, words: Words, aloud: str = "", by: str = "") -> None:
        """Show a notice to everybody who watches the table; `by` is the person whose words are in it."""
        if isinstance(words, str):
            self._room.show(self.line(words, aloud=aloud, by=by))
            return
        for person in self._room.watching:
            seat = table.own_seat(person.name)  # a bot may keep it for them
            person.overhear(self._room, narrate.worded(self.tag, table, words, seat, by))

    def say_near(self, table: Table, words: Words) -> None:
        """Show a notice, which every node finds by itself, to those whom this one serves."""
        if isinstance(words, str):
            self._room.show_near(self.line(words))
            return
        for person in self._room.watching:
            if person.local:
                seat = table.own_seat(person.name)
                person.overhear(self._room, narrate.worded(self.tag, table, words, seat))

    def observe(self, advanced: Advanced) -> None:
        """Tell everybody what has happened, as much as they may know."""
        if back := narrate.taken_back(advanced.after):
            self.say_near(advanced.after, back)
        watching = self._room.watching
        self._tell(advanced, watching)
        self._inform(advanced, watching)

    def _tell(self, advanced: Advanced, watching: Sequence[Person]) -> None:
        """Tell everybody who watches what they may know, worded once for all who read it the same way.

        Whoever has just left is told of that as the seat they had.
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
        """Send programs what happened and how it stands: of those who watch, and of players until the end."""
        table = advanced.after
        sitting = map(self._people.get, table.seats.by_name)
        for person in {*watching, *filter(None, sitting)}:
            if person.wants_packets:
                seat = table.seat_of(person.name)
                person.packet(*packets.taken_back(self._room.name, table, seat))
                person.packet(*packets.happened(self._room.name, advanced.events, seat))
                self.inform(table, person)

    def inform(self, table: Table, person: Person) -> None:
        """Send a program of the person how the table stands, as they may know it."""
        if person.wants_packets:
            person.packet(*packets.standing(self._room.name, table, self.reader_of(table, person)))

    def say_how_it_ended(self, table: Table) -> None:
        """Tell everybody who watches and all players; these hear the next game here when they watch it or sit down."""
        players = table.seats.owners & self._room.people.keys()
        for person in {*self._room.watching, *(self._room.people[name] for name in players)}:
            if person.local:
                ending = narrate.ending(table, self.reader_of(table, person))
                seal = () if table.lesson else (narrate.seal_at_the_end(self.tag, table),)
                person.show(*seal, *map(self.line, ending))
        self._room.stop_watching(players)
