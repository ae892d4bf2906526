"""What a table shows: who sits, what lies there, whose turn it is; to each as much as they may know."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import structlog

from lilygames.chat import focus
from lilygames.chat.errors import Sorry
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.people import Bot, Focus, Person, Question, Room
from lilygames.commands import Misread
from lilygames.game import Reader
from lilygames.store import Unavailable
from lilygames.tables import packets, seal, visible
from lilygames.tables.log import called
from lilygames.tables.menu import Menu
from lilygames.tables.questions import Questions, first_moves
from lilygames.tables.table import Table
from lilygames.tables.unplayable import stopped
from lilygames.text import Kind, Line, Voice, count, listing
from rules.kit import Event, Refused, Seat

log = structlog.get_logger()
P = ParamSpec("P")
R = TypeVar("R")
Words = str | Callable[[Reader], str]
"""What a line says: the same to all, or to each reader in words of their own, who are "you" there."""
PLAIN, SPOKEN = Voice(), Voice(spoken=True)
T = TypeVar("T", bound="SeenTable")
_NAMED = 12
"""Players up to which a table names the house players among them."""


def guarded(door: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """Let a bug behind this door stop the table, as `SeenTable.bugs_stop_this_table` says."""

    @wraps(door)
    def run(table: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with table.bugs_stop_this_table():
            return door(table, *args, **kwargs)

    return run


def says(seat: Seat, theirs: str, yours: str) -> Callable[[Reader], str]:
    """Return the words of a notice about a seat: `bob has 30 seconds left.`, on bob's screen `You have ...`."""
    return lambda reader: reader.says(seat, theirs, yours)


def owners_of(table: Table) -> frozenset[str]:
    """Return the folded names of those whose seats at a table these are, even if bots keep them."""
    seats = (who for who in table.seats if who.person or (who.stands_in and not who.gone))
    return frozenset(fold(who.stands_in or who.name) for who in seats)


