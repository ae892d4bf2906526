"""The bot that a table is to those who sit at it: joined from the parts of a table, and which part comes when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import attrs

from lilygames import codec
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Question, Room
from lilygames.commands import Command
from lilygames.errors import UserError
from lilygames.game import Reader
from lilygames.store import Entry, StoreUnavailable
from lilygames.tables import narrate
from lilygames.tables.agreement import Agreement
from lilygames.tables.coach import Coach
from lilygames.tables.end_of_game import EndOfGame, Finished
from lilygames.tables.house_seats import HouseSeats
from lilygames.tables.invitations import Invitations
from lilygames.tables.life import Life, written
from lilygames.tables.log import Body, Noted
from lilygames.tables.narrate import Words
from lilygames.tables.publish import Publisher
from lilygames.tables.questions import Autopass, Questions
from lilygames.tables.runner import RETRY, Advanced, Observer, Runner, SingleTimer
from lilygames.tables.screens import Screens
from lilygames.tables.services import TableServices
from lilygames.tables.table import Table
from lilygames.tables.turn_clock import TurnClock
from lilygames.tables.typed_moves import TypedMoves
from lilygames.text import Line
from rules.kit import Seat


@attrs.frozen
class KeptTable:
    """What one process knows of a table that its log does not say: how far it is told, and what people prepared."""

    number: int
    seq: int
    queued: dict[str, str]
    shown: tuple[Seat, ...]
    """The seats whose question has the focus of who sits there."""
    numbers: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    """The numbers that those have been shown, by seat."""


class TableBot:
    """A table in a room, joined from its parts."""

    def __init__(self, table: Table, room: Room, services: TableServices, *, asleep: bool = False) -> None:
        self.room = room
        self.services = services
        self.publisher = Publisher(room, table.header.number, services.people)
        self.runner = Runner(table, room, services, self, asleep=asleep)
        self.timer = SingleTimer(self.runner)
        self.invitations = Invitations(self.runner)
        self.autopass = Autopass(self.runner)
        self.questions = Questions(self, self.runner, self.publisher, self.autopass)
        self.screens = Screens(self.runner, self.publisher, self.questions, self.invitations)
        self.house = HouseSeats(self.runner, self.timer, self.publisher, self.questions)
        self.typed = TypedMoves(self.runner, self.publisher, self.questions, self.house, self.screens)
        self.clock = TurnClock(self.runner, self.publisher, self.questions, self.house, self.typed)
        self.agreement = Agreement(self.runner, self.publisher, self.clock)
        self.finished = Finished(room, self.publisher)
        self.coach = Coach(self.publisher)
        self.end_of_game = EndOfGame(self.runner, self.publisher, self.coach)
        self._noting: tuple[Observer, ...] = (self.invitations, self.autopass, self.agreement)
        """Who learns, and in which order, what is noted about somebody at the table."""
        self._observers: tuple[Observer, ...] = (
            self.publisher,
            self.coach,
            self.questions,
            self.finished,
            self.clock,
        )
        """Who learns after them, and in which order, that the table has gone on, by a note or otherwise."""

    # what the runner lets follow

    def say(self, words: Words, aloud: str = "", by: str = "") -> None:
        """Show a line of this table to everybody who watches it; `by` is the person whose words are in it."""
        self.publisher.say(self.table, words, aloud, by)

    def advance(self, advanced: Advanced) -> None:
        """Let everything that observes the table learn that it has gone on; a bug in it stops the table."""
        with suppress(UserError), self.runner.bugs_stop_this_table():
            noting = self._noting if isinstance(advanced.act, Noted) else ()
            for observer in (*noting, *self._observers):
                observer.observe(advanced)

    async def go_on(self) -> None:
        """Close the table where the game has ended, else pass or let house players move; nobody is refused anything.

        What cannot be kept now is tried again by and by.
        """
        try:
            with self.runner.bugs_stop_this_table():
                await self.end_of_game.go_on()
                if self.autopass.may_pass:
                    self.room.post(self.autopass.pass_for_all)
                self.house.wake()
        except (UserError, StoreUnavailable):
            self.timer.start(RETRY, self.go_on)
        self.clock.run()

    def remember_seats(self) -> None:
        """Let everybody here know of a seat that they have taken or left without being told so."""
        owners = self.table.seats.owners
        for name, person in self.services.people.items():
            sits, knows = name in owners, any(bot is self for bot in person.seats)
            if sits and not knows:
                person.seats.append(self)
            elif knows and not sits:
                person.seats.remove(self)

    def stop(self, case: str) -> None:
        """Tell everybody that a bug has stopped the table; whom it has asked another table may ask now."""
        for person in filter(None, map(self.publisher.near, self.table.seats.people)):
            person.focus.answered()
        broken = f"Something is broken here (case {case}), so the table is stopped. Its log is kept."
        self.publisher.say_near(self.table, f"{broken} Type /feedback TEXT to tell the sysop what happened.")

    # what it is

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.runner.table

    @property
    def case(self) -> str:
        """The case number of the bug that stopped it; empty while all is well."""
        return self.runner.case

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.closed

    @property
    def live(self) -> bool:
        """Whether it is being played at one sitting, now."""
        table = self.runner.table
        return not self.case and written(table) is Life.RUNNING and not table.clock.slow

    @property
    def open_to_all(self) -> bool:
        """Whether anybody may still sit down and play: it has not begun, invites nobody, and all who sit are here."""
        waits = not self.table.started and not self.invitations.unanswered
        return waits and all(self.publisher.is_here(who.name) for who in self.table.seats.people)

    @property
    def summary(self) -> str:
        """The table in a list: its game, who sits and at which level the house plays, how it stands."""
        return narrate.summary(self.table, self.case)

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of the person of that name."""
        return self.table.seat_of(name)

    def keeps_seat(self, name: str) -> bool:
        """Whether a seat here is somebody's of that name, even if a bot keeps it for them."""
        return self.table.own_seat(name) is not None

    def reader_of(self, person: Person) -> Reader:
        """Return the person as a reader of this table's lines."""
        return self.publisher.reader_of(self.table, person)

    def line(self, text: str, aloud: str = "", by: str = "") -> Line:
        """Return a line of this table, as `narrate.line` does."""
        return self.publisher.line(text, aloud=aloud, by=by)

    def finished_seats(self) -> set[Seat]:
        """Return the seats of people who have nothing more to do in a game that goes on."""
        with suppress(UserError), self.runner.bugs_stop_this_table():
            return self.finished.seats(self.table)
        return set()

    # what its people see and type

    def question(self, person: Person) -> Question | None:
        """Return the question that waits for the person here, if there is one."""
        return self.questions.question(person)

    def turn(self, person: Person) -> tuple[Line, ...]:
        """Return the line that asks the person to move, and give its numbers the focus; none out of turn."""
        return self.questions.turn(person)

    def remind(self, person: Person) -> Sequence[Line]:
        """Return what the person needs to go on: the hand, and whose turn it is."""
        return self.screens.remind(person)

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands of all moves of the game; without a seat there are none."""
        return self.typed.commands(person)

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands of the moves that are legal for the person now; spelling all of them takes long."""
        return self.typed.legal(person)

    def words(self, person: Person) -> Sequence[str]:
        """Return the moves that are legal for the person now, as they are typed, in the order of their numbers."""
        return self.typed.words(person)

    async def hear(self, person: Person, text: str) -> bool:
        """Take a bare line as a move if it reads as one; return False where it is talk."""
        return await self.typed.hear(person, text)

    async def move(self, person: Person, command: Command, text: str) -> None:
        """Make the move that a command of the game and its arguments name."""
        await self.typed.move(person, command, text)

    # before and after

    def came_or_went(self, person: Person) -> None:
        """Take note that somebody who sits here has come back, or that their line has dropped."""
        if person.here and fold(person.name) in self.table.seats.owners:
            self.house.rouse()
        self.clock.came_or_went(person)

    def relive(self, past: Iterable[tuple[Table, Entry]]) -> None:
        """Remember a game as far as it got: each table it was, and the entry that led to it. Nobody is told anything.

        The turns that it stopped in begin anew: that the host was away is nobody's time.
        """
        before = Table(self.table.header, self.table.game, self.table.secret)
        for table, entry in past:
            advanced = Advanced(before, table, codec.from_text(entry.body, Body).act, ())
            for observer in self._noting if isinstance(advanced.act, Noted) else ():
                observer.observe(advanced)
            self.questions.remember(advanced, entry.at)
            self.clock.remember(advanced, entry.at)
            before = table
        self.clock.begin_turns_anew()
        self.finished.remember(self.table)

    def carry(self) -> KeptTable:
        """Return what the next process has to know of this table."""
        people = [self.publisher.near(who) for who in self.table.seats]
        shown = {
            seat: tuple(sorted(person.focus.numbers))
            for seat, person in enumerate(people)
            if person and person.focus.table() is self
        }
        numbers = {str(seat): shown[seat] for seat in shown}
        return KeptTable(self.table.header.number, self.table.seq, dict(self.typed.queued), tuple(shown), numbers)

    def take_up(self, kept: KeptTable) -> None:
        """Be for those who sit here what the process before was."""
        self.typed.take_up(kept.queued)
        for seat in kept.shown:
            person = self.services.people.get(fold(self.table.seats[seat].name))
            asked = self.questions.open.get(seat)
            if person and asked:
                numbers = frozenset(kept.numbers.get(str(seat), ())) or self.questions.menu(seat).prompted
                person.focus.move_to(self, asked.seq, numbers)
