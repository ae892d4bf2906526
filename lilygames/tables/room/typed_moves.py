"""Parse what people type at a table as moves, and explain why a line isn't one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, overload

import attrs

from lilygames.chat.input import current_line
from lilygames.chat.input.grammar import Expected, as_answer, as_move, is_move
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person, Question
from lilygames.chat.people.terminal import Unfinished
from lilygames.commands import Command, Misread
from lilygames.errors import AgainstRules, UserError, code_of
from lilygames.tables.bots.house_seats import HouseSeats
from lilygames.tables.play import coach
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.questions import Questions
from lilygames.tables.play.runner import Runner
from lilygames.tables.play.screens import Screens
from lilygames.tables.room.spellings import Spellings
from lilygames.tables.sight import narrate
from lilygames.tables.state import visible
from lilygames.text import Line, Problem, shortened
from lilygames_rules.kit import Refused, Seat


class LazyWords(Sequence[str]):
    """The legal moves of a person as they are typed, spelled out when they are first looked at: they may be many."""

    def __init__(self, typed: TypedMoves, person: Person) -> None:
        self._typed = typed
        self._person = person

    @cached_property
    def _words(self) -> Sequence[str]:
        return self._typed.words(self._person)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._words[place]

    def __len__(self) -> int:
        return len(self._words)


class Stale(UserError):
    """A move was meant for an earlier position, where it may have meant something else."""

    code = "stale"


@attrs.frozen
class Attempt:
    """A move that a person has asked for, before anything is checked."""

    person: Person
    command: Command | None = None
    """The move's command, whose arguments are the `text`; None if `move` is known by its number."""
    text: str = ""
    move: Any = None
    once: str = ""
    """By which the move is known if it is sent twice."""
    since: int | None = None
    """A log entry: the move is refused if the table has asked the person something else after it."""
    question: Question | None = None
    """The question that the move answers: it is refused if that has gone."""
    typed: bool = True
    """False for a move that was queued earlier."""


@attrs.frozen
class TypedMove:
    """A move that waits until it is stored, and the line that it was typed in."""

    moves: TypedMoves
    attempt: Attempt
    line: Unfinished

    def made(self) -> None:
        """Learn that the move is stored and everyone has been told."""
        self.moves.finish(self)

    def failed(self, why: UserError | None) -> None:
        """Learn that the move isn't stored, or with None that it has to be made in the slow way."""
        self.moves.fail(self, why)


def with_seat(text: str, names: Sequence[str]) -> str:
    """Replace the name after the last `to` in a line with its seat number, from 1; rules know no names."""
    head, to, name = text.rpartition(" to ")
    if not to:
        return text
    wanted = name.strip().removeprefix("*").casefold()
    seats = [seat for seat, other in enumerate(names, 1) if wanted and other.casefold().startswith(wanted)]
    whole = [seat for seat in seats if names[seat - 1].casefold() == wanted]
    found = whole or seats
    return f"{head} to {found[0]}" if len(found) == 1 else text