class SeenTable:
    """A table in a room, as people see it. A bug of its game stops it, and no other."""

    def __init__(self, table: Table, room: Room, host: Host) -> None:
        self.table = table
        self.room = room
        self.host = host
        self.case = ""
        """The case number of the bug that stopped this table; empty while all is well."""
        self.declined: set[str] = set()
        """Folded names of those who have said no to an invitation."""
        self.guests: set[str] = set()
        """Folded names of those who were invited after the table was opened."""
        self.typist: Seat | None = None
        """Whose typed move is being made."""
        self.questions = Questions()
        """What its people are asked."""
        self._menus: dict[Seat, tuple[Table, Menu]] = {}
        """The numbered moves of each seat that was asked for them, and the state of the table that they belong to."""

    # who is who

    @property
    def me(self) -> Bot:
        """This table as those who sit at it know it."""
        return cast("Bot", self)

    @property
    def tag(self) -> str:
        """What leads every line of this table."""
        return f"[{self.room.name}]"

    @property
    def log(self) -> str:
        """The name of the table's log."""
        return f"table/{self.table.header.number}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat."""
        return tuple(map(str, self.table.seats))

    @property
    def short_seal(self) -> str:
        """The beginning of the seal, as people read it aloud."""
        return seal.shown(self.table.header.seal)

    def company(self, person: Person) -> str:
        """Return who else sits here, in words."""
        return self.sitting(but=self.seat_of(person.name)) or "nobody else yet"

    def sitting(self, but: Seat | None = None) -> str:
        """Return who sits here and at which level the house plays, in words; players who have left are omitted.

        At a large table house players are counted, not named, so that it takes a row or two.
        """
        here = [who for seat, who in enumerate(self.table.seats) if seat != but and not who.gone]
        if len(here) <= _NAMED:
            return listing(who.listed for who in here)
        levels = Counter(who.level for who in here if who.house)
        house = (f"{count(number, 'house player')} ({level})" for level, number in levels.items())
        return listing([*(who.name for who in here if who.person), *house])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.closed

    @property
    def open_to_all(self) -> bool:
        """Whether anybody may still sit down and play: it has not begun, invites nobody, and all who sit are here."""
        people = [self.host.people.get(fold(who.name)) for who in self.table.people]
        waits = not self.table.started and not self.unanswered
        return waits and all(person is not None and person.here for person in people)

    def is_here(self, name: str) -> bool:
        """Whether the person of that name has a terminal now, at whatever node."""
        person = self.host.people.get(fold(name))
        return person is not None and person.here

    @property
    def owners(self) -> frozenset[str]:
        """Folded names of those whose seats these are, be they kept by house players."""
        return owners_of(self.table)

    @property
    def watched(self) -> bool:
        """Whether anybody is in the room and sees what happens."""
        return any(person.here for person in self.room.watching)

    @property
    def attended(self) -> bool:
        """Whether house players should move: not in a game that could go on for ever, while nobody is there for it."""
        if not self.table.game.joins or not self.owners:
            return True
        here = self.watched or any(map(self.is_here, self.owners))
        return here or (self.table.clock.slow and bool(self.table.people))

    @property
    def unanswered(self) -> list[str]:
        """The names of those who have been invited and have not answered."""
        guests = self.table.header.invited if not self.table.started else ()
        return [name for name in guests if self.seat_of(name) is None and fold(name) not in self.declined]

    def invites(self, name: str) -> bool:
        """Whether the person of that name may accept or decline an invitation to this table."""
        asked = fold(name) in self.guests and fold(name) not in self.declined and not self.keeps_seat(name)
        return name in self.unanswered or (asked and not self.over)

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of the person of that name."""
        seats = enumerate(self.table.seats)
        return next((seat for seat, who in seats if who.person and fold(who.name) == fold(name)), None)

    def stood_in_for(self, name: str) -> Seat | None:
        """Return the seat in which a bot sits for the person of that name, who may have it back."""
        seats = enumerate(self.table.seats)
        return next((seat for seat, who in seats if who.stands_in and fold(who.stands_in) == fold(name)), None)

    def own_seat(self, name: str) -> Seat | None:
        """Return the seat that belongs to the person of that name, even if a bot sits in it for them."""
        seat = self.seat_of(name)
        return self.stood_in_for(name) if seat is None else seat

    def keeps_seat(self, name: str) -> bool:
        """Whether a seat here is somebody's of that name, even if a bot keeps it for them."""
        return self.own_seat(name) is not None

    def reader(self, seat: Seat | None, voice: Voice) -> Reader:
        """Return who reads: a seat with its voice."""
        typed = seat is not None and seat == self.typist
        return Reader(seat, called(self.table.seats, voice), voice, typed)

    def reader_of(self, person: Person) -> Reader:
        """Return the person as a reader of this table's lines."""
        return self.reader(self.seat_of(person.name), person.voice)

    def line(self, text: str, kind: Kind = "game", aloud: str = "", by: str = "") -> Line:
        """Return a line of this table; in the words of `aloud`, if there are any, for who listens.

        `by` is the person whose words are in it.
        """
        return Line(f"{self.tag} {text}", kind, by, aloud=f"{self.tag} {aloud}" if aloud else None)

    def show(self, words: Words, aloud: str = "", by: str = "") -> None:
        """Show a line of this table to everybody who watches it; `by` is the person whose words are in it."""
        if isinstance(words, str):
            self.room.show(self.line(words, aloud=aloud, by=by))
            return
        for person in self.room.watching:
            person.overhear(self.room, self._worded(words, person, by))

    def show_near(self, words: Words) -> None:
        """Show a line of this table, which every node finds by itself, to those whom this one serves."""
        if isinstance(words, str):
            self.room.show_near(self.line(words))
            return
        for person in self.room.watching:
            if person.near:
                person.overhear(self.room, self._worded(words, person))

    def _worded(self, words: Callable[[Reader], str], person: Person, by: str = "") -> Line:
        """Return a line about some of the people here as one of them reads it, who may own a seat that a bot keeps."""
        seat = self.own_seat(person.name)
        plain, spoken = (words(Reader(seat, called(self.table.seats, voice), voice)) for voice in (PLAIN, SPOKEN))
        return self.line(plain, aloud=spoken if spoken != plain else "", by=by)

    @property
    def seal_now(self) -> Line:
        """Whether the seal was opened."""
        if not visible.is_open(self.table.header, over=True):
            return self.line("The seal stays closed, since the rules keep something hidden.", aloud="Seal: closed.")
        opened = f"The seal is open: /verify {self.table.header.number} replays the game and checks it all."
        return self.line(opened, aloud="Seal: open.")

    def told(self, events: Sequence[Event], reader: Reader) -> tuple[Line, ...]:
        """Return the lines that a reader sees of some events."""
        texts = (self.table.game.tell(event, reader) for event in visible.all_seen(events, reader.seat))
        return tuple(self.line(row) for text in texts for row in text.split("\n") if row)

    # when something is broken

    @contextmanager
    def bugs_stop_this_table(self) -> Iterator[None]:
        """Let refusals and a store that is away pass; anything else that the game's code raises stops this table alone.

        Raises `Sorry` then, and at once where the table has been stopped.
        """
        if self.case:
            raise Sorry(self._stopped)
        try:
            yield
        except (Refused, Misread, Sorry, Unavailable):
            raise
        except Exception as bug:  # noqa: BLE001 - a plug-in may raise whatever it likes
            self._stop(bug)
            raise Sorry(self._stopped) from None

    @property
    def _stopped(self) -> str:
        return f"this table is {stopped(self.case)}."

    def _stop(self, bug: Exception) -> None:
        """Stop this table for a bug, and tell everybody in its room."""
        self.case = secrets.token_hex(3)
        for person in filter(None, (self.host.people.get(fold(who.name)) for who in self.table.people)):
            if person.near:
                focus.answered(person)
        log.error("a table is stopped", exc_info=bug, case=self.case, log=self.log, game=self.table.game.name)
        broken = f"Something is broken here (case {self.case}), so the table is stopped. Its log is kept."
        self.show_near(f"{broken} Type /feedback TEXT to tell the sysop what happened.")

    # whose turn it is

    def offered(self, seat: Seat) -> tuple[Any, ...]:
        """Return the legal moves of a seat, the first of a very long list."""
        return first_moves(self.table, seat)

    def menu(self, seat: Seat) -> Menu:
        """Return the moves of a seat with their numbers, made once for each state: there may be hundreds."""
        table, menu = self._menus.get(seat, (None, None))
        if menu is None or table is not self.table:
            game, moves = self.table.game, self.table.moves(seat)
            menu = Menu.of(game, self.table.view(seat), moves) if len(moves) else Menu((), (), game.spell)
            self._menus[seat] = self.table, menu
        return menu

    def waits_for(self, person: Person) -> bool:
        """Whether the person has a move to make here."""
        return self.question(person) is not None

    def question(self, person: Person) -> Question | None:
        """Return the question that waits for the person here, if there is one."""
        seat = self.seat_of(person.name)
        asked = self.questions.open.get(seat) if seat is not None and not self.case else None
        return Question(asked.seq, asked.at, slow=self.table.clock.slow) if asked else None

    @property
    def live(self) -> bool:
        """Whether it is being played at one sitting, now."""
        if self.case:
            return False
        with suppress(Sorry), self.bugs_stop_this_table():
            return self.table.going and not (self.table.paused or self.table.clock.slow)
        return False

    @guarded
    def turn(self, person: Person) -> tuple[Line, ...]:
        """Return the line that asks the person to move, and give its numbers the focus; none out of turn."""
        seat, question = self.seat_of(person.name), self.question(person)
        if seat is None or question is None:
            return ()
        person.focus = Focus(self.me, question.seq, self.menu(seat).prompted)
        reader = self.reader(seat, person.voice)
        asked = self.table.game.ask(self.table.view(seat), self.table.moves(seat), reader)
        return (self.line(f"Your turn: {asked}.", "turn"),)

    @guarded
    def waiting(self, person: Person) -> str:
        """Return whom the table waits for, in words for a person."""
        reader = self.reader_of(person)
        if not self.table.started:
            if self.unanswered:
                names = ("you" if fold(name) == fold(person.name) else name for name in self.unanswered)
                return f"waiting for {listing(names)} to answer the invitation; /start begins without"
            return "the game has not begun: /start begins it, /house adds a house player"
        if self.table.paused:
            return "the game is adjourned: /resume goes on"
        turn = [seat for seat in range(len(self.table.seats)) if len(self.table.moves(seat))]
        if not turn:
            return "the game is over: /new or /quick begins another"
        owners = ("your" if seat == reader.seat else f"{reader.names[seat]}'s" for seat in turn)
        return f"it is {listing(owners)} turn"

    def waits(self, person: Person) -> Line:
        """Return whom the table waits for, as a line; names are written as they are."""
        said = self.waiting(person)
        return self.line(f"{said[:1].upper()}{said[1:]}.")

    @property
    def summary(self) -> str:
        """The table in a list: its game, who sits and at which level the house plays, how it stands."""
        return f"{self.table.game.title}, {self.sitting() or 'nobody yet'}; {self._how}"

    @property
    def _how(self) -> str:
        if self.case:
            return stopped(self.case)
        if self.over:
            return "over"
        if not self.table.started:
            return "waiting for players"
        how = "adjourned" if self.table.paused else "playing"
        return how if self.table.counted else f"{how}, no longer counts"

    @guarded
    def shown(self, person: Person) -> Sequence[Line]:
        """Return the table as the person may see it: who sits, what lies on it, whose turn it is, and its seal."""
        reader, game = self.reader_of(person), self.table.game
        play = game.show(self.table.view(reader.seat), reader) if self.table.started else ()
        number, seal = f"Table #{self.table.header.number}", self.table.header.seal
        sitting = f"{number}, {self.table.game.title}, {self._how}." if play else ""
        head = self.line(f"{number}, {self.summary}.", aloud=sitting)
        rows = map(self.line, play)
        return [head, *rows, self.waits(person), self.line(f"Seal {seal}", aloud=f"Seal: {self.short_seal}.")]

    @guarded
    def catch_up_on(self, person: Person) -> Sequence[Line]:
        """Return what somebody who comes back to a seat has to know: who plays, what lies there, the hand, the turn."""
        reader, game = self.reader_of(person), self.table.game
        play = game.show(self.table.view(reader.seat), reader) if self.table.started else ()
        rows = (f"You sit here with {self.company(person)}.", *play)
        return [*map(self.line, rows), *self.remind(person)]

    def inform(self, person: Person) -> None:
        """Send a program of the person how the table stands, as they may know it."""
        if person.wants_packets:
            person.packet(*packets.standing(self.room.name, self.table, self.reader_of(person)))

    @guarded
    def remind(self, person: Person) -> Sequence[Line]:
        """Return what the person needs to go on: the hand, and whose turn it is."""
        self.inform(person)
        reader = self.reader_of(person)
        if not self.table.going or reader.seat is None:
            return [self.line(f"You are at {self.room.name}; {self.waiting(person)}.")]
        hand = [self.line(row) for row in self.table.game.hand(self.table.view(reader.seat), reader)]
        return [*hand, *(self.turn(person) or [self.waits(person)])]
