"""Delivery of table events: lines for people and packets for client programs.

`narrate` words the lines, and `visible` decides what each reader may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person, Room
from lilygames.errors import UserError
from lilygames.game import Reader
from lilygames.tables.log.acts import EVERY_ACT, Sitter
from lilygames.tables.play.held_moves import HeldMoves, HeldRemarks, Step, is_repeated, parts, played, step_of
from lilygames.tables.play.picture_updates import PictureUpdates
from lilygames.tables.play.runner import Advanced
from lilygames.tables.play.televisions import Televisions
from lilygames.tables.sight import narrate, packets
from lilygames.tables.sight.changes import Changes
from lilygames.tables.sight.narrate import Words
from lilygames.tables.state.table import Table
from lilygames.text import Kind, Line, Tag, Voice
from lilygames_rules.kit import Event, Seat

Listener = tuple[Person, Voice]
"""A person on this node who watches a table, and how lines are worded for them."""


class Publisher:
    """A table's audience: spectators in its room and players.

    Bots' moves in sequence are told in one row, if the game has `merging`. They are told when a person is to move or
    moves, and when something else happens. After `latest` seconds `late` is called; None sets no limit.
    """

    acts = EVERY_ACT

    def __init__(
        self,
        room: Room,
        number: int,
        people: Everybody[Person],
        televisions: Televisions,
        *,
        late: Callable[[], object] = lambda: None,
        latest: float | None = None,
    ) -> None:
        self.tag = Tag(room.name, number)
        """The tag on the table's lines."""
        self._room = room
        self._people = people
        self._held = HeldMoves(late, latest)
        self.remarks = HeldRemarks(room)
        """Remarks of bots about these moves."""
        self._changes = Changes(room.name)
        self.pages = PictureUpdates(room.name, number, people, televisions)
        """The pages that look at the table."""

    def is_here(self, name: str) -> bool:
        """Return whether the person with this name is connected to any node."""
        person = self._people.get(fold(name))
        return person is not None and person.here

    def near(self, who: Sitter) -> Person | None:
        """Return the person in a seat if they are connected to this node."""
        person = self._people.known(fold(who.name)) if who.person else None
        return person if person and person.local else None

    def needs_longer(self, who: Sitter) -> bool:
        """Return whether the person in a seat has twice the time where others wait, at whatever node they are."""
        person = self._people.known(fold(who.name)) if who.person else None
        return person is not None and person.needs_longer

    @property
    def audience(self) -> list[Person]:
        """Everyone who sees the table."""
        return self._room.watching

    @property
    def waiting(self) -> int:
        """How many bots' moves haven't been told yet."""
        return self._held.moves

    @property
    def holds_moves(self) -> bool:
        """Whether anyone is still to be told a move."""
        return self._held.has_moves

    @property
    def since_row(self) -> float:
        """Seconds since moves were last told."""
        return self._held.age

    @property
    def watched(self) -> bool:
        """Whether anyone in the room sees the table."""
        return any(person.here for person in self._room.watching)

    def reader_of(self, table: Table, person: Person, typed_by: Seat | None = None) -> Reader:
        """Return a person as a reader of this table's lines, of a move that this seat has just typed."""
        seat = table.seat_of(person.name)
        return narrate.reader(table, seat, person.voice, typed=seat is not None and seat == typed_by)

    def line(self, text: str, kind: Kind = "game", aloud: str = "", by: str = "") -> Line:
        """Return a line of this table, as `narrate.line` does."""
        return narrate.line(self.tag, text, kind, aloud, by)

    def refused(self, sentence: object, code: str = UserError.code, rule: str = "") -> Line:
        """Return the line that refuses something, with its code for programs."""
        return narrate.refused(self.tag, str(sentence), code, rule)

    def say(self, table: Table, words: Words, aloud: str = "", by: str = "") -> None:
        """Show a notice to everyone watching the table; `by` is the person quoted in it."""
        self.flush()
        if isinstance(words, str):
            self._room.show(self.line(words, aloud=aloud, by=by))
            return
        for person in self._room.watching:
            seat = table.own_seat(person.name)  # a bot may be substituting for them
            person.overhear(self._room, narrate.worded(self.tag, table, words, seat, by))

    def say_near(self, table: Table, words: Words) -> None:
        """Show a notice that every node produces itself to the people on this node."""
        self._say_near(table, words, self._room.watching)

    def _say_near(self, table: Table, words: Words, readers: Iterable[Person]) -> None:
        self.flush()
        for person in readers:
            if person.local and isinstance(words, str):
                person.overhear(self._room, self.line(words))
            elif person.local and not isinstance(words, str):
                seat = table.own_seat(person.name)
                person.overhear(self._room, narrate.worded(self.tag, table, words, seat))

    def observe(self, advanced: Advanced) -> None:
        """Tell everyone what happened, as far as they may know."""
        if back := narrate.taken_back(advanced.after):
            self._say_near(advanced.after, back, [person for person in self._room.watching if not person.takes_picture])
        watching = self._room.watching
        if watching:
            self._tell(advanced, _with_voices(watching))
        else:
            self._held.take()
            self.remarks.say()
        self._inform(advanced, watching)

    def _tell(self, advanced: Advanced, near: Sequence[Listener]) -> None:
        """Tell everyone watching what they may know, now or together with the next moves.

        A person's move is told at once. Only the player who typed it may read it later, in the row that repeats it.
        """
        whole, merging = step_of(advanced), [listener for listener in near if listener[1].merges]
        if len(merging) < len(near):
            apart = [listener for listener in near if not listener[1].merges]
            self._show((attrs.evolve(whole, merges=False),), apart)
        if not whole.by_bot:
            self._flush(merging)
        now, later = parts(whole)
        if now.events:
            self._flush(merging, now)
        if later is None or later.person is None:
            self._hold(later)
        elif is_repeated(later):
            self._show((later,), _readers(later, merging, but=later.person))
            self._held.add(later, typed_by=later.person)
        else:
            self._show((later,), merging)
        if whole.asks_people and self._held.waits:
            self._flush(merging)

    def _hold(self, step: Step | None) -> None:
        if step:
            self._held.add(step)

    def flush(self) -> None:
        """Tell the moves that wait for others."""
        self._flush([listener for listener in _with_voices(self._room.watching) if listener[1].merges])

    def _flush(self, readers: Sequence[Listener], last: Step | None = None) -> None:
        """Tell readers of moves in sequence the moves that wait for others, and a last one with them."""
        steps, typed_by = self._held.take(last)
        if steps and typed_by is None:
            self._show(steps, readers)
        elif steps:
            self._show(steps, _readers(steps[0], readers, only=typed_by))
            self._show(steps[1:], _readers(steps[0], readers, but=typed_by))
        self.remarks.say()

    def _show(self, steps: Sequence[Step], readers: Iterable[Listener]) -> None:
        """Show steps in sequence to readers, worded once for each group of them.

        A player who has just left reads them as their former seat.
        """
        if not steps:
            return
        told: dict[tuple[object, ...], tuple[Line, ...]] = {}
        first, last = steps[0], steps[-1]
        before, after, events = first.before, last.after, first.events
        if len(steps) > 1:
            events = tuple([event for step in steps for event in step.events])
        seats, merging = after.seats.by_name, after.game.merging if first.merges else None
        mover, asked, room = first.person, last.asked, self._room
        apart, reseated = (mover, last.person, last.typed_by), after.seats is not before.seats
        for person, voice in readers:
            seat = seats.get(fold(person.name))
            if seat is None and reseated:
                seat = before.seat_of(person.name)
            if (
                merging
                and seat is not None
                and seat not in apart
                and merging.as_spectators(events, seat, asked=seat in asked, person=mover)
            ):
                seat = None  # with four people this saves half of the wording of a move
            alike = (seat, voice.key)
            lines = told.get(alike)
            if lines is None:
                lines = told[alike] = self._worded(steps, events, seat, voice)
            person.overhear(room, *lines)

    def _worded(
        self, steps: Sequence[Step], events: tuple[Event, ...], seat: Seat | None, voice: Voice
    ) -> tuple[Line, ...]:
        """Return the lines of steps in sequence, and of all their events, for a seat or a spectator."""
        first, last = steps[0], steps[-1]
        reader = narrate.reader(last.after, seat, voice, typed=seat is not None and seat == last.typed_by)
        asked = seat in last.asked
        other = first.person if first.person != seat else None
        if first.merges:
            lines = narrate.in_sequence(self.tag, first.before, events, reader, asked=asked, person=other)
        else:
            lines = narrate.happened(self.tag, last.after, events, reader)
        awaited = None if last.person != seat or voice.each else last.awaited
        if awaited is None:
            return lines
        waiting = f"Waiting for {reader.names[awaited]}."
        named = awaited in map(last.after.game.hands_to, last.events)
        return narrate.and_waiting(self.tag, lines, waiting, reader, named=named)

    def _inform(self, advanced: Advanced, watching: Sequence[Person]) -> None:
        """Send client programs the events and the table's state.

        Spectators and players get them until the game ends.
        """
        self.pages.show(advanced)
        if not self._people.near.programs:
            return
        table = advanced.after
        not_watching = table.seats.by_name.keys() - self._room.people.keys() | self._room.not_watching
        sitting = (self._people.known(name) for name in not_watching if name in table.seats.by_name)
        programs = {person for person in (*watching, *filter(None, sitting)) if person.takes_packets}
        if not programs:
            return
        if pages := [person for person in programs if person.takes_picture]:
            self.pages.tell(advanced, played(advanced), pages)
        for person in programs.difference(pages):
            if person.terminal and not person.takes_lines:
                reader = self.reader_of(table, person, advanced.typed_by)
                lines = narrate.happened(self.tag, table, played(advanced), reader)
                person.packet(*self._changes.since(table, person.terminal, reader, advanced.events, lines))
            else:
                seat = table.seat_of(person.name)
                person.packet(*packets.taken_back(self._room.name, table, seat))
                person.packet(*packets.happened(self._room.name, table, advanced.events, seat))
                self.inform(table, person)

    def inform(self, table: Table, person: Person) -> None:
        """Send a person's client program the table's state as they may know it.

        A client that reconnects names the last entry that was told in words: it's told then what came later.
        """
        if person.takes_picture:
            self.pages.inform(table, person)
        elif person.terminal and not person.takes_lines:
            person.packet(*self._changes.whole(table, person.terminal, self.reader_of(table, person)))
        elif person.takes_packets:
            told = self._held.seq if person.voice.merges else None
            reader = self.reader_of(table, person)
            person.packet(*packets.standing(self._room.name, table, reader, told))
            if table.started and reader.seat is not None and person.supports("turn"):
                person.packet(packets.turn(self._room.name, table, reader.seat))

    @property
    def _pages(self) -> list[Person]:
        """The people who watch the table or sit there, and whose clients show pictures."""
        return [person for person in self._room.watching if person.takes_picture]

    def tell_clock(self, table: Table, left: Mapping[Seat, float], more: Sequence[Seat]) -> None:
        """Tell pages how many seconds each seat to move has left, and which may take more."""
        self.pages.tell_clock(table, left, more, self._pages)

    def tell_roster(self, table: Table) -> None:
        """Tell pages who of the players is here."""
        self.pages.tell_roster(table, self._pages)

    def tell_over(self, table: Table, rating_of: Callable[[str], codec.Json]) -> None:
        """Tell pages how the game ended, and their own rating after it."""
        self.pages.tell_over(table, rating_of, self._pages)

    def say_how_it_ended(self, table: Table) -> None:
        """Announce the result to everyone watching and all players. Pages show the sheet and the seal in their own way.

        Players hear the next game here only if they watch or join it.
        """
        self.flush()
        players = table.seats.owners & self._room.people.keys()
        for person in {*self._room.watching, *(self._room.people[name] for name in players)}:
            if person.local:
                ending = narrate.ending(table, self.reader_of(table, person), with_sheet=not person.takes_picture)
                seal = () if table.lesson or person.takes_picture else (narrate.seal_at_the_end(self.tag, table),)
                person.show(*seal, *map(self.line, ending))
        self._room.stop_watching(players)


def _with_voices(people: Iterable[Person]) -> list[Listener]:
    """Return the people on this node who read moves in lines, each with how these are worded for them."""
    return [
        (person, person.terminal.voice)
        for person in people
        if person.local and person.terminal and person.terminal.takes_lines
    ]


def _readers(
    step: Step, readers: Iterable[Listener], *, but: Seat | None = None, only: Seat | None = None
) -> list[Listener]:
    """Return all readers but that of a seat, or only that one."""
    seats = [(reader, step.after.seat_of(reader[0].name)) for reader in readers]
    return [reader for reader, seat in seats if (seat == only if but is None else seat != but)]