class TypedMoves:
    """Parses the moves that people type, and makes them now or on their next turn."""

    def __init__(
        self,
        runner: Runner,
        publisher: Publisher,
        questions: Questions,
        house: HouseSeats,
        screens: Screens,
        *,
        people: Everybody[Person],
    ) -> None:
        self._runner = runner
        self._publisher = publisher
        self._questions = questions
        self._house = house
        self._screens = screens
        self._people = people
        self.queued: dict[str, str] = {}
        """Moves queued for people's next turns, by folded name."""
        self._doubted: dict[str, tuple[int, Any]] = {}
        """The odd move each person was asked to confirm, by folded name, with the log entry it followed."""

    # reading a line

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands of all moves of the game; none for someone without a seat."""
        table = self._runner.table
        return table.game.commands if table.own_seat(person.name) is not None else ()

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands of the person's legal moves; spelling them all out is slow."""
        if not (commands := self.commands(person)):
            return ()
        verbs = {move.partition(" ")[0] for move in self.words(person)}
        return [command for command in commands if command.name in verbs]

    def words(self, person: Person) -> Sequence[str]:
        """Return the person's legal moves as they are typed, in the order of their numbers."""
        seat = self._runner.table.own_seat(person.name)
        if seat is None:
            return ()
        with suppress(UserError), self._runner.bugs_stop_this_table:  # a stopped table allows everything else
            return self._questions.menu(seat).words
        return ()

    def reads(self, text: str) -> bool:
        """Whether a line reads as a move of this game, whoever types it."""
        return is_move(text, self._runner.table.game.commands)

    # moves by name

    def plays(self, person: Person) -> bool:
        """Whether a person's bare lines can be moves here: they have a seat, even if a bot keeps it."""
        table = self._runner.table
        return table.own_seat(person.name) is not None and not table.closed

    def expected(self, person: Person) -> Expected | None:
        """Return what the table expects a person to type, also while it isn't their turn; None if nothing counts."""
        table = self._runner.table
        seat = table.seat_of(person.name)
        if seat is None or self._runner.case or not table.going:
            return None
        asked = self._questions.open.get(seat) is not None
        with suppress(UserError), self._runner.bugs_stop_this_table:
            view = table.view(seat)
            words = Spellings(table.game, view, asked, LazyWords(self, person), table.moves(seat))
            return Expected(words, table.seq, visible.has_secret(view, table.view(None)), asked)
        return None

    def begin_move(self, person: Person, command: Command, text: str, line: Unfinished) -> bool:
        """Begin the move that a command and its arguments name; return False if `move` has to make it or refuse it.

        If it is begun, `line` learns when it is stored and everyone has been told. No task waits for that, which takes
        0.8 of the CPU time. To remove it, return False.
        """
        if self._runner.table.stood_in_for(person.name) is not None:
            return False
        if self._questions.asks(person):
            self._questions.typed_at(person)
        return self._begin(Attempt(person, command, text, once=current_line.get().once), line)

    async def move(self, person: Person, command: Command, text: str, *, since: int | None = None) -> None:
        """Make the move that a command of the game and its arguments name.

        With `since` the move is refused if the table has asked them something else after that log entry.
        """
        await self._house.take_back(person)
        if self._questions.asks(person):
            self._questions.typed_at(person)
        await self._try(Attempt(person, command, text, once=current_line.get().once, since=since))

    async def _try(self, attempt: Attempt) -> None:
        """Make a typed move in the room; if it is refused, say why and, except aloud, ask again.

        A move that was made already, when it was sent the first time, isn't refused.
        """
        room, person = self._runner.room, attempt.person
        try:
            if room.begin():
                try:
                    await self._make(attempt)
                finally:
                    room.end()
            else:
                await room.do(self._make, attempt)
        except (Refused, Misread, UserError) as no:
            if not await self._runner.has_made(person.name, attempt.once):
                self._explain(person, no)
        else:
            self._runner.services.activity.typed(self._runner.table.game.name, person.activity.last)

    def _begin(self, attempt: Attempt, line: Unfinished) -> bool:
        """Begin a move, unless the room is busy or the move is refused: that is worded in the slow way."""
        room, begun = self._runner.room, False
        if _asks_twice(attempt.person) or not room.begin():
            return False
        try:
            seat, move = self._checked(attempt)
            waits = TypedMove(self, attempt, line)
            begun = self._runner.begin(seat, move, attempt.person.name, attempt.once, waits)
        except (Refused, Misread, UserError):
            return False
        finally:
            if not begun:
                room.end()
        return begun

    def finish(self, typed: TypedMove) -> None:
        """Finish a move that everyone has been told, and go on if nobody has to do anything."""
        runner = self._runner
        if runner.waits_for_people:
            runner.room.end()
        else:
            runner.room.end_with(runner.go_on_after_move)
        runner.services.activity.typed(runner.table.game.name, typed.attempt.person.activity.last)
        typed.line.finished()

    def fail(self, typed: TypedMove, why: UserError | None) -> None:
        """Say why a move isn't stored, or make it in the slow way, before anything else happens at the table."""
        if why is None:
            self._runner.room.end_with(self._make_again, typed)
            return
        self._runner.room.end()
        try:
            self._explain(typed.attempt.person, why)
        finally:
            typed.line.finished()

    async def _make_again(self, typed: TypedMove) -> None:
        person, runner = typed.attempt.person, self._runner
        try:
            await self._make(typed.attempt)
        except (Refused, Misread, UserError) as no:
            if not await runner.has_made(person.name, typed.attempt.once):
                self._explain(person, no)
        else:
            runner.services.activity.typed(runner.table.game.name, person.activity.last)
        finally:
            typed.line.finished()

    async def _make(self, attempt: Attempt) -> None:
        """Check an attempt against the table as it is now, and make the move.

        Raises `Refused`, `Misread` or `UserError`.
        """
        seat, move = self._checked(attempt)
        await self._runner.make(seat, move, attempt.person.name, attempt.once, typed=attempt.typed)

    def _checked(self, attempt: Attempt) -> tuple[Seat, Any]:
        """Return the seat and the move of an attempt; raises `Refused`, `Misread` or `UserError`.

        The rules check it later.
        """
        table, person = self._runner.table, attempt.person
        if attempt.since is not None:
            self._check_asked(person, attempt.since)
        if attempt.question and self._questions.question(person) != attempt.question:
            raise UserError("the game moved on before you answered. Please look again.")
        seat = table.seat_of(person.name)
        if seat is None:
            raise UserError(self._screens.seatless(person))
        if not table.started:
            raise Refused("not-started")
        move = self._read(seat, attempt.command, attempt.text) if attempt.command else attempt.move
        self._check_doubt(person, seat, move)
        return seat, move

    def _explain(self, person: Person, no: Refused | Misread | UserError) -> None:
        """Tell a person why their move was refused, and ask again."""
        if isinstance(no, Refused):
            table = self._runner.table
            self._runner.services.activity.refused[table.game.name] += 1
            said = narrate.refusal(table, no, self._publisher.reader_of(table, person))
            comment = coach.comment(table, no, person.voice)
            refused = self._publisher.refused(said, AgainstRules.code, no.code)
            if comment and no.code == "off-script":
                person.show(attrs.evolve(comment[0], problem=refused.problem), *comment[1:])
            else:
                person.show(refused, *comment)
        elif isinstance(no, Misread):
            comment = coach.comment(self._runner.table, None, person.voice)
            usage = attrs.evolve(self._publisher.line(f"Usage: {no}"), problem=Problem(code_of(no)))
            person.show(usage, *comment)
        else:
            person.show(self._publisher.refused(no, no.code))
        with suppress(UserError):
            asked = self._questions.turn(person)
            person.show(*(() if person.voice.spoken or person.takes_picture else asked))

    def _check_asked(self, person: Person, since: int) -> None:
        """Raise `Stale` if the table has asked a person something else, or nothing more, after a log entry."""
        table = self._runner.table
        seat = table.seat_of(person.name)
        asked = None if seat is None else self._questions.open.get(seat)
        if (asked.seq if asked else table.seq) > since:
            raise Stale("the game has moved on since then. Please look again.")

    def _read(self, seat: Seat, command: Command, text: str) -> Any:
        """Return the move that a command and its arguments name; raises `Misread` or `UserError`."""
        table = self._runner.table
        with self._runner.bugs_stop_this_table:
            return command.run(table.view(seat), *command.read(with_seat(text, table.names)))

    def _check_doubt(self, person: Person, seat: Seat, move: Any) -> None:
        """Raise `UserError` once for an odd move, if the person wants to be asked first."""
        table, name = self._runner.table, fold(person.name)
        asked = (table.seq, move)
        if not _asks_twice(person) or self._doubted.pop(name, None) == asked:
            return
        with self._runner.bugs_stop_this_table:
            doubt = table.game.doubt(table.view(seat), move) if move in table.moves(seat) else ""
        if doubt:
            self._doubted[name] = asked
            raise UserError(f"{doubt} Type it again if you mean it.")

    # moves by number

    def show_numbers(self, person: Person, numbers: Iterable[int]) -> None:
        """Record that these numbers of the current question are on the person's screen."""
        if self._questions.has_focus(person):
            person.focus.add_numbers(numbers)

    def begin_number(self, person: Person, digits: str, line: Unfinished) -> bool:
        """Begin the move with this number, as `begin_move` does; return False if `number` has to do it."""
        table = self._runner.table
        seat, question = table.seat_of(person.name), self._questions.question(person)
        if seat is None or question is None:
            return False
        since = current_line.get().seen.get(table.header.number)
        numbers = person.focus.numbers if self._questions.has_focus(person) else frozenset()
        try:
            with self._runner.bugs_stop_this_table:
                attempt = self._numbered(person, seat, digits, numbers, named=False)
        except UserError:
            return False
        if attempt is None:
            return False
        once = current_line.get().once
        return self._begin(attrs.evolve(attempt, once=once, since=since, question=question), line)

    async def number(self, person: Person, digits: str, *, named: bool = False, since: int | None = None) -> None:
        """Make the move with this number, if it answers the question with the focus and was shown.

        If the question asks for a number, the digits are the answer, also if the person has `named` this table. A
        number is for the position that it was shown with: it's refused if the table has asked something else since.
        """
        if since is None:
            since = current_line.get().seen.get(self._runner.table.header.number)
        await self._house.take_back(person)
        seat, question = self._runner.table.seat_of(person.name), self._questions.question(person)
        if seat is None or question is None:
            if not await self._runner.has_made(person.name, current_line.get().once):
                self._without_question(person, digits)
            return
        numbers = person.focus.numbers if self._questions.has_focus(person) else frozenset()
        with self._runner.bugs_stop_this_table:
            attempt = self._numbered(person, seat, digits, numbers, named=named)
        if attempt:
            await self._try(attrs.evolve(attempt, once=current_line.get().once, since=since, question=question))
        elif not await self._runner.has_made(person.name, current_line.get().once):
            refused = f"there's no option {digits[:9]} on your screen. Your options:"
            person.show(self._publisher.refused(refused))
            person.show(*self._questions.turn(person))

    def _numbered(
        self, person: Person, seat: Seat, digits: str, numbers: frozenset[int], *, named: bool
    ) -> Attempt | None:
        """Return what a number means when `numbers` are on the person's screen; None if it means no move."""
        menu, number = self._questions.menu(seat), int(digits[:9])
        move = menu.move(number) if number in numbers or (named and menu.verb) else None
        if move is not None:
            return Attempt(person, move=move)
        answer = as_answer(digits, menu.verb, self._runner.table.game.commands)
        return Attempt(person, *answer) if answer and (numbers or named) else None

    def _without_question(self, person: Person, digits: str) -> None:
        """Explain why a number isn't a move now; if another table waits for the person, show its question."""
        waiting = person.focus.waiting()
        if waiting:
            asked = waiting[0].turn(person)
            person.show(
                Line(
                    "Refused: another table is waiting for you. A number answers this question:",
                    problem=Problem(UserError.code),
                ),
                *asked,
            )
        else:
            refused = f"{self._screens.waiting(person)}. To say it, type '{digits[:9]}"
            person.show(self._publisher.refused(refused))

    # queued moves

    def queue(self, person: Person, line: str) -> str:
        """Queue a move for someone's next turn, or clear it; return the message to show."""
        game = self._runner.table.game
        self.queued.pop(fold(person.name), None)
        if not line:
            return "You have no move queued for your next turn."
        if as_move(line, partial(self.legal, person), self.commands(person)) is None:
            raise UserError(
                f"“{shortened(line, 40)}” isn't a move in {game.title}. Type /help {game.name} for the moves."
            )
        self.queued[fold(person.name)] = line
        return f"Queued for your next turn: {line}. Type /queue to cancel it."

    def take_up(self, queued: Mapping[str, str]) -> None:
        """Restore the moves that people queued before the restart."""
        self.queued |= queued

    def turn_comes(self, seat: Seat) -> None:
        """Make the move queued for this turn, as if it were typed now."""
        if not self.queued:
            return
        name = fold(self._runner.table.seats[seat].name)
        person, line = self._people.get(name), self.queued.pop(name, "")
        if person and line:
            self._runner.room.post(self._make_queued, person, line)

    async def _make_queued(self, person: Person, line: str) -> None:
        found = as_move(line, partial(self.legal, person), self.commands(person))
        if found is None:
            return
        try:
            await self._make(Attempt(person, *found, typed=False))
        except (Refused, Misread, UserError):
            person.show(
                self._publisher.line(f"Your queued move “{shortened(line, 40)}” isn't possible now.", by=person.name)
            )
            if self._questions.has_focus(person):
                person.show(*self._questions.turn(person))


def _asks_twice(person: Person) -> bool:
    """Return whether a person wants to be asked before an odd move."""
    return person.profile.settings.get("confirm") == "on"
