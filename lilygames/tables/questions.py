"""The questions of a table: which seats are asked for a move, since which entry of its log, and how they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import attrs

from lilygames.chat.people import Bot, Person, Question
from lilygames.tables import narrate
from lilygames.tables.autopass import Autopass
from lilygames.tables.log import Act, Expired, Moved, Seated, Undone, UndoneUncounted
from lilygames.tables.menu import Menu
from lilygames.tables.publish import Publisher
from lilygames.tables.runner import Advanced, Runner
from lilygames.tables.table import Table, first_moves
from lilygames.text import Line
from rules.kit import Seat


@attrs.frozen
class Asked:
    """What a seat is asked: the first of its legal moves, since which entry, and at what time."""

    moves: tuple[Any, ...]
    seq: int
    at: float


class OpenQuestions:
    """The open questions of a table's people, by seat. Whoever reads the same log finds the same questions."""

    def __init__(self) -> None:
        self.by_seat: dict[Seat, Asked] = {}

    def after(self, table: Table, act: Act, at: float) -> tuple[list[Seat], list[Seat]]:
        """Take note of the table as it is after an act at some time; return who is asked anew, and who no longer is.

        A seat that has just moved, or that has changed hands, is asked anew even if its moves are the same; after moves
        were taken back everyone is.
        """
        before = dict(self.by_seat)
        match act:
            case Moved(seat) | Expired(seat) | Seated(seat):
                self.by_seat.pop(seat, None)
            case Undone() | UndoneUncounted():
                self.by_seat = {}
        same, self.by_seat = self.by_seat, {}
        for seat, who in enumerate(table.seats):
            if who.person and (moves := first_moves(table, seat)):
                asked = same.get(seat)
                self.by_seat[seat] = asked if asked and asked.moves == moves else Asked(moves, table.seq, at)
        anew = [seat for seat, asked in self.by_seat.items() if before.get(seat) is not asked]
        return anew, [seat for seat in before if seat not in self.by_seat]


class Questions:
    """Asks the people of a table for their moves, whenever it has gone on."""

    def __init__(
        self,
        bot: Bot,
        runner: Runner,
        publisher: Publisher,
        autopass: Autopass,
    ) -> None:
        self._bot = bot
        self._runner = runner
        self._publisher = publisher
        self._autopass = autopass
        self._open = OpenQuestions()
        self._unasked: Seat | None = None
        """The seat that is just being given back: its owner is asked when they have been told the rest."""
        self._window: set[Seat] = set()
        """The seats that were asked at once and have been named as still to answer."""
        self._menus: dict[Seat, tuple[Table, Menu]] = {}
        """The numbered moves of each seat that was asked for them, and the state of the table that they belong to."""

    @property
    def open(self) -> dict[Seat, Asked]:
        """The questions that wait for an answer, by seat."""
        return self._open.by_seat

    def offered(self, seat: Seat) -> tuple[Any, ...]:
        """Return the legal moves of a seat, the first of a very long list."""
        return first_moves(self._runner.table, seat)

    def menu(self, seat: Seat) -> Menu:
        """Return the moves of a seat with their numbers, made once for each state: there may be hundreds."""
        now = self._runner.table
        table, menu = self._menus.get(seat, (None, None))
        if menu is None or table is not now:
            moves = now.moves(seat)
            menu = Menu.of(now.game, now.view(seat), moves) if len(moves) else Menu((), (), now.game.spell)
            self._menus[seat] = now, menu
        return menu

    def question(self, person: Person) -> Question | None:
        """Return the question that waits for the person here, if there is one."""
        table = self._runner.table
        seat = table.seat_of(person.name)
        asked = self.open.get(seat) if seat is not None and not self._runner.case else None
        return Question(asked.seq, asked.at, slow=table.clock.slow) if asked else None

    def turn(self, person: Person) -> tuple[Line, ...]:
        """Return the line that asks the person to move, and give its numbers the focus; none out of turn.

        Raises `UserError` where the table is stopped.
        """
        with self._runner.bugs_stop_this_table():
            table = self._runner.table
            seat, question = table.seat_of(person.name), self.question(person)
            if seat is None or question is None:
                return ()
            person.focus.move_to(self._bot, question.seq, self.menu(seat).prompted)
            asked = narrate.question(table, seat, self._publisher.reader(table, seat, person.voice))
            return (self._publisher.line(asked, "turn"),)

    def has_focus(self, person: Person) -> bool:
        """Whether the numbers on the person's screen are of the question here."""
        return person.focus.table() is self._bot

    def may_have_focus(self, person: Person) -> bool:
        """Whether no other table has the numbers on the person's screen."""
        return person.focus.table() in (None, self._bot)

    def typed_at(self, person: Person) -> None:
        """Take the focus from any other table, since the person types at this one."""
        person.focus.typed_at(self._bot)

    def ask(self, person: Person) -> None:
        """Show the person a new question, without its numbers if another table has the focus."""
        person.focus.show_question(self._bot)

    @contextmanager
    def leaving_out(self, seat: Seat) -> Iterator[None]:
        """Ask a seat nothing meanwhile: it is just being given back, and its owner is asked after the rest."""
        self._unasked = seat
        try:
            yield
        finally:
            self._unasked = None

    def remember(self, advanced: Advanced, at: float) -> None:
        """Take note of an entry that was made at some time, without asking anybody."""
        self._open.after(advanced.after, advanced.act, at)

    def observe(self, advanced: Advanced) -> None:
        """Ask each seat for its move whose question is new; whose question is gone may be asked by another table."""
        table = advanced.after
        if isinstance(advanced.act, Undone | UndoneUncounted):
            self._window = set()  # what they were asked and shown since is void
        anew, gone = self._open.after(table, advanced.act, self._runner.services.now())
        for seat in anew:
            person = self._publisher.near(table.seats[seat])
            if person and seat != self._unasked and self._autopass.pass_of(table, seat) is None:
                self.ask(person)
        for seat in gone:
            if person := self._publisher.near(advanced.before.seats[seat]):
                self._runner.room.post(
                    partial(self._answered, person)
                )  # behind all that follows, as the end of the game
        self._name_those_to_answer(table)

    @staticmethod
    async def _answered(person: Person) -> None:
        person.focus.answered()

    def _name_those_to_answer(self, table: Table) -> None:
        """Where several were asked at once, say in one line for whom of them the table waits."""
        asked = {seat for seat in range(len(table.seats)) if len(table.moves(seat))}
        people = {seat for seat in asked if table.seats[seat].person and self._autopass.pass_of(table, seat) is None}
        if people and people == asked and people < self._window:
            self._publisher.say_near(table, lambda reader: f"Still to answer: {reader.everyone(sorted(people))}.")
            self._window = people
        elif len(asked) > 1 or not asked <= self._window:
            self._window = asked if len(asked) > 1 else set()
