"""What people type at a table: which move a line or a number is, and what is said where it is none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from lilygames.chat.names import fold
from lilygames.chat.people import Person, Question
from lilygames.commands import Command, Misread, Several, Unknown, find
from lilygames.errors import UserError
from lilygames.tables import coach, narrate
from lilygames.tables.house_seats import HouseSeats
from lilygames.tables.publish import Publisher
from lilygames.tables.questions import Questions
from lilygames.tables.runner import Runner
from lilygames.tables.screens import Screens
from lilygames.text import Line
from rules.kit import Refused, Seat

Legal = Callable[[], Sequence[Command]]
"""Tells the commands of the legal moves; it takes long, and so is asked for only where they matter."""


def with_seat(text: str, names: Sequence[str]) -> str:
    """Return a line with the name behind its last `to` as the number of that seat, from 1: rules know no names."""
    head, to, name = text.rpartition(" to ")
    wanted = name.strip().removeprefix("*").casefold()
    seats = [seat for seat, other in enumerate(names, 1) if wanted and other.casefold().startswith(wanted)]
    whole = [seat for seat in seats if names[seat - 1].casefold() == wanted]
    found = whole or seats
    return f"{head} to {found[0]}" if to and len(found) == 1 else text


def is_move(text: str, commands: Sequence[Command]) -> bool:
    """Whether a line reads as a move of the game that has these commands: a number does, too."""
    bare = text.removeprefix("/")
    return bare.isdigit() or as_move(bare, tuple, commands) is not None


def as_move(text: str, legal: Legal, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the command and its arguments that a bare line reads as, None where it is talk.

    It does where its first word is a move's name and the rest fits or is as long as what would fit, where it is the
    beginning of a move's name, a legal one's before others', and the rest fits, or where it is one word that a move
    takes (`KH`).
    """
    word, _, rest = text.partition(" ")
    return _by_name(word, rest, commands) or _by_beginning(word, rest, legal, commands) or _by_argument(text, commands)


_SIGHS = frozenset({"ah", "as", "ad", "he", "none"})


def also_talk(text: str) -> bool:
    """Whether a bare line that reads as a move is a word that people say, too: only capitals make it a card."""
    return text.casefold() in _SIGHS and not text.isupper()


def _by_name(word: str, rest: str, commands: Sequence[Command]) -> tuple[Command, str] | None:
    named = next((command for command in commands if word.casefold() in command.names), None)
    if named and (_fits(named, rest) or len(rest.split()) <= len(named.arguments)):
        return named, rest
    return None


def _by_beginning(word: str, rest: str, legal: Legal, commands: Sequence[Command]) -> tuple[Command, str] | None:
    folded = word.casefold()
    if not (rest and any(name.startswith(folded) for command in commands for name in command.names)):
        return None
    try:
        begun = find(word, legal(), commands)
    except (Several, Unknown):
        return None
    return (begun, rest) if _fits(begun, rest) else None


