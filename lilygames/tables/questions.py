"""The questions of a table: which seats are asked for a move, since which entry of its log, and how they are asked.

A seat whose owner has asked the table to pass for them is asked for nothing where it can pass.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import attrs

from lilygames.chat.names import fold
from lilygames.chat.people import Bot, Person, Question
from lilygames.errors import UserError
from lilygames.tables import narrate
from lilygames.tables.log import Act, Expired, Moved, Noted, Seated, Undone, UndoneUncounted
from lilygames.tables.menu import Menu
from lilygames.tables.publish import Publisher
from lilygames.tables.runner import Advanced, Runner
from lilygames.tables.table import Table, first_moves
from lilygames.text import Line
from rules.kit import Refused, Seat


@attrs.frozen
class Asked:
    """What a seat is asked: the first of its legal moves, since which entry, and at what time."""

    moves: tuple[Any, ...]
    seq: int
    at: float


Open = Mapping[Seat, Asked]
"""The open questions of a table's people, by seat. Whoever reads the same log finds the same questions."""


def open_after(before: Open, table: Table, act: Act, at: float) -> Open:
    """Return the questions of a table as it is after an act at some time; one that stays open is the same value.

    A seat that has just moved, or that has changed hands, is asked anew even if its moves are the same; after moves
    were taken back everyone is.
    """
    match act:
        case Moved(seat) | Expired(seat) | Seated(seat):
            anew: Container[Seat] = (seat,)
        case Undone() | UndoneUncounted():
            anew = before
        case _:
            anew = ()
    now: dict[Seat, Asked] = {}
    for seat, who in enumerate(table.seats):
        moves = first_moves(table, seat) if who.person else ()  # a house player is asked elsewhere
        if moves:
            asked = None if seat in anew else before.get(seat)
            now[seat] = asked if asked and asked.moves == moves else Asked(moves, table.seq, at)
    return now


class Autopass:
    """Passes for those who have asked for it, whenever the rules let them."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._passing: set[str] = set()

    def passes(self, name: str) -> bool:
        """Whether the table passes for somebody of that name."""
        return fold(name) in self._passing

    def observe(self, advanced: Advanced) -> None:
        """Take note of who lets the table pass for them, and who plays again."""
        match advanced.act:
            case Noted("passes", name):
                self._passing.add(fold(name))
            case Noted("plays", name):
                self._passing.discard(fold(name))

    def pass_of(self, table: Table, seat: Seat) -> Any:
        """Return the move by which the table passes for a seat that asked for it, None where it did not or cannot."""
        who = table.seats[seat]
        if not (self._passing and who.person and self.passes(who.name)):
            return None
        return next((move for move in first_moves(table, seat) if table.game.spell(move) == "pass"), None)

    @property
    def may_pass(self) -> bool:
        """Whether there is anything to pass now."""
        table = self._runner.table
        return bool(self._passing) and any(self.pass_of(table, seat) is not None for seat in table.to_move)

    async def pass_for_all(self) -> None:
        """Pass for those who asked the table to, as long as there is anything to pass."""
        table = self._runner.table
        for seat in table.to_move:
            move = self.pass_of(table, seat)
            if move is not None:
                with suppress(Refused, UserError):
                    await self._runner.make(seat, move, table.seats[seat].name)
                return


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
        self.open: Open = {}
        """The questions that wait for an answer."""
        self._unasked: Seat | None = None
        """The seat that is just being given back: its owner is asked when they have been told the rest."""
        self._window: set[Seat] = set()
        """The seats that were asked at once and have been named as still to answer."""
        self._menus: dict[Seat, tuple[Table, Menu]] = {}
        """The numbered moves of each seat that was asked for them, and the state of the table that they belong to."""

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
            seat = table.seat_of(person.name)
            asked = None if seat is None else self.open.get(seat)
            if seat is None or asked is None:
                return ()
            person.focus.move_to(self._bot, asked.seq, self.menu(seat).prompted)
            rows = narrate.question(table, seat, self._publisher.reader(table, seat, person.voice))
            return tuple([self._publisher.line(row, "turn") for row in rows])

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
        self.open = open_after(self.open, advanced.after, advanced.act, at)

    def observe(self, advanced: Advanced) -> None:
        """Ask each seat for its move whose question is new; whose question is gone may be asked by another table."""
        table = advanced.after
        if isinstance(advanced.act, Undone | UndoneUncounted):
            self._window = set()  # what they were asked and shown since is void
        before, self.open = self.open, open_after(self.open, table, advanced.act, self._runner.services.now())
        for seat, asked in self.open.items():
            is_new = asked is not before.get(seat) and seat != self._unasked
            person = self._publisher.near(table.seats[seat]) if is_new else None
            if person and self._autopass.pass_of(table, seat) is None:
                self.ask(person)
        for seat in before:
            person = self._publisher.near(advanced.before.seats[seat]) if seat not in self.open else None
            if person:  # behind all that follows, as the end of the game
                self._runner.room.post(partial(self._answered, person))
        self._name_those_to_answer(table)

    @staticmethod
    async def _answered(person: Person) -> None:
        person.focus.answered()

    def _name_those_to_answer(self, table: Table) -> None:
        """Where several were asked at once, say in one line for whom of them the table waits."""
        asked = {*table.to_move}
        people = {seat for seat in asked if table.seats[seat].person and self._autopass.pass_of(table, seat) is None}
        if people and people == asked and people < self._window:
            self._publisher.say_near(table, lambda reader: f"Still to answer: {reader.everyone(sorted(people))}.")
            self._window = people
        elif len(asked) > 1 or not asked <= self._window:
            self._window = asked if len(asked) > 1 else set()
