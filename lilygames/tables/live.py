"""A table that is being played: it applies an act, keeps it, and only then tells each what they may know.

Everything that changes the table runs in the one task of its room.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import structlog

from lilygames import codec
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.chat.sorry import Sorry
from lilygames.commands import Misread
from lilygames.game import Reader
from lilygames.store import Conflict, Draft, Entry, Store, Unavailable
from lilygames.tables import seal, story
from lilygames.tables.log import Act, Closed, Moved
from lilygames.tables.table import Table, body_of
from lilygames.text import Line, Voice, listing
from rules.kit import Event, Refused, Seat

log = structlog.get_logger()
P = ParamSpec("P")
R = TypeVar("R")
RETRY = 1.0
"""Seconds until what the table could not keep by itself is tried again."""
_OFFERED = 64
"""How many of a long list of moves are compared to see whether it is the one last shown."""


def _guarded(door: Callable[Concatenate[LiveTable, P], R]) -> Callable[Concatenate[LiveTable, P], R]:
    """Let a bug behind this door stop the table, as `LiveTable.bugs_stop_this_table` says."""

    @wraps(door)
    def run(table: LiveTable, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with table.bugs_stop_this_table():
            return door(table, *args, **kwargs)

    return run


class LiveTable:
    """A table in a room, and who is told what of it."""

    def __init__(self, table: Table, room: Room, host: Host, store: Store, pause: Callable[[], float]) -> None:
        self.table = table
        self.room = room
        self.case = ""
        """The case number of the bug that stopped this table; empty while all is well."""
        self.declined: set[str] = set()
        """Folded names of those who have said no to an invitation."""
        self.on_end: Callable[[Any], None] = lambda _: None
        self.host = host
        self._store = store
        self._pause = pause
        self._asked: dict[Seat, tuple[Any, ...]] = {}
        self._shown: dict[Seat, tuple[Any, ...]] = {}
        self._lost: dict[tuple[str, str], str] = {}
        """The attempt at each act whose append was not confirmed: who tries it again makes no second one."""
        self.thinking = False
        """Whether a house player is about to move."""

    # who is who

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
        mine = self.seat_of(person.name)
        return listing(name for seat, name in enumerate(self.names) if seat != mine) or "nobody else yet"

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.closed

    @property
    def open_to_all(self) -> bool:
        """Whether anybody may still sit down and play: it has not begun, invites nobody, and all who sit are here."""
        people = [self.host.people.get(fold(who.name)) for who in self.table.seats if not who.house]
        waits = not self.table.started and not self.unanswered
        return waits and all(person is not None and person.here for person in people)

    @property
    def unanswered(self) -> list[str]:
        """The names of those who have been invited and have not answered."""
        guests = self.table.header.invited if not self.table.started else ()
        return [name for name in guests if self.seat_of(name) is None and fold(name) not in self.declined]

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of the person of that name."""
        seats = enumerate(self.table.seats)
        return next((seat for seat, who in seats if not who.house and fold(who.name) == fold(name)), None)

    def reader(self, seat: Seat | None, voice: Voice) -> Reader:
        """Return who reads: a seat with its voice."""
        return Reader(seat, self.names, voice)

    def reader_of(self, person: Person) -> Reader:
        """Return the person as a reader of this table's lines."""
        return self.reader(self.seat_of(person.name), person.voice)

    def line(self, text: str, kind: str = "game") -> Line:
        """Return a line of this table."""
        return Line(f"{self.tag} {text}", "turn" if kind == "turn" else "game")

    def show(self, text: str) -> None:
        """Show a line of this table to everybody in the room."""
        self.room.show(self.line(text))

    # apply, append, tell

    async def act(self, by: str, act: Act, saying: str = "") -> None:
        """Apply an act, append it, then tell what followed, led by `saying`.

        Raises `Refused` or `Sorry`, and then nothing has happened.
        """
        wish = (by, codec.to_text(act))
        attempt = self._lost.pop(wish, "") or uuid.uuid4().hex
        while True:
            after, events = self._applied(act)
            draft = Draft(by, body_of(act, after))
            try:
                await self._store.append(self.log, self.table.seq, [draft], cmd=attempt)
            except Conflict:
                await self._catch_up()
            except Unavailable as problem:
                self._lost[wish] = attempt
                log.warning("cannot append", log=self.log, why=str(problem))
                raise Sorry("the table is catching its breath and took nothing down; try again in a moment.") from None
            else:
                if saying:
                    self.show(saying)
                self._stands(after, events)
                return

    @_guarded
    def _applied(self, act: Act) -> tuple[Table, tuple[Event, ...]]:
        return self.table.after(act)

    @contextmanager
    def bugs_stop_this_table(self) -> Iterator[None]:
        """Let refusals pass; anything else that the game's own code raises stops this table, and no other.

        Raises `Sorry` then, and at once where the table has been stopped.
        """
        if self.case:
            raise Sorry(self._stopped)
        try:
            yield
        except (Refused, Misread, Sorry):
            raise
        except Exception as bug:  # noqa: BLE001 - a plug-in may raise whatever it likes
            self._stop(bug)
            raise Sorry(self._stopped) from None

    def _stands(self, after: Table, events: tuple[Event, ...]) -> None:
        self.table = after
        with suppress(Sorry), self.bugs_stop_this_table():
            self._tell(events)
            self._ask()

    @property
    def _stopped(self) -> str:
        return f"this table is stopped (case {self.case}); its log is kept, and the sysop knows."

    def _stop(self, bug: Exception) -> None:
        """Stop this table for a bug, and tell everybody in its room."""
        self.case = secrets.token_hex(3)
        log.error("a table is stopped", exc_info=bug, case=self.case, log=self.log, game=self.table.game.name)
        self.show(f"Something is broken here (case {self.case}); the table waits as it is, its log is kept.")

    async def _catch_up(self) -> None:
        """Read what others have appended, tell it, and go on from there; raises `Sorry` where seats changed hands."""
        seats = self.table.seats
        while (page := await self._store.read(self.log, self.table.seq)).entries:
            for entry in page.entries:
                self._lost = {wish: attempt for wish, attempt in self._lost.items() if attempt != entry.cmd}
                self._stands(*self._read(entry))
        self.room.post(self.go_on)
        if seats != self.table.seats:  # the number of a seat may mean somebody else by now
            raise Sorry("the seats have just changed; /table shows who sits, then try again.")

    @_guarded
    def _read(self, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
        return self.table.read(entry)

    def _tell(self, events: tuple[Event, ...]) -> None:
        """Tell everybody in the room what they may know, worded once for all who read it the same way."""
        present = [(self.seat_of(person.name), person) for person in self.room.people.values() if person.here]
        told: dict[tuple[Seat | None, Voice], tuple[Line, ...]] = {}
        for seat, person in present:
            key = (seat, person.voice)
            if key not in told:
                told[key] = self.told(events, self.reader(*key))
            person.show(*told[key])

    def told(self, events: Sequence[Event], reader: Reader) -> tuple[Line, ...]:
        """Return the lines that a reader sees of some events."""
        seen = (event.seen_by(reader.seat) for event in events)
        texts = (self.table.game.tell(event, reader) for event in seen if event is not None)
        return tuple(self.line(text) for text in texts if text)

    # whose turn it is

    def offered(self, seat: Seat) -> tuple[Any, ...]:
        """Return the legal moves of a seat, the first of a very long list."""
        return tuple(itertools.islice(self.table.moves(seat), _OFFERED))

    def _ask(self) -> None:
        """Ask each seat whose moves are new for its move."""
        for seat, who in enumerate(self.table.seats):
            moves = self.offered(seat)
            if moves == self._asked.get(seat):
                continue
            self._asked[seat] = moves
            person = None if who.house else self.host.people.get(fold(who.name))
            if moves and person:
                person.show(*self.turn(person))

    def waits_for(self, person: Person) -> bool:
        """Whether the person has a move to make here."""
        seat = self.seat_of(person.name)
        return seat is not None and not self.case and len(self.table.moves(seat)) > 0

    @_guarded
    def turn(self, person: Person) -> tuple[Line, ...]:
        """Return the line that asks the person to move, and hold it for the list last shown; none out of turn."""
        seat = self.seat_of(person.name)
        moves = self.offered(seat) if seat is not None else ()
        if seat is None or not moves:
            return ()
        self._shown[seat] = moves
        reader = self.reader(seat, person.voice)
        asked = self.table.game.ask(self.table.view(seat), self.table.moves(seat), reader)
        return (self.line(f"Your turn: {asked}.", "turn"),)

    @_guarded
    def waiting(self, reader: Reader) -> str:
        """Return whom the table waits for, in words."""
        if not self.table.started:
            if self.unanswered:
                return f"waiting for {listing(self.unanswered)} to answer the invitation; /start begins without"
            return "the game has not begun: /start begins it, /house adds a house player"
        turn = [seat for seat in range(len(self.table.seats)) if len(self.table.moves(seat))]
        if not turn:
            return "the game is over: /new or /quick begins another"
        owners = ("your" if seat == reader.seat else f"{self.names[seat]}'s" for seat in turn)
        return f"it is {listing(owners)} turn"

    @property
    def summary(self) -> str:
        """The table in a list: its game, who sits, how it stands."""
        how = "playing" if self.table.started else "waiting for players"
        return f"{self.table.game.title}, {listing(self.names) or 'nobody yet'}; {how}"

    @_guarded
    def shown(self, person: Person) -> Sequence[Line]:
        """Return the table as the person may see it: who sits, what lies on it, whose turn it is, and its seal."""
        reader, game = self.reader_of(person), self.table.game
        play = game.show(self.table.view(reader.seat), reader) if self.table.started else ()
        head = f"Table #{self.table.header.number}, {self.summary}."
        rows = (head, *play, f"{self.waiting(reader).capitalize()}.", f"Seal {self.table.header.seal}")
        return [self.line(row) for row in rows]

    @_guarded
    def catch_up_on(self, person: Person) -> Sequence[Line]:
        """Return what somebody who comes back to a seat has to know: who plays, what lies there, the hand, the turn."""
        reader, game = self.reader_of(person), self.table.game
        play = game.show(self.table.view(reader.seat), reader) if self.table.started else ()
        rows = (f"You sit here with {self.company(person)}.", *play)
        return [*map(self.line, rows), *self.remind(person)]

    @_guarded
    def remind(self, person: Person) -> Sequence[Line]:
        """Return what the person needs to go on: the hand, and whose turn it is."""
        reader = self.reader_of(person)
        if not self.table.going or reader.seat is None:
            return [self.line(f"You are at {self.room.name}; {self.waiting(reader)}.")]
        hand = [self.line(row) for row in self.table.game.hand(self.table.view(reader.seat), reader)]
        return [*hand, *(self.turn(person) or [self.line(f"{self.waiting(reader).capitalize()}.")])]

    # a move, and what follows by itself

    async def make(self, seat: Seat, move: Any, by: str) -> None:
        """Make a move for a seat, and let the table go on; raises `Refused` or `Sorry`."""
        self._asked.pop(seat, None)
        await self.act(by, Moved(seat, codec.dump(move)))
        await self.go_on()

    async def go_on(self) -> None:
        """Close the table where the game has ended, else let house players move; nobody is refused anything here.

        What cannot be kept now is tried again by and by.
        """
        try:
            with self.bugs_stop_this_table():
                if self.table.outcome and not self.table.closed:
                    await self._close()
                self._wake()
        except Sorry:
            self._later(self.go_on, RETRY)

    async def _close(self) -> None:
        sealed = self.table.header.sealed
        await self.act("table", Closed("" if sealed else self.table.secret.hex()))
        opened = f"The seal is open: /verify {self.table.header.number} replays the game and checks it all."
        self.show("The seal stays closed, since the rules keep something hidden." if sealed else opened)
        self._say_who_won()
        self.on_end(self)

    def _say_who_won(self) -> None:
        for person in self.room.people.values():
            person.show(*map(self.line, story.ending(self.table, self.reader_of(person))))

    def _wake(self) -> None:
        """Let the next house player with a move think for a natural moment."""
        if any(who.house and len(self.table.moves(seat)) for seat, who in enumerate(self.table.seats)):
            self._later(self._house_moves, self._pause())

    def _later(self, job: Callable[[], Awaitable[None]], delay: float) -> None:
        """Do one thing at a time by oneself, some seconds from now."""
        if not self.thinking and not self.case:
            self.thinking = True
            asyncio.get_running_loop().call_later(delay, self._begin, job)

    def _begin(self, job: Callable[[], Awaitable[None]]) -> None:
        self.room.post(job)
        self.thinking = False

    async def _house_moves(self) -> None:
        try:
            with self.bugs_stop_this_table():
                await self._house_move()
        except Sorry:
            self._later(self._house_moves, RETRY)
        except Refused as bug:
            self._stop(bug)

    async def _house_move(self) -> None:
        turns = ((seat, who, self.table.moves(seat)) for seat, who in enumerate(self.table.seats) if who.house)
        seat, who, moves = next((turn for turn in turns if len(turn[2])), (None, None, ()))
        if seat is None or who is None:
            return
        try:
            await self.make(seat, self._decided(seat, who.level, moves), str(who))
        except Refused:
            log.exception("a house player was refused", log=self.log, seat=seat)
            await self.make(seat, self.table.game.rules.default(self.table.state, seat), str(who))

    def _decided(self, seat: Seat, level: str, moves: Sequence[Any]) -> Any:
        """Return a house player's move, which follows from what its seat may know and from its own luck."""
        luck = seal.house_luck(self.table.key, seat, self.table.seq + 1)
        try:
            move = self.table.game.players[level](self.table.view(seat), moves, luck)
            return moves[moves.index(move)]
        except Exception:
            log.exception("a house player does not know what to do", log=self.log, seat=seat, level=level)
            return self.table.game.rules.default(self.table.state, seat)
