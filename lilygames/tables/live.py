"""A table that is being played: it applies an act, keeps it, and only then tells each what they may know.

Everything that changes the table runs in the one task of its room.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
import structlog

from lilygames import codec
from lilygames.chat import focus
from lilygames.chat.errors import NOTHING_SAVED, Sorry
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.game import Reader, Think, at_once
from lilygames.store import Conflict, Draft, Entry, Replaced, Store, Unavailable
from lilygames.tables import packets, replay, seal
from lilygames.tables.log import Act, Body, Closed, Moved, Note, Noted, Sitter, Undone, UndoneUncounted
from lilygames.tables.purses import Purses
from lilygames.tables.seen import SeenTable, Words, guarded, owners_of
from lilygames.tables.table import Table, body_of
from lilygames.tables.visible import published_secret
from lilygames.text import Line, Voice, count
from rules.kit import Event, Refused, Seat

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until what the table could not keep by itself is tried again."""
Effect = Callable[[Table], Awaitable[None]]
"""What the end of a game brings with it. It may be asked for more than once, and is to be done once."""


async def _nothing(_: Sitter) -> int:
    return 0


class Overtaken(Sorry):
    """The table has gone on before something could be done that was meant for the place where it stood."""


class Shortened(Exception):
    """The store has lost entries of a log that were acknowledged: it was put back to an earlier state."""

    def __init__(self, seq: int, head: int) -> None:
        super().__init__(f"entry {seq} was acknowledged, but the log ends with entry {head}")


