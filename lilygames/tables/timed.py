"""A table that always goes on: clocks, what the others may do about a seat that is late, and what all may agree on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, Literal

from lilygames import codec
from lilygames.chat.errors import Sorry
from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.store import Entry
from lilygames.tables.clocks import Clocks, Reading, Turn, spoken
from lilygames.tables.live import LiveTable
from lilygames.tables.log import HOUSE, Act, Body, Expired, Noted, Paced, Seated, Sitter, Undone, UndoneUncounted
from lilygames.tables.questions import Asked
from lilygames.tables.seen import says
from lilygames.tables.table import Table
from lilygames.text import listing
from rules.kit import Event, Refused, Seat

SUBSTITUTE = "club"
"""The level at which a house player plays for somebody else, where there is one."""
Wish = Literal["adjourn", "resume", "undo", "pace"]


class TimedTable(LiveTable):
    """A live table on which nobody waits for ever."""

    def __init__(self, *parts: Any, now: Callable[[], float] | None = None) -> None:
        super().__init__(*parts)
        self.now = now or time.monotonic
        self.clocks = Clocks(self.table.clock)
        self._running: dict[Seat, Asked | None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rests = False
        """Whether house players and clocks rest, as nobody is there."""
        self.vacation_ends: Callable[[str], float] = lambda _: 0.0
        """When the vacation of somebody of that name ends, in seconds since 1970."""
        self._agreed: dict[str, set[str]] = {}
        """Folded names of those who agree to what somebody wishes for the table."""
        self._readings: dict[int, Reading] = {}
        """What the clocks said after each entry that the table can go back to."""

    # turns and their time

    def _stands(self, after: Table, events: tuple[Event, ...], act: Act) -> None:
        if not isinstance(act, Noted):
            self._agreed.clear()
        before = self.table
        super()._stands(after, events, act)
        if isinstance(act, Undone | UndoneUncounted):
            self._turn_back(before.taken_back(act.to)[0].to)
        self.run_clocks()
        self._keep_reading(self.table, self.now())

    def _turn_back(self, to: int) -> None:
        """Set the clocks to what they said after an entry: whoever was thinking then is thinking again."""
        here = {seat: self.is_here(self.table.seats[seat].name) for seat in self.questions.open}
        self.clocks.restore(self._readings[to], self.now(), here)
        self._running = {seat: self.questions.open[seat] for seat in self.clocks.turns}

    def _keep_reading(self, table: Table, now: float) -> None:
        """Keep what the clocks say after the table's last entry, and forget what it can't go back to any more."""
        oldest = table.past[0].to if table.past else table.seq
        self._readings = {seq: reading for seq, reading in self._readings.items() if seq >= oldest}
        self._readings[table.seq] = self.clocks.reading(now)

    def noted(self, note: Noted) -> None:
        """Take to heart what was said about somebody at the table, about time and wishes too."""
        super().noted(note)
        seat = self.seat_of(note.name)
        if note.what == "agreed":
            self._agreed.setdefault(note.more, set()).add(fold(note.name))
        elif note.what == "granted" and seat is not None:
            self.clocks.longer(seat, float(note.more))

    def run_clocks(self) -> None:
        """Let the clocks run that should, from now on: those of people who have a move to make."""
        now = self.now()
        self.clocks.clock = self.table.clock
        for seat, who in enumerate(self.table.seats):
            asked = self.questions.open.get(seat)
            if asked and asked is not self._running.get(seat):
                self.clocks.ask(seat, self.table.seq, now, here=self.is_here(who.name))
                self.turn_comes(seat)
            elif not asked:
                self.clocks.answer(seat, now)
            self._running[seat] = asked
        self._arm()

    def relive(self, past: Iterable[tuple[Table, Entry]]) -> None:
        """Let the clocks run through a game as far as it got: each table it was, and the entry that led to it.

        The turns that it stopped in begin anew: that the host was away is nobody's time.
        """
        before, running = Table(self.table.header, self.table.game, self.table.secret), dict[Seat, Asked | None]()
        for table, entry in past:
            act = codec.from_text(entry.body, Body).act
            if isinstance(act, Noted):
                self.noted(act)
            self.questions.after(table, act, entry.at)
            if isinstance(act, Undone | UndoneUncounted):
                to = before.taken_back(act.to)[0].to
                self.clocks.restore(self._readings[to], entry.at, dict.fromkeys(self.questions.open, True))
                running = {seat: self.questions.open[seat] for seat in self.clocks.turns}
            for seat in range(len(table.seats)):
                asked = self.questions.open.get(seat)
                if asked and asked is not running.get(seat):
                    self.clocks.ask(seat, table.seq, entry.at, here=True)
                elif not asked:
                    self.clocks.answer(seat, entry.at)
                running[seat] = asked
            self._keep_reading(table, entry.at)
            before = table
        self.clocks.turns.clear()
        self._finished = self.finished()

    async def go_on(self) -> None:
        """Go on as every live table does, with the clocks running."""
        await super().go_on()
        self.run_clocks()

    def turn_comes(self, seat: Seat) -> None:
        """Take note that somebody's turn begins."""

    def came_or_went(self, person: Person) -> None:
        """Take note that somebody who sits here has come back, or that their line has dropped."""
        if person.here and fold(person.name) in self.owners:
            self.rouse()
        seat = self.seat_of(person.name)
        if seat is not None:
            self.clocks.presence(seat, self.now(), here=person.here)
            self._arm()

    def rouse(self) -> None:
        """Go on where house players and clocks have rested, as nobody was there."""
        if self._rests and not self.asleep:
            self.room.post(self.go_on)

    def _arm(self) -> None:
        """Look at the clocks again when the next thing is due."""
        if self._timer:
            self._timer.cancel()
        self._rests = not self.attended
        still = self.over or self.case or self.asleep or self._rests
        wait = None if still else self.clocks.wait(self.now())
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(wait + self.lag(), self.room.post, self.tick) if wait is not None else None

    async def tick(self) -> None:
        """Say and do what the clocks ask for."""
        for due in [*self.clocks.due(self.now())] if not self.asleep else ():
            if due.what == "warning":
                self.show_near(says(due.seat, f"has {spoken(due.left)} left.", f"have {spoken(due.left)} left."))
            else:
                await self._time_is_up(due.seat)
        self._arm()

    async def _time_is_up(self, seat: Seat) -> None:
        vacation = self.vacation_ends(self.table.seats[seat].name) - time.time()
        if vacation > 0 and self.table.clock.slow:
            self.clocks.longer(seat, vacation)
            return
        late = self.table.header.late if self.table.clock.runs else "ask"
        try:
            if late == "skip":
                await self.skip(seat, "table")
            elif late == "substitute":
                await self.substitute(seat, "table")
            elif any(who.person for other, who in enumerate(self.table.seats) if other != seat):
                how = "out of time" if self.is_here(self.names[seat]) else "away"
                may = "The others may /wait, /skip, /substitute or /adjourn."
                self.show_near(says(seat, f"is {how}. {may}", f"are {how}. {may}"))
        except (Sorry, Refused):
            self.clocks.forgive(self.now())  # the store is full or the turn is over: nobody is late for that

    # what the others may do about a seat that is late

    def late_seat(self, person: Person, name: str = "") -> Seat:
        """Return the seat that is late, the one named where there are several; raises `Sorry` where none is."""
        list(self.clocks.due(self.now()))
        late = [seat for seat, turn in self.clocks.turns.items() if turn.up]
        if name:
            late = [seat for seat in late if fold(self.table.seats[seat].name).startswith(fold(name))]
        if self.seat_of(person.name) is None:
            raise Sorry(f"only those who sit at {self.room.name} may do that; /watch goes on looking.")
        if not late:
            left = self.time_left(person) or "/status says for whom the table waits"
            raise Sorry(f"nobody is late; {left}.")
        if len(late) > 1:
            raise Sorry(f"{listing(self.names[seat] for seat in late)} are late; name one of them.")
        return late[0]

    def stalled(self, but: str = "") -> bool:
        """Return whether the game can't go on now: it is stopped or adjourned, or waits for a player late or away.

        `but` is the name of a player who is not to be counted as such: whoever asks.
        """
        if self.case or self.table.paused:
            return True
        try:
            with self.bugs_stop_this_table():
                waits = [seat for seat, who in enumerate(self.table.seats) if who.person and self.offered(seat)]
        except Sorry:
            return True
        others = (seat for seat in waits if fold(self.table.seats[seat].name) != fold(but))
        now = self.now()
        return any(self.clocks.late(seat, now) or not self.is_here(self.table.seats[seat].name) for seat in others)

    @property
    def whole_turn(self) -> float:
        """Seconds that a turn has from its beginning."""
        return self.table.clock.move or self.table.clock.bank or self.clocks.patience

    def time_left(self, person: Person) -> str:
        """Return how long each has left whose turn it is, in words for a person; nothing where no clock runs."""
        reader = self.reader_of(person)
        lefts = ((seat, self.clocks.left(seat, self.now())) for seat in self.clocks.turns)
        return listing(
            f"{reader.who(seat)} {'have' if seat == reader.seat else 'has'} {spoken(left)} left"
            for seat, left in lefts
            if left is not None
        )

    async def skip(self, seat: Seat, by: str) -> None:
        """Let the table move for a seat that is late; raises `Refused` or `Sorry`."""
        turn: Turn = self.clocks.turns[seat]
        move = codec.dump(self.table.game.rules.default(self.table.state, seat))
        await self.act(
            by,
            Expired(seat, turn.generation, move),
            lambda reader: f"The table moves for {reader.who(seat)}.",
            only_here=True,
        )
        await self.go_on()

    async def substitute(self, seat: Seat, by: str) -> None:
        """Let a house player sit in for somebody until they are back; raises `Refused` or `Sorry`."""
        name = self.table.seats[seat].name
        who = self.stand_in(name)
        kept = f"{who} plays for {name} until {name} is back."
        yours = f"{who} plays for you. Any move or table command of yours takes the seat back."
        await self.act(by, Seated(seat, who), saying=lambda reader: yours if reader.seat == seat else kept)
        await self.go_on()

    def stand_in(self, name: str = "") -> Sitter:
        """Return a house player who is not at this table yet; raises `Refused` or `Sorry` where there is none."""
        levels = self.table.game.players
        if not levels:
            raise Refused("no-substitute")
        free = self.free_house_names
        if not free:
            raise Sorry("every house player is busy at this table; play on.")
        return Sitter(free[0], SUBSTITUTE if SUBSTITUTE in levels else next(iter(levels)), stands_in=name)

    @property
    def free_house_names(self) -> list[str]:
        """The names that another house player could have here: no sitter's, and no account's or guest's either."""
        sitting = {fold(who.name) for who in self.table.seats if not who.gone}
        free = (name for name in HOUSE if fold(name) not in sitting and fold(name) not in self.host.people)
        return [name for name in free if not self.host.accounts.look_alike(name)]

    async def give_back(self, person: Person) -> None:
        """Give somebody who is back the seat that a bot kept, but leave its question to be asked; raises `Sorry`."""
        seat = self.stood_in_for(person.name)
        if seat is None or self.table.closed:
            return
        back, stood_in = f"{person.name} is back and plays on", self.names[seat]
        self._returning = seat
        try:
            await self.act(
                person.name,
                Seated(seat, Sitter(person.name)),
                saying=lambda reader: (
                    f"{'You are back and play on' if reader.seat == seat else back}; {stood_in} gets up."
                ),
            )
        finally:
            self._returning = None
        await self.go_on()

    # what all may agree on

    async def wish(self, person: Person, wish: Wish, act: Act, done: str) -> None:
        """Agree to a wish, which comes true once all agree who are here and not late; raises `Sorry`, `Refused`."""
        if self.seat_of(person.name) is None:
            raise Sorry(f"only those who sit at {self.room.name} may say so; /watch goes on looking.")
        self.table.after(act)
        typed = f"{wish} {act.clock}" if isinstance(act, Paced) else wish
        wanted = f"{wish} {act.to}" if isinstance(act, Undone) else typed
        agreed = self._agreed.get(wanted, set()) | {fold(person.name)}
        asked = [who.name for seat, who in enumerate(self.table.seats) if self._counts(seat)]
        missing = [name for name in asked if fold(name) not in agreed]
        if missing:
            wished = f"another clock, {act.clock.said}" if isinstance(act, Paced) else f"to {wish}"
            seats = [seat for seat in map(self.seat_of, missing) if seat is not None]
            mine = self.seat_of(person.name) or 0
            await self.note(
                "agreed",
                person.name,
                wanted,
                saying=lambda reader: (
                    f"{reader.says(mine, 'would like', 'would like')} {wished};"
                    f" {reader.everyone(seats)} may agree with /{typed}."
                ),
            )
            return
        await self.act(person.name, act, saying=done)
        await self.go_on()

    @property
    def wished_undo(self) -> Undone | None:
        """What somebody wishes to take back; None if nobody does."""
        wishes = (wish.split() for wish in self._agreed)
        return next((Undone(int(to)) for what, *rest in wishes if what == "undo" for to in rest), None)

    async def take_back_uncounted(self, person: Person, to: int) -> None:
        """Go back to after an entry, with the game counting for nothing from now on; raises `Refused` or `Sorry`."""
        await self.act(person.name, UndoneUncounted(to), only_here=True)
        await self.go_on()

    def _counts(self, seat: Seat) -> bool:
        """Whether a seat is asked for its consent: somebody sits there who is here and not late."""
        who, turn = self.table.seats[seat], self.clocks.turns.get(seat)
        return who.person and self.is_here(who.name) and not (turn and turn.up)
