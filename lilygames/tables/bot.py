"""The bot that joins a table to a room: what people type at it, and the words of its refusals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
import structlog

from lilygames.chat import focus
from lilygames.chat.errors import Sorry
from lilygames.chat.names import fold
from lilygames.chat.people import Focus, Person, Question
from lilygames.commands import Command, Misread
from lilygames.game import Reader
from lilygames.tables import parse_line
from lilygames.tables.timed import TimedTable
from lilygames.text import Line
from rules.kit import Refused, Seat

log = structlog.get_logger()

REFUSALS = {
    "game-over": "this game is over; /new or /quick begins another.",
    "not-started": "the game has not begun; /start begins it.",
    "started": "the game has begun already; /table shows how it stands.",
    "no-substitute": "no house player knows this game yet, so nobody can take your seat; play on.",
    "seated": "you sit here already; /moves or /start goes on.",
    "adjourned": "the game is adjourned; /resume goes on.",
    "not-adjourned": "the game is going on; /adjourn puts it off.",
    "no-undo": "there is no last move to take back; /history shows what was played.",
    "table-full": "every seat is taken; /watch to look on, or /new for another table.",
}


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


class TableBot(TimedTable):
    """A live table with ears."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._queued: dict[str, str] = {}
        """What people will do at their next turn, by folded name."""

    def carry(self) -> KeptTable:
        """Return what the next process has to know of this table."""
        people = [self._near(who) for who in self.table.seats]
        shown = {
            seat: tuple(sorted(person.focus.numbers))
            for seat, person in enumerate(people)
            if person and person.focus and focus.table(person) is self.me
        }
        numbers = {str(seat): shown[seat] for seat in shown}
        return KeptTable(self.table.header.number, self.table.seq, dict(self._queued), tuple(shown), numbers)

    def take_up(self, kept: KeptTable) -> None:
        """Be for those who sit here what the process before was."""
        self._queued = dict(kept.queued)
        for seat in kept.shown:
            person, asked = self.host.people.get(fold(self.table.seats[seat].name)), self.questions.open.get(seat)
            if person and asked:
                numbers = frozenset(kept.numbers.get(str(seat), ())) or self.menu(seat).prompted
                person.focus = Focus(self.me, asked.seq, numbers)

    def queue(self, person: Person, line: str) -> str:
        """Keep what somebody will do at their next turn, or nothing; return the sentence that says so."""
        self._queued.pop(fold(person.name), None)
        if not line:
            return "Nothing is queued for your next turn."
        if parse_line.as_move(line, partial(self.legal, person), self.commands(person)) is None:
            raise Sorry(f"“{line[:40]}” is no move of {self.table.game.title}; /help {self.table.game.name} has them.")
        self._queued[fold(person.name)] = line
        return f"At your next turn: {line}. /queue alone takes it back."

    def turn_comes(self, seat: Seat) -> None:
        """Make the move that somebody queued for this turn, as if it were typed now."""
        person = self.host.people.get(fold(self.table.seats[seat].name))
        line = self._queued.pop(fold(self.table.seats[seat].name), "")
        if person and line:
            self.room.post(partial(self._make_queued, person, line))

    async def _make_queued(self, person: Person, line: str) -> None:
        found = parse_line.as_move(line, partial(self.legal, person), self.commands(person))
        if found is None:
            return
        try:
            await self._read_and_make(person, *found)
        except (Refused, Misread, Sorry):
            person.show(self.line(f"Your queued “{line[:40]}” cannot be done now.", by=person.name))
            if focus.table(person) is self.me:
                person.show(*self.turn(person))

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands of all moves of the game; without a seat there are none."""
        return self.table.game.commands if self.keeps_seat(person.name) else ()

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands of the moves that are legal for the person now; spelling all of them takes long."""
        if not (commands := self.commands(person)):
            return ()
        verbs = {move.partition(" ")[0] for move in self.words(person)}
        return [command for command in commands if command.name in verbs]

    def words(self, person: Person) -> Sequence[str]:
        """Return the moves that are legal for the person now, as they are typed, in the order of their numbers."""
        seat = self.own_seat(person.name)
        if seat is None:
            return ()
        with suppress(Sorry), self.bugs_stop_this_table():  # who sits at a stopped table may do everything else
            return self.menu(seat).words
        return ()

    def reads(self, text: str) -> bool:
        """Whether a line reads as a move of this game, whoever types it."""
        return parse_line.is_move(text, self.table.game.commands)

    async def hear(self, person: Person, text: str) -> bool:
        """Take a bare line as a move if it reads as one; return False where it is talk.

        While a seat here is the person's, even if a bot keeps it for them, what looks like a move is never talk.
        """
        if not self.keeps_seat(person.name) or self.table.closed:
            return False
        if text.isdigit() and text.isascii():
            await self.number(person, text)
            return True
        found = parse_line.as_move(text, partial(self.legal, person), self.commands(person))
        if found and parse_line.also_talk(text):
            asked = f"“{text}” is a word and a move; type {found[0].name} {text} or '{text}."
            person.show(self.line(f"Refused: {asked}"), *self.turn(person))
        elif found:
            await self.move(person, *found)
        return bool(found)

    def show_numbers(self, person: Person, numbers: Iterable[int]) -> None:
        """Take note that more numbers of this question are on the person's screen."""
        if person.focus and focus.table(person) is self.me:
            person.focus = attrs.evolve(person.focus, numbers=person.focus.numbers | {*numbers})

    async def take_back(self, person: Person) -> None:
        """Give the person their seat back if a bot keeps it for them; raises `Sorry`."""
        if self.stood_in_for(person.name) is not None:
            await self.room.do(partial(self.give_back, person))

    async def number(self, person: Person, digits: str, *, named: bool = False) -> None:
        """Make the move that a number names, if it answers the question with the focus and has been shown.

        If the answer itself is a number, it is that answer, also if the person has `named` this table.
        """
        await self.take_back(person)
        seat, question = self.seat_of(person.name), self.question(person)
        if seat is None or question is None:
            self._without_question(person, digits)
            return
        numbers = person.focus.numbers if person.focus and focus.table(person) is self.me else frozenset()
        with self.bugs_stop_this_table():
            job = self._numbered(person, seat, digits, numbers, named=named)
        if job:
            await self._asked_for(person, partial(self._answering, person, question, job))
        else:
            person.show(self.line(f"Refused: there is no option {digits[:9]} on your screen; these are your options:"))
            person.show(*self.turn(person))

    def _numbered(
        self, person: Person, seat: Seat, digits: str, numbers: frozenset[int], *, named: bool
    ) -> Callable[[], Awaitable[None]] | None:
        """Return what a number does, of which some are on the person's screen; None where it does nothing."""
        menu, number = self.menu(seat), int(digits[:9])
        move = menu.move(number) if number in numbers or (named and menu.verb) else None
        if move is not None:
            return partial(self.make, seat, move, person.name)
        answer = parse_line.as_answer(digits, menu.verb, self.table.game.commands)
        return partial(self._read_and_make, person, *answer) if answer and (numbers or named) else None

    def _without_question(self, person: Person, digits: str) -> None:
        """Say why a number is no move here now; if another table waits for the person, show what it asks."""
        waiting = focus.waiting(person)
        if waiting:
            asked = waiting[0].turn(person)
            person.show(Line("Refused: a number answers the question on your screen; this is it now:"), *asked)
        else:
            person.show(self.line(f"Refused: {self.waiting(person)}; to say it, type '{digits[:9]}"))

    async def _answering(self, person: Person, question: Question, job: Callable[[], Awaitable[None]]) -> None:
        """Do what a number says, unless the question that it answers is gone meanwhile; raises `Sorry`."""
        if self.question(person) != question:
            raise Sorry("the table has just gone on, so that number means nothing any more.")
        await job()

    async def move(self, person: Person, command: Command, text: str) -> None:
        """Make the move that a command of the game and its arguments name."""
        await self.take_back(person)
        if self.question(person):
            focus.typed_at(person, self.me)
        await self._asked_for(person, partial(self._read_and_make, person, command, text))

    async def _asked_for(self, person: Person, job: Callable[[], Any]) -> None:
        """Do in the room's task what a person asked for; where it is refused say why, and ask again but who listens."""
        try:
            await self.room.do(partial(self._as_typed, person, job))
        except Refused as no:
            person.show(self.line(f"Refused: {self.refusal(no, self.reader_of(person))}"))
        except Misread as no:
            person.show(self.line(f"Usage: {no}"))
        except Sorry as no:
            person.show(self.line(f"Refused: {no}"))
        else:
            return
        with suppress(Sorry):
            asked = self.turn(person)
            person.show(*(() if person.voice.spoken else asked))

    async def _as_typed(self, person: Person, job: Callable[[], Any]) -> None:
        """Do what a person typed, who need not be told of it."""
        self.typist = self.seat_of(person.name)
        try:
            await job()
        finally:
            self.typist = None

    async def _read_and_make(self, person: Person, command: Command, text: str) -> None:
        seat = self.seat_of(person.name)
        if seat is None:
            raise Sorry(self.seatless(person))
        if not self.table.started:
            raise Refused("not-started")
        with self.bugs_stop_this_table():
            move = command.run(self.table.view(seat), *command.read(parse_line.with_seat(text, self.names)))
        await self.make(seat, move, person.name)

    def seatless(self, person: Person) -> str:
        """Return what is said to somebody who would move here, but has no seat."""
        if person.name in self.unanswered:
            return f"you have not sat down at {self.room.name} yet; /sit {self.room.name} accepts the invitation."
        if not self.table.started:
            return f"you have no seat at {self.room.name}; /sit {self.room.name} takes one."
        return f"you have no seat at {self.room.name}; /watch {self.room.name} looks on, /quick plays."

    def refusal(self, no: Refused, reader: Reader) -> str:
        """Return the sentence for a refusal: the game's, else the table's."""
        if no.code in REFUSALS and no.code not in self.table.game.refusals:
            return REFUSALS[no.code]
        try:
            return self.table.game.refusal(no.code, no.facts, reader)
        except Exception:
            log.exception("a refusal has no words", code=no.code, game=self.table.game.name)
            return "that cannot be done now; /moves lists what can."
