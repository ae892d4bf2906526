"""Questions of a table: which seats must move, since which log entry, and how they are asked.

A seat with autopass isn't asked when it can pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import ref

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Bot, Person, Question
from lilygames.errors import UserError
from lilygames.tables.log.acts import EVERY_ACT, NOTES, Moved, Noted
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.play.turn import Do, Open, State, Turns, turns_after
from lilygames.tables.sight import narrate
from lilygames.tables.sight.menu import Menu
from lilygames.tables.state.table import Table, first_moves
from lilygames.text import Line
from lilygames_rules.changed import maker
from lilygames_rules.kit import Refused, Seat

_question = maker(Question)


class Autopass:
    """Passes for players with autopass whenever the rules allow it."""

    acts = NOTES

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._passing: set[str] = set()

    def passes(self, name: str) -> bool:
        """Return whether the person with this name has autopass on."""
        return fold(name) in self._passing

    def observe(self, advanced: Advanced) -> None:
        """Record who turns autopass on or off."""
        match advanced.act:
            case Noted("passes", name):
                self._passing.add(fold(name))
            case Noted("plays", name):
                self._passing.discard(fold(name))

    def pass_of(self, table: Table, seat: Seat) -> Any:
        """Return the pass for a seat with autopass, or None if it is off or passing is not legal."""
        who = table.seats[seat]
        if not (self._passing and who.person and self.passes(who.name)):
            return None
        return next((move for move in first_moves(table, seat) if table.game.spell(move) == "pass"), None)

    def can_pass(self, table: Table, seat: Seat) -> bool:
        """Return whether a seat has autopass on and passing is legal."""
        return self.pass_of(table, seat) is not None

    async def pass_for_all(self) -> None:
        """Pass for every autopass that is due."""
        table = self._runner.table
        for seat in table.to_move:
            move = self.pass_of(table, seat)
            if move is not None:
                with suppress(Refused, UserError):
                    await self._runner.make(seat, move, table.seats[seat].name)
                return


class Questions:
    """Asks the people at a table to move after each log entry."""

    acts = EVERY_ACT

    def __init__(
        self,
        bot: Bot,
        runner: Runner,
        publisher: Publisher,
        autopass: Autopass,
        now: Callable[[], float],
    ) -> None:
        self._table_bot = ref(bot)
        self._runner = runner
        self._publisher = publisher
        self._autopass = autopass
        self._now = now
        self.turns: Turns = {}
        """The turns of the seats that have a move to make."""
        self.open: Open = {}
        """The questions of these turns."""
        self._window: set[Seat] = set()
        """Seats that were asked at the same time and announced as still to answer."""
        self._menus: dict[Seat, tuple[Table, Menu]] = {}
        """Menu of each seat that needed one, and the table state it belongs to."""

    def offered(self, seat: Seat) -> tuple[Any, ...]:
        """Return a seat's legal moves; only the first ones of a very long list."""
        return first_moves(self._runner.table, seat)

    def menu(self, seat: Seat) -> Menu:
        """Return a seat's menu, built once per state, since it may have hundreds of moves."""
        return self._menu(self._runner.table, seat)

    def _menu(self, now: Table, seat: Seat) -> Menu:
        table, menu = self._menus.get(seat, (None, None))
        if menu is None or table is not now:
            moves = now.moves(seat)
            menu = Menu.of(now.game, now.view(seat), moves) if len(moves) else Menu((), (), now.game.spell)
            self._menus[seat] = now, menu
        return menu

    def numbers(self, seat: Seat) -> Callable[[], frozenset[int]]:
        """Return a function that returns the numbers shown with a seat's question as it is now; none after a bug."""
        return partial(self._prompted, self._runner.table, seat)

    def _prompted(self, table: Table, seat: Seat) -> frozenset[int]:
        with suppress(UserError), self._runner.bugs_stop_this_table:
            return self._menu(table, seat).prompted
        return frozenset()

    @property
    def _bot(self) -> Bot:
        bot = self._table_bot()
        assert bot is not None  # noqa: S101 - a table that nobody has asks nobody
        return bot

    def question(self, person: Person) -> Question | None:
        """Return the question the person must answer here, or None."""
        table = self._runner.table
        seat = table.seat_of(person.name)
        asked = self.open.get(seat) if seat is not None and not self._runner.case else None
        if asked is None:
            return None
        return _question(asked.seq, asked.at, slow=table.clock.slow, lesson=table.lesson is not None)

    def asks(self, person: Person) -> bool:
        """Return whether the person must answer a question here."""
        return not self._runner.case and self._runner.table.seat_of(person.name) in self.open

    def turn(self, person: Person) -> tuple[Line, ...]:
        """Return the line that asks the person to move, and give it the focus; empty out of turn.

        Raises `UserError` if the table is stopped.
        """
        with self._runner.bugs_stop_this_table:
            table = self._runner.table
            seat = table.seat_of(person.name)
            asked = None if seat is None else self.open.get(seat)
            if seat is None or asked is None:
                return ()
            person.focus.move_to(self._bot, asked.seq, self.numbers(seat), lesson=table.lesson is not None)
            rows = narrate.question(table, seat, narrate.reader(table, seat, person.voice))
            return narrate.lines(self._publisher.tag, rows, "turn")

    def has_focus(self, person: Person) -> bool:
        """Return whether the numbers on the person's screen belong to this question."""
        return person.focus.table() is self._bot

    def may_have_focus(self, person: Person) -> bool:
        """Return whether no other table has the focus on the person's screen."""
        return person.focus.table() in (None, self._bot)

    def typed_at(self, person: Person) -> None:
        """Take the focus from any other table when the person types at this one."""
        person.focus.typed_at(self._bot)

    def ask(self, person: Person) -> None:
        """Show the person a new question, without numbers if another table has the focus."""
        person.focus.show_question(self._bot)

    @property
    def may_pass(self) -> bool:
        """Whether an autopass is due now."""
        return any(turn.state is State.PASSING for turn in self.turns.values())

    def remember(self, advanced: Advanced, at: float) -> None:
        """Record the questions after a past entry without asking anyone."""
        self._follow(advanced, at)

    def _follow(self, advanced: Advanced, at: float) -> Mapping[Seat, Do]:
        """Record the turns after an entry, and return what there is to do for each seat."""
        self.turns, todo = turns_after(self.turns, advanced.after, advanced.act, at, self._autopass.can_pass)
        self.open = {seat: turn.asked for seat, turn in self.turns.items() if turn.asked}
        return todo

    def observe(self, advanced: Advanced) -> None:
        """Ask each seat with a new question; after a bot's move, that is a piece of bots' work of its own.

        A seat whose question is gone can be asked by another table.
        """
        table = advanced.after
        if table.undone:
            self._window = set()  # drop their old menus
        before = self.open
        todo = self._follow(advanced, self._now())
        new = {seat: asked for seat, asked in self.open.items() if todo[seat] is Do.ASK}
        if new and isinstance(advanced.act, Moved) and not advanced.before.seats[advanced.act.seat].person:
            self._runner.room.post(self._ask_in_turn, new)
        else:
            self._ask(new)
        for seat in before:
            person = self._publisher.near(advanced.before.seats[seat]) if todo[seat] is Do.LET_GO else None
            if person and person.seats != [self._bot] and any(bot is not self._bot for bot in person.seats):
                # post it, so that it comes after all other messages, such as the end of the game
                self._runner.room.post(self._answered, person)
        self._name_those_to_answer(table)

    async def _ask_in_turn(self, new: Open) -> None:
        """Ask these questions after the bot's move that brought them, so that others' lines go first."""
        await self._runner.services.bot_work.turn()
        with suppress(UserError), self._runner.bugs_stop_this_table:
            self._ask({seat: asked for seat, asked in new.items() if self.open.get(seat) is asked})

    def _ask(self, new: Open) -> None:
        for seat in new:
            if person := self._publisher.near(self._runner.table.seats[seat]):
                self.ask(person)

    @staticmethod
    async def _answered(person: Person) -> None:
        person.focus.answered()

    def _name_those_to_answer(self, table: Table) -> None:
        """Announce which seats are still to answer if several were asked at once."""
        if len(table.to_move) <= 1 and not self._window:
            return
        asked = {*table.to_move}
        people = {seat for seat in asked if self.turns[seat].state is State.ASKED}
        if people and people == asked and people < self._window:
            self._publisher.say_near(table, lambda reader: f"Still to answer: {reader.everyone(sorted(people))}.")
            self._window = people
        elif len(asked) > 1 or not asked <= self._window:
            self._window = asked if len(asked) > 1 else set()