class LiveTable(SeenTable):
    """A table in a room, and who is told what of it."""

    def __init__(self, table: Table, room: Room, host: Host, store: Store, pause: Callable[[], float]) -> None:
        super().__init__(table, room, host)
        self.purses = Purses(store, host.accounts, host.people)
        self.purse_of: Callable[[Sitter], Awaitable[int]] = _nothing
        """What somebody who sits down brings, in units of the game."""
        self._settled: set[Seat] = set()
        """The seats whose purse has been taken home."""
        self._ended = False
        self.effects: Sequence[Effect] = ()
        """What the end of a game brings with it."""
        self.on_end: Callable[[Any], None] = lambda _: None
        self._store = store
        self._pause = pause
        self._finished: set[Seat] = set()
        """The seats of people who are out of the game and have been told so."""
        self._returning: Seat | None = None
        """The seat that is just being given back: its owner is asked when they have been told the rest."""
        self._window: set[Seat] = set()
        """The seats that were asked at once and have been named as still to answer."""
        self.passing: set[str] = set()
        """Folded names of those for whom the table passes."""
        self._remembered: tuple[Sitter, ...] = ()
        """Who sat here when everybody was last let know of it."""
        self._lost: dict[tuple[str, str], str] = {}
        """The attempt at each act whose append was not confirmed: who tries it again makes no second one."""
        self.asleep = False
        """Whether nothing happens here by itself any more, since another process is about to go on."""
        self.thinking = False
        """Whether a house player is about to move."""
        self.lag: Callable[[], float] = lambda: 0.0
        """Seconds for which this node waits with what any node may do, so that one before it can."""
        self.think: Think = at_once
        """How a house player is asked for its move."""
        self._thought: asyncio.Task[None] | None = None

    # apply, append, tell

    async def act(self, by: str, act: Act, saying: Words = "", *, aloud: str = "", only_here: bool = False) -> None:
        """Apply an act, append it, then tell what followed, led by `saying`, or by `aloud` for who listens.

        `only_here` is for what is meant for the place where the table stands now, not for a later one. Raises `Refused`
        or `Sorry`, and then nothing has happened.
        """
        lost = self._lost.pop((by, codec.to_text(act)), "") if self._lost else ""
        attempt = lost or secrets.token_hex(16)
        while True:
            after, events = self._applied(act)
            try:
                kept = await self._kept(Draft(by, body_of(act, after)), attempt, only_here=only_here)
            except Replaced:  # the log says so already, once for all tables
                self._lost[by, codec.to_text(act)] = attempt
                raise Sorry(NOTHING_SAVED) from None
            except Unavailable as problem:
                self._lost[by, codec.to_text(act)] = attempt
                log.warning("cannot append", log=self.log, why=str(problem))
                raise Sorry("the table is catching its breath and took nothing down; try again in a moment.") from None
            if kept:
                if saying:
                    self.show(saying, aloud)
                self._stands(after, events, act)
                return

    async def _kept(self, draft: Draft, attempt: str, *, only_here: bool) -> bool:
        """Return whether a draft is kept now; where others came first read on, or raise `Overtaken`."""
        try:
            await self._store.append(self.log, self.table.seq, [draft], cmd=attempt)
        except Conflict as conflict:
            if conflict.head < self.table.seq:
                self._stop(Shortened(self.table.seq, conflict.head))
                raise Sorry(self._stopped) from None
            await self._catch_up()
            if only_here:
                raise Overtaken("the table has just gone on; /status says how it stands.") from None
            return False
        return True

    async def note(self, what: Note, name: str, more: str = "", saying: Words = "") -> None:
        """Take down what was said about somebody at the table; raises `Sorry` or `Refused`."""
        await self.act(name, Noted(what, name, more), saying)

    @guarded
    def _applied(self, act: Act) -> tuple[Table, tuple[Event, ...]]:
        return self.table.after(act)

    def _stands(self, after: Table, events: tuple[Event, ...], act: Act) -> None:
        before, self.table = self.table, after
        if isinstance(act, Noted):
            self.noted(act)
        with suppress(Sorry), self.bugs_stop_this_table():
            if isinstance(act, Undone | UndoneUncounted):
                self._turned_back()
            self._tell(events, before)
            self._inform(events)
            self._ask(before, act)
            self._let_go_of_finished(before)

    def _turned_back(self) -> None:
        """Say what was taken back, and ask everybody anew: what they were asked and shown since is void."""
        self._window = set()
        self.show_near(replay.taken_back(self.table))

    def noted(self, note: Noted) -> None:
        """Take to heart what was said about somebody at the table."""
        name = fold(note.name)
        match note.what:
            case "invited":
                self.guests.add(name)
                self.declined.discard(name)
                permitted = self.room.charter.permitted | {name}
                self.room.charter = attrs.evolve(self.room.charter, permitted=permitted)
            case "declined":
                self.declined.add(name)
            case "passes":
                self.passing.add(name)
            case "plays":
                self.passing.discard(name)

    async def follow(self) -> None:
        """Read and tell what other nodes have appended, unless another process is about to do that."""
        if self.asleep:
            return
        with suppress(Sorry, Unavailable):
            await self._catch_up()
        if self._remembered != self.table.seats:
            self.remember_seats()

    async def _catch_up(self) -> None:
        """Read what others have appended, tell it, and go on from there; raises `Sorry` where seats changed hands."""
        seats = self.table.seats
        while (page := await self._store.read(self.log, self.table.seq)).entries:
            for entry in page.entries:
                self._lost = {wish: attempt for wish, attempt in self._lost.items() if attempt != entry.cmd}
                self._stands(*self._read(entry), codec.from_text(entry.body, Body).act)
        lag = 0.0 if self.table.closed else self.lag()
        if lag:
            asyncio.get_running_loop().call_later(lag, self.room.post, self.go_on)
        else:
            self.room.post(self.go_on)
        if seats != self.table.seats:  # the number of a seat may mean somebody else by now
            self.remember_seats()
            raise Sorry("the seats have just changed; /table shows who sits, then try again.")

    def remember_seats(self) -> None:
        """Let everybody here know of a seat that they have taken or left without being told so."""
        self._remembered = self.table.seats
        owners = self.owners
        for name, person in self.host.people.items():
            sits, knows = name in owners, any(bot is self.me for bot in person.seats)
            if sits and not knows:
                person.seats.append(self.me)
            elif knows and not sits:
                person.seats.remove(self.me)

    @guarded
    def _read(self, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
        return self.table.read(entry)

    def _tell(self, events: tuple[Event, ...], before: Table) -> None:
        """Tell everybody who watches what they may know, worded once for all who read it the same way.

        Whoever has just left is told of that as the seat they had.
        """
        seats = {
            fold(who.name): seat for seat, who in [*enumerate(before.seats), *enumerate(self.table.seats)] if who.person
        }
        present = [(seats.get(fold(person.name)), person) for person in self.room.watching if person.near]
        told: dict[tuple[Seat | None, Voice], tuple[Line, ...]] = {}
        for seat, person in present:
            key = (seat, person.voice)
            if key not in told:
                told[key] = self.told(events, self.reader(*key))
            person.overhear(self.room, *told[key])

    def _inform(self, events: tuple[Event, ...]) -> None:
        """Send programs what happened and how it stands: of those who watch, and of players until the end."""
        sitting = (self.host.people.get(fold(who.name)) for who in self.table.people)
        for person in {*self.room.watching, *filter(None, sitting)}:
            if person.wants_packets:
                seat = self.seat_of(person.name)
                person.packet(*packets.taken_back(self.room.name, self.table, seat))
                person.packet(*packets.happened(self.room.name, events, seat))
                self.inform(person)

    # whose turn it is

    def _let_go_of_finished(self, before: Table) -> None:
        """Let people who gave up their seats, or are out of the game, hear no more of it until they come to watch."""
        self.room.not_watching |= (owners_of(before) - self.owners) & self.room.people.keys()
        for seat in self.finished() - self._finished:
            person = self.host.people.get(fold(self.table.seats[seat].name))
            if person and person.near and fold(person.name) in self.room.people:
                out = "You are out of the game."
                person.show(self.line(f"{out} Type /watch {self.room.name} to see the rest.", aloud=out))
            self.room.not_watching |= {fold(self.table.seats[seat].name)} & self.room.people.keys()
        self._finished = self.finished()

    def finished(self) -> set[Seat]:
        """Return the seats of people who have nothing more to do in a game that goes on."""
        playing = self.table.game.playing
        if playing is None or self.case:
            return set()
        with suppress(Sorry), self.bugs_stop_this_table():
            still = playing(self.table.view(None)) if self.table.going else range(len(self.table.seats))
            return {seat for seat, who in enumerate(self.table.seats) if who.person and seat not in still}
        return set()

    def _ask(self, before: Table, act: Act) -> None:
        """Ask each seat for its move whose question is new; whose question is gone may be asked by another table."""
        anew, gone = self.questions.after(self.table, act, self.host.now())
        for seat in anew:
            person = self._near(self.table.seats[seat])
            if person and seat != self._returning and self._pass_of(seat) is None:
                focus.asked(person, self.me)
        for seat in gone:
            if person := self._near(before.seats[seat]):
                self.room.post(partial(self._answered, person))  # behind all that follows here, as the end of the game
        self._name_those_to_answer()

    @staticmethod
    async def _answered(person: Person) -> None:
        focus.answered(person)

    def _near(self, who: Sitter) -> Person | None:
        """Return the person in a seat, if this node serves them."""
        person = self.host.people.get(fold(who.name)) if who.person else None
        return person if person and person.near else None

    def _name_those_to_answer(self) -> None:
        """Where several were asked at once, say in one line for whom of them the table waits."""
        asked = {seat for seat in range(len(self.table.seats)) if len(self.table.moves(seat))}
        people = {seat for seat in asked if self.table.seats[seat].person and self._pass_of(seat) is None}
        if people and people == asked and people < self._window:
            self.show_near(lambda reader: f"Still to answer: {reader.everyone(sorted(people))}.")
            self._window = people
        elif len(asked) > 1 or not asked <= self._window:
            self._window = asked if len(asked) > 1 else set()

    def _pass_of(self, seat: Seat) -> Any:
        """Return the move by which the table passes for a seat that asked for it, None where it did not or cannot."""
        if fold(self.table.seats[seat].name) not in self.passing or not self.table.seats[seat].person:
            return None
        return next((move for move in self.offered(seat) if self.table.game.spell(move) == "pass"), None)

    async def pass_for_all(self) -> None:
        """Pass for those who asked the table to, as long as there is anything to pass."""
        for seat, who in enumerate(self.table.seats):
            move = self._pass_of(seat)
            if move is not None:
                with suppress(Refused, Sorry):
                    await self.make(seat, move, who.name)
                return

    async def tell_since(self, person: Person, seq: int) -> None:
        """Tell somebody what has happened since an entry, as it would have been told them then, and what is asked."""
        try:
            lines = await self._told_since(self.reader_of(person), seq)
        except Unavailable:
            again = partial(self.tell_since, person, seq)
            asyncio.get_running_loop().call_later(RETRY, self.room.post, again)
            return
        with suppress(Sorry):
            person.show(*lines)
            if focus.table(person) in (None, self.me):
                person.show(*(self.turn(person) or self.remind(person)))
            elif self.question(person):
                focus.asked(person, self.me)
            self.inform(person)

    async def _told_since(self, reader: Reader, seq: int) -> list[Line]:
        table, lines = Table(self.table.header, self.table.game, self.table.secret), list[Line]()
        while table.seq < self.table.seq:
            for entry in (await self._store.read(self.log, table.seq)).entries:
                table, events = table.read(entry)
                if entry.seq > seq:
                    lines += [self.line(text) for text in (replay.taken_back(table),) if text]
                    lines += self.told(events, reader)
        return lines

    # a move, and what follows by itself

    async def make(self, seat: Seat, move: Any, by: str, *, only_here: bool = False) -> None:
        """Make a move for a seat, and let the table go on; raises `Refused` or `Sorry`, as `act` does."""
        await self.act(by, Moved(seat, codec.dump(move)), only_here=only_here)
        await self.go_on()

    async def go_on(self) -> None:
        """Close the table where the game has ended, else let house players move; nobody is refused anything here.

        What cannot be kept now is tried again by and by.
        """
        try:
            with self.bugs_stop_this_table():
                if self.table.outcome and not self.table.closed:
                    await self.act("table", Closed(published_secret(self.table)), only_here=True)
                await self._settle()
                if self.table.closed and not self._ended:
                    for effect in self.effects:
                        await effect(self.table)
                    self._end()
                if any(self._pass_of(seat) is not None for seat in range(len(self.table.seats))):
                    self.room.post(self.pass_for_all)
                self._wake()
        except (Sorry, Unavailable):
            self._later(self.go_on, RETRY)

    def unsettled(self, name: str) -> int:
        """Return what the person of that name has brought here and not taken home."""
        seats = enumerate(zip(self.table.seats, self.table.purses, strict=False))
        mine = (purse for seat, (who, purse) in seats if fold(who.name) == fold(name) and seat not in self._settled)
        return sum(mine)

    async def _settle(self) -> None:
        """Let those who have got up take their purses home, and tell them."""
        for taken in await self.purses.settle(self.table, self._settled):
            person = self.host.people.get(fold(taken.name))
            if person and person.near and self.table.game.purse:
                unit = self.table.game.purse.unit
                held = "a guest's purse is not kept" if taken.guest else f"you hold {count(taken.held, unit)} now"
                person.show(self.line(f"You take home {taken.change:+} {unit}s; {held}."))

    def _end(self) -> None:
        self._ended = True
        self._say_how_it_ended()
        self.on_end(self)

    def _say_how_it_ended(self) -> None:
        """Tell everybody who watches and all players; these hear the next game here when they watch it or sit down."""
        players = self.owners & self.room.people.keys()
        for person in {*self.room.watching, *(self.room.people[name] for name in players)}:
            if person.near:
                ending = replay.ending(self.table, self.reader_of(person))
                person.show(self.seal_now, *map(self.line, ending))
        self.room.not_watching |= players

    def _wake(self) -> None:
        """Let the next house player with a move think, after a natural moment."""
        house = (seat for seat, who in enumerate(self.table.seats) if not who.person)
        if self.attended and any(len(self.table.moves(seat)) for seat in house):
            self._later(self._house_thinks, self._pause() + self.lag())

    def _later(self, job: Callable[[], Awaitable[None]], delay: float) -> None:
        """Do one thing at a time by oneself, some seconds from now."""
        if not (self.thinking or self.case or self.asleep):
            self.thinking = True
            asyncio.get_running_loop().call_later(delay, self._begin, job)

    def _begin(self, job: Callable[[], Awaitable[None]]) -> None:
        if not self.asleep:
            self.room.post(job)
        self.thinking = False

    async def _house_thinks(self) -> None:
        """Ask the next house player for its move, in a task of its own: the room goes on meanwhile."""
        with suppress(Sorry), self.bugs_stop_this_table():
            turns = ((seat, self.table.moves(seat)) for seat, who in enumerate(self.table.seats) if not who.person)
            seat, moves = next((turn for turn in turns if len(turn[1])), (None, ()))
            if seat is not None and not self.thinking:
                view = self.table.view(seat)
                self.thinking = True
                self._thought = asyncio.get_running_loop().create_task(self._thinks(self.table, seat, view, moves))

    async def _thinks(self, table: Table, seat: Seat, view: Any, moves: Sequence[Any]) -> None:
        move = await self._decided(table, seat, view, moves)
        self._begin(partial(self._house_moves, table.seq, seat, move))

    async def _decided(self, table: Table, seat: Seat, view: Any, moves: Sequence[Any]) -> Any:
        """Return a house player's move, which follows from what its seat may know and from its own luck.

        None where it does not know, or somebody has got up for good.
        """
        if table.seats[seat].gone:
            return None
        level, luck = table.seats[seat].level, seal.house_luck(table.key, seat, table.seq + 1)
        try:
            move = await self.think(table.game.players[level], view, moves, luck)
            return moves[moves.index(move)]
        except Exception:
            log.exception("a house player does not know what to do", log=self.log, seat=seat, level=level)
            return None

    async def _house_moves(self, seq: int, seat: Seat, move: Any) -> None:
        """Make the move that a house player has thought of; it thinks again where the table has gone on meanwhile."""
        if seq != self.table.seq:
            self._wake()
            return
        try:
            with self.bugs_stop_this_table():
                await self._house_move(seat, move)
        except Overtaken:
            self._wake()
        except Sorry:
            self._later(self._house_thinks, RETRY)
        except Refused as bug:
            self._stop(bug)

    async def _house_move(self, seat: Seat, move: Any) -> None:
        """Make the move of a seat, or the default one where there is none or it is refused."""
        by = str(self.table.seats[seat])
        if move is not None:
            try:
                await self.make(seat, move, by, only_here=True)
            except Refused:
                log.exception("a house player was refused", log=self.log, seat=seat)
            else:
                return
        await self.make(seat, self.table.game.rules.default(self.table.state, seat), by, only_here=True)
