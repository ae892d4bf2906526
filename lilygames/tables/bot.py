"""The bot that joins a table to a room: what people type at it, and the words of its refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
import structlog

from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.chat.sorry import Sorry
from lilygames.commands import Command, Misread
from lilygames.game import Reader
from lilygames.tables import reading
from lilygames.tables.table import Table
from lilygames.tables.timed import TimedTable
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
    """The seats whose list of moves, as shown last, still holds."""


class TableBot(TimedTable):
    """A live table with ears."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._queued: dict[str, str] = {}
        """What people will do at their next turn, by folded name."""
        self._spelled: dict[Seat, tuple[Table, Sequence[str]]] = {}
        """The moves of each seat that asked, as they are typed, and the state of the table that they belong to."""

    def carry(self) -> KeptTable:
        """Return what the next process has to know of this table."""
        shown = tuple(seat for seat, moves in self._shown.items() if moves == self._asked.get(seat))
        return KeptTable(self.table.header.number, self.table.seq, dict(self._queued), shown)

    def take_up(self, kept: KeptTable) -> None:
        """Be for those who sit here what the process before was."""
        self._queued = dict(kept.queued)
        self._shown = {seat: self._asked[seat] for seat in kept.shown}

    def queue(self, person: Person, line: str) -> str:
        """Keep what somebody will do at their next turn, or nothing; return the sentence that says so."""
        self._queued.pop(fold(person.name), None)
        if not line:
            return "Nothing is queued for your next turn."
        if reading.as_move(line, *self.floors(person)) is None:
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
        found = reading.as_move(line, *self.floors(person))
        if found is None:
            return
        try:
            await self._read_and_make(person, *found)
        except (Refused, Misread, Sorry):
            dropped = self.line(f"Your queued “{line[:40]}” cannot be done now.", by=person.name)
            person.show(dropped, *self.turn(person))

    def floors(self, person: Person) -> tuple[Sequence[Command], Sequence[Command]]:
        """Return the commands of the person's legal moves and all of the game's; without a seat there are none."""
        seat = self.seat_of(person.name)
        if seat is None:
            return (), ()
        verbs = {move.partition(" ")[0] for move in self.words(person)}
        commands = self.table.game.commands
        return [command for command in commands if command.name in verbs], commands

    def words(self, person: Person) -> Sequence[str]:
        """Return the moves that are legal for the person now, as they are typed."""
        seat = self.seat_of(person.name)
        if seat is None:
            return ()
        with suppress(Sorry), self.bugs_stop_this_table():  # who sits at a stopped table may do everything else
            return self._spelled_for(seat)
        return ()

    def _spelled_for(self, seat: Seat) -> Sequence[str]:
        """Return a seat's legal moves as they are typed, worked out once for each state: there may be hundreds."""
        table, spelled = self._spelled.get(seat, (None, ()))
        if table is not self.table:
            spelled = [self.table.game.spell(move) for move in self.table.moves(seat)]
            self._spelled[seat] = self.table, spelled
        return spelled

    async def hear(self, person: Person, text: str) -> bool:
        """Take a bare line as a move if it reads as one; return False where it is talk."""
        if self.seat_of(person.name) is None or not self.table.started or self.table.closed:
            return False
        if text.isdigit() and text.isascii():
            if person.room is not self.room:
                return False
            await self.number(person, text)
            return True
        found = reading.as_move(text, *self.floors(person))
        if found and reading.also_talk(text):
            asked = f"“{text}” is a word and a move; type {found[0].name} {text} or '{text}."
            person.show(self.line(f"Refused: {asked}"), *self.turn(person))
        elif found:
            await self.move(person, *found)
        return bool(found)

    async def number(self, person: Person, digits: str) -> None:
        """Make the move that a number names: itself where all moves are numbers, else one of the list last shown."""
        seat = self.seat_of(person.name)
        with self.bugs_stop_this_table():
            moves = self.offered(seat) if seat is not None else ()
            spelled = [self.table.game.spell(move) for move in moves]
        verb = reading.number_verb(spelled)
        if verb:
            command = next(command for command in self.table.game.commands if command.name == verb)
            await self.move(person, command, digits)
        elif seat is None or not moves:
            person.show(self.line(f"Refused: {self.waiting(self.reader_of(person))}; to say it, type '{digits[:9]}"))
        elif moves != self._shown.get(seat) or not 1 <= int(digits[:9]) <= len(moves):
            person.show(self.line("Refused: there is no such number in the list now; this is it:"), *self.turn(person))
        else:
            await self._asked_for(person, partial(self.make, seat, moves[int(digits) - 1], person.name))

    async def move(self, person: Person, command: Command, text: str) -> None:
        """Make the move that a command of the game and its arguments name."""
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
        if not person.voice.spoken:
            with suppress(Sorry):
                person.show(*self.turn(person))

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
            raise Sorry(f"you have no seat at {self.room.name}; /quick or /sit gives you one.")
        if not self.table.started:
            raise Refused("not-started")
        with self.bugs_stop_this_table():
            move = command.run(self.table.view(seat), *command.read(reading.with_seat(text, self.names)))
        await self.make(seat, move, person.name)

    def refusal(self, no: Refused, reader: Reader) -> str:
        """Return the sentence for a refusal: the game's, else the table's."""
        if no.code in REFUSALS and no.code not in self.table.game.refusals:
            return REFUSALS[no.code]
        try:
            return self.table.game.refusal(no.code, no.facts, reader)
        except Exception:
            log.exception("a refusal has no words", code=no.code, game=self.table.game.name)
            return "that cannot be done now; /moves lists what can."