def _by_argument(text: str, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """A word that people also use in talk would be a bad notation; whole numbers are not read here."""
    for command in commands:
        typed = [argument for argument in command.arguments if argument.reads.parse is not str]
        if len(command.arguments) == len(typed) == 1 and not text.isdigit() and _fits(command, text):
            return command, text
    return None


def as_answer(digits: str, verb: str | None, commands: Sequence[Command]) -> tuple[Command, str] | None:
    """Return the command that a bare number reads as where it is no place in a list, None where it is nothing.

    With a verb it is that verb's number; else a command may take digits that are no number, like five dice.
    """
    if verb:
        return next((command, digits) for command in commands if command.name == verb)
    for command in commands:
        if len(command.arguments) == 1 and command.arguments[0].takes_digits and _fits(command, digits):
            return command, digits
    return None


def _fits(command: Command, rest: str) -> bool:
    try:
        command.read(rest)
    except Misread:
        return False
    return True


class TypedMoves:
    """Reads what people type at a table, and makes their moves, now or at their next turn."""

    def __init__(
        self,
        runner: Runner,
        publisher: Publisher,
        questions: Questions,
        house: HouseSeats,
        screens: Screens,
    ) -> None:
        self._runner = runner
        self._publisher = publisher
        self._questions = questions
        self._house = house
        self._screens = screens
        self.queued: dict[str, str] = {}
        """What people will do at their next turn, by folded name."""
        self._doubted: dict[str, tuple[int, Any]] = {}
        """The odd move that each was asked about, by folded name, and the entry of the log after which."""

    # what a line may be

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands of all moves of the game; without a seat there are none."""
        table = self._runner.table
        return table.game.commands if table.own_seat(person.name) is not None else ()

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands of the moves that are legal for the person now; spelling all of them takes long."""
        if not (commands := self.commands(person)):
            return ()
        verbs = {move.partition(" ")[0] for move in self.words(person)}
        return [command for command in commands if command.name in verbs]

    def words(self, person: Person) -> Sequence[str]:
        """Return the moves that are legal for the person now, as they are typed, in the order of their numbers."""
        seat = self._runner.table.own_seat(person.name)
        if seat is None:
            return ()
        with suppress(UserError), self._runner.bugs_stop_this_table():  # at a stopped table one may do everything else
            return self._questions.menu(seat).words
        return ()

    def reads(self, text: str) -> bool:
        """Whether a line reads as a move of this game, whoever types it."""
        return is_move(text, self._runner.table.game.commands)

    # moves by name

    async def hear(self, person: Person, text: str) -> bool:
        """Take a bare line as a move if it reads as one; return False where it is talk.

        While a seat here is the person's, even if a bot keeps it for them, what looks like a move is never talk.
        """
        table = self._runner.table
        if table.own_seat(person.name) is None or table.closed:
            return False
        if text.isdigit() and text.isascii():
            await self.number(person, text)
            return True
        found = as_move(text, partial(self.legal, person), self.commands(person))
        if found and also_talk(text):
            asked = f"“{text}” is a word and a move; type {found[0].name} {text} or '{text}."
            person.show(self._publisher.line(f"Refused: {asked}"), *self._questions.turn(person))
        elif found:
            await self.move(person, *found)
        return bool(found)

    async def move(self, person: Person, command: Command, text: str) -> None:
        """Make the move that a command of the game and its arguments name."""
        await self._house.take_back(person)
        if self._questions.question(person):
            self._questions.typed_at(person)
        await self._try(person, partial(self._read_and_make, person, command, text))

    async def _try(self, person: Person, job: Callable[[], Awaitable[None]]) -> None:
        """Do in the room's task what a person asked for; where it is refused say why, and ask again but who listens."""

        async def as_typed() -> None:
            with self._publisher.typing(self._runner.table.seat_of(person.name)):
                await job()

        try:
            await self._runner.room.do(as_typed)
        except Refused as no:
            table = self._runner.table
            said = narrate.refusal(table, no, self._publisher.reader_of(table, person))
            comment = coach.comment(table, no, person.voice)
            refused = () if comment and no.code == "off-script" else (self._publisher.line(f"Refused: {said}"),)
            person.show(*refused, *comment)
        except Misread as no:
            comment = coach.comment(self._runner.table, None, person.voice)
            person.show(self._publisher.line(f"Usage: {no}"), *comment)
        except UserError as no:
            person.show(self._publisher.line(f"Refused: {no}"))
        else:
            return
        with suppress(UserError):
            asked = self._questions.turn(person)
            person.show(*(() if person.voice.spoken else asked))

    async def _read_and_make(self, person: Person, command: Command, text: str) -> None:
        table = self._runner.table
        seat = table.seat_of(person.name)
        if seat is None:
            raise UserError(self._screens.seatless(person))
        if not table.started:
            raise Refused("not-started")
        with self._runner.bugs_stop_this_table():
            move = command.run(table.view(seat), *command.read(with_seat(text, table.names)))
        await self._make(person, seat, move)

    async def _make(self, person: Person, seat: Seat, move: Any) -> None:
        """Make a move; raises `UserError` for an odd one, once, if the person wants to be asked before."""
        table, name = self._runner.table, fold(person.name)
        asked = (table.seq, move)
        if person.profile.settings.get("confirm") == "on" and self._doubted.pop(name, None) != asked:
            with self._runner.bugs_stop_this_table():
                doubt = table.game.doubt(table.view(seat), move) if move in table.moves(seat) else ""
            if doubt:
                self._doubted[name] = asked
                raise UserError(f"{doubt} Type it again if you mean it.")
        await self._runner.make(seat, move, person.name)

    # moves by number

    def show_numbers(self, person: Person, numbers: Iterable[int]) -> None:
        """Take note that more numbers of this question are on the person's screen."""
        if self._questions.has_focus(person):
            person.focus.add_numbers(numbers)

    async def number(self, person: Person, digits: str, *, named: bool = False) -> None:
        """Make the move that a number names, if it answers the question with the focus and has been shown.

        If the answer itself is a number, it is that answer, also if the person has `named` this table.
        """
        await self._house.take_back(person)
        seat, question = self._runner.table.seat_of(person.name), self._questions.question(person)
        if seat is None or question is None:
            self._without_question(person, digits)
            return
        numbers = person.focus.numbers if self._questions.has_focus(person) else frozenset()
        with self._runner.bugs_stop_this_table():
            job = self._numbered(person, seat, digits, numbers, named=named)
        if job:
            await self._try(person, partial(self._answer, person, question, job))
        else:
            refused = f"Refused: there is no option {digits[:9]} on your screen; these are your options:"
            person.show(self._publisher.line(refused))
            person.show(*self._questions.turn(person))

    def _numbered(
        self, person: Person, seat: Seat, digits: str, numbers: frozenset[int], *, named: bool
    ) -> Callable[[], Awaitable[None]] | None:
        """Return what a number does, of which some are on the person's screen; None where it does nothing."""
        menu, number = self._questions.menu(seat), int(digits[:9])
        move = menu.move(number) if number in numbers or (named and menu.verb) else None
        if move is not None:
            return partial(self._make, person, seat, move)
        answer = as_answer(digits, menu.verb, self._runner.table.game.commands)
        return partial(self._read_and_make, person, *answer) if answer and (numbers or named) else None

    def _without_question(self, person: Person, digits: str) -> None:
        """Say why a number is no move here now; if another table waits for the person, show what it asks."""
        waiting = person.focus.waiting()
        if waiting:
            asked = waiting[0].turn(person)
            person.show(Line("Refused: a number answers the question on your screen; this is it now:"), *asked)
        else:
            refused = f"Refused: {self._screens.waiting(person)}; to say it, type '{digits[:9]}"
            person.show(self._publisher.line(refused))

    async def _answer(self, person: Person, question: Question, job: Callable[[], Awaitable[None]]) -> None:
        """Do what a number says, unless the question that it answers is gone meanwhile; raises `UserError`."""
        if self._questions.question(person) != question:
            raise UserError("the table has just gone on, so that number means nothing any more.")
        await job()

    # moves for the next turn

    def queue(self, person: Person, line: str) -> str:
        """Keep what somebody will do at their next turn, or nothing; return the sentence that says so."""
        game = self._runner.table.game
        self.queued.pop(fold(person.name), None)
        if not line:
            return "Nothing is queued for your next turn."
        if as_move(line, partial(self.legal, person), self.commands(person)) is None:
            raise UserError(f"“{line[:40]}” is no move of {game.title}; /help {game.name} has them.")
        self.queued[fold(person.name)] = line
        return f"At your next turn: {line}. /queue alone takes it back."

    def take_up(self, queued: Mapping[str, str]) -> None:
        """Keep what people had queued when the process before ended."""
        self.queued |= queued

    def turn_comes(self, seat: Seat) -> None:
        """Make the move that somebody queued for this turn, as if it were typed now."""
        name = fold(self._runner.table.seats[seat].name)
        person, line = self._runner.services.people.get(name), self.queued.pop(name, "")
        if person and line:
            self._runner.room.post(partial(self._make_queued, person, line))

    async def _make_queued(self, person: Person, line: str) -> None:
        found = as_move(line, partial(self.legal, person), self.commands(person))
        if found is None:
            return
        try:
            await self._read_and_make(person, *found)
        except (Refused, Misread, UserError):
            person.show(self._publisher.line(f"Your queued “{line[:40]}” cannot be done now.", by=person.name))
            if self._questions.has_focus(person):
                person.show(*self._questions.turn(person))
