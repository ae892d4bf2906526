"""The clock of a table: whose time is running, who is late, and what happens then."""

from __future__ import annotations

import asyncio
import time

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.tables.bots.house_seats import HouseSeats
from lilygames.tables.log.acts import EVERY_ACT, Expired, Moved, Noted, Undone, UndoneUncounted
from lilygames.tables.log.clocks import spoken
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.questions import Questions
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.play.services import Clocked
from lilygames.tables.play.turn import Do
from lilygames.tables.play.turn_timers import Clocks, Reading
from lilygames.tables.room.typed_moves import TypedMoves
from lilygames.tables.sight.narrate import says
from lilygames.tables.state.life import Life
from lilygames.text import listing
from lilygames_rules.kit import Refused, Seat

SOFT = 60.0
"""Seconds without a move after which a bot plays at a quick table while others wait; twice as many for some."""


class TurnClock:
    """The table's clock, which runs while people have a move to make."""

    acts = EVERY_ACT

    def __init__(
        self,
        runner: Runner,
        publisher: Publisher,
        questions: Questions,
        house: HouseSeats,
        typed: TypedMoves,
        *,
        clocked: Clocked,
    ) -> None:
        self.now = clocked.watch
        self._vacation_ends = clocked.vacation_ends
        self.clocks = Clocks(runner.table.clock)
        self._runner = runner
        self._publisher = publisher
        self._questions = questions
        self._house = house
        self._typed = typed
        self._timer: asyncio.TimerHandle | None = None
        self._still = False
        """Whether no clock ran when the timer was set."""
        self._extended: dict[Seat, int] = {}
        """The turns for which players have had more time for the asking: the entry that asked each seat."""
        self._shows_time = False
        """Whether pages have been told of time that runs, and not yet that it doesn't any more."""
        self._readings: dict[int, Reading] = {}
        """The clocks after each entry that the table can go back to."""

    # following the table

    def observe(self, advanced: Advanced) -> None:
        """Update the clocks after a step of the table."""
        now = self.now()
        match advanced.act:
            case Moved():
                pass  # nearly all steps
            case Noted():
                self._granted(advanced)
            case Undone(to) | UndoneUncounted(to):
                here = {seat: self._publisher.is_here(advanced.after.seats[seat].name) for seat in self._questions.open}
                self._turn_back(advanced, to, now, here)
        self._run(now)
        self._keep_reading(advanced, now)
        self._tell_pages(now)

    def remember(self, advanced: Advanced, at: float) -> None:
        """Replay a step of the log, made at time `at`, for the clocks."""
        self._granted(advanced)
        if isinstance(advanced.act, Undone | UndoneUncounted):
            self._turn_back(advanced, advanced.act.to, at, dict.fromkeys(self._questions.open, True))
        for seat in self._next_turns(at):
            self.clocks.ask(seat, advanced.after.seq, at, here=True)
        self._keep_reading(advanced, at)

    def begin_turns_anew(self) -> None:
        """Restart the current turns after a replay, so that downtime of the host costs nobody time."""
        self.clocks.turns.clear()

    def _granted(self, advanced: Advanced) -> None:
        """Add the time that other players have granted, if this step grants any."""
        if isinstance(advanced.act, Noted) and advanced.act.what == "granted":
            seat = advanced.after.seat_of(advanced.act.name)
            if seat is not None:
                self.clocks.longer(seat, float(advanced.act.more))

    def _turn_back(self, advanced: Advanced, to: int, now: float, here: dict[Seat, bool]) -> None:
        """Set the clocks back to their state after entry `to`; the seats that were to move then are to move again."""
        first = advanced.before.taken_back(to)[0]
        self.clocks.restore(self._readings[first.to], now, self._questions.open, here)

    def _keep_reading(self, advanced: Advanced, now: float) -> None:
        """Store the state of the clocks after the last entry, and drop those that can't be restored any more."""
        table = advanced.after
        oldest = table.past[0].to if table.past else table.seq
        while self._readings and (first := next(iter(self._readings))) < oldest:
            del self._readings[first]
        self._readings[table.seq] = self.clocks.reading(now)

    def run(self) -> None:
        """Start the clocks of the people who have a move to make, unless the last step has done so."""
        if self._not_begun() or self._still != self._stands_still():
            self._run(self.now())

    def _run(self, now: float) -> None:
        table = self._runner.table
        self.clocks.change(table.clock)
        for seat in self._next_turns(now):
            question, here = self._questions.open[seat].seq, self._publisher.is_here(table.seats[seat].name)
            self.clocks.ask(seat, question, now, here=here, generation=table.seq)
            self._typed.turn_comes(seat)
        self._arm(now)

    def _stands_still(self) -> bool:
        """Return whether no clock runs: nobody is here, or the table rests, or the game is over."""
        return self._house.suspend_if_unattended() or self._runner.rests or self._runner.life is Life.OVER

    def _next_turns(self, now: float) -> list[Seat]:
        """End the turns of seats that no longer have a move, and return those with a new turn."""
        for seat in self.clocks.turns.keys() - self._questions.open.keys():
            self.clocks.answer(seat, now)
        return self._not_begun()

    def _not_begun(self) -> list[Seat]:
        """Return the seats with a question whose time doesn't run yet."""
        turns, asked = self.clocks.turns, self._questions.open
        return [seat for seat in asked if seat not in turns or turns[seat].question != asked[seat].seq]

    def came_or_went(self, person: Person) -> None:
        """Note that a player has reconnected or disconnected."""
        seat = self._runner.table.seat_of(person.name)
        if seat is not None:
            now = self.now()
            self.clocks.presence(seat, now, here=person.here)
            self._arm(now)
            self._tell_pages(now)

    def _tell_pages(self, now: float) -> None:
        """Tell pages how much time the players to move have left, and once that they are all free to think."""
        table = self._runner.table
        if not (table.started and (table.clock.runs or table.header.soft)):
            return
        lefts = ((seat, self.clocks.left(seat, now)) for seat in self.clocks.turns)
        found = {seat: left for seat, left in lefts if left is not None}
        if found or table.clock.runs or self._shows_time:
            self._publisher.tell_clock(table, found, [seat for seat in found if self._may_take_more(seat)])
        self._shows_time = bool(found)

    def _arm(self, now: float) -> None:
        """Schedule the next check of the clocks. An earlier check stays, because it schedules this one."""
        self._soften(now)
        self._still = self._stands_still()
        wait = None if self._still else self.clocks.wait(now)
        loop = asyncio.get_running_loop()
        if self._timer and wait is not None and self._timer.when() <= loop.time() + wait:
            return
        due = None if wait is None else loop.time() + wait + self._runner.services.lag(self._runner.log)
        if self._timer and (due is None or due < self._timer.when()):
            self._timer.cancel()
            self._timer = None
        if self._timer is None and due is not None:
            self._timer = loop.call_at(due, self._runner.room.post, self.tick)

    def _soften(self, now: float) -> None:
        """Limit the turns that others wait for, and no others, at a quick table without a clock."""
        if self._runner.table.header.soft:
            for seat in [*self.clocks.turns]:
                self.clocks.soften(seat, self._soft_limit(seat), now)

    def _soft_limit(self, seat: Seat) -> float | None:
        """Return how many seconds a seat has for a turn without a clock; None if nobody waits for it."""
        table = self._runner.table
        waits = (other for other, who in enumerate(table.seats) if who.person and other != seat)
        if table.clock.runs or not any(self._publisher.is_here(table.seats[other].name) for other in waits):
            return None
        return SOFT * (2 if self._publisher.needs_longer(table.seats[seat]) else 1)

    async def tick(self) -> None:
        """Send the warnings and make the moves that are due."""
        self._timer = None
        self._soften(self.now())  # someone may need longer since their turn began
        for due in [*self.clocks.due(self.now())] if not self._runner.rests else ():
            left = spoken(due.left)
            if due.do is Do.WARN and not self._runner.table.clock.runs:
                theirs = f"is silent: a bot plays this turn in {left}."
                yours = f"keep others waiting: a bot plays your turn in {left}. Make a move, or type /moretime."
                self._publisher.say_near(self._runner.table, says(due.seat, theirs, yours))
            elif due.do is Do.WARN:
                notice = says(due.seat, f"has {left} left.", f"have {left} left.")
                self._publisher.say_near(self._runner.table, notice)
            else:
                await self._time_is_up(due.seat)
        self._arm(self.now())

    async def _time_is_up(self, seat: Seat) -> None:
        table = self._runner.table
        vacation = self._vacation_ends(table.seats[seat].name) - time.time()
        if vacation > 0 and table.clock.slow:
            self.clocks.longer(seat, vacation)
            return
        soft = self._soft_limit(seat) is not None and table.header.soft
        late = table.header.late if table.clock.runs else "substitute" if soft else "ask"
        try:
            if late == "skip":
                await self.skip(seat, "table")
            elif late == "substitute":
                await self._house.substitute(seat, "table")
            elif not table.header.soft and any(who.person for other, who in enumerate(table.seats) if other != seat):
                how = "out of time" if self._publisher.is_here(table.seats[seat].name) else "away"
                may = "The others can type /wait, /skip, /substitute or /adjourn."
                self._publisher.say_near(table, says(seat, f"is {how}. {may}", f"are {how}. {may}"))
        except (UserError, Refused):
            # the store is full or the turn is over: nobody is late because of that
            self.clocks.restart_turns(self.now())

    def hint(self, person: Person) -> str:
        """Return what happens if the player who is to move stays silent, in words for someone who waits; or nothing."""
        table = self._runner.table
        seats = [seat for seat in self.clocks.turns if table.seats[seat].person and seat != table.own_seat(person.name)]
        if table.clock.runs or table.own_seat(person.name) is None or not seats or self._runner.rests:
            return ""
        if table.header.soft:
            longest = max(self._soft_limit(seat) or SOFT for seat in seats)
            return f"A bot plays the turn of someone who is silent for {spoken(longest)}."
        if any(self.is_late(seat) for seat in seats):
            return "Type /skip to go on without waiting, or /substitute to let a bot play."
        return f"You can type /skip when someone has been silent for {spoken(self.clocks.patience)}."

    # late players

    def late_seat(self, person: Person, name: str = "") -> Seat:
        """Return the late seat, or the named one if there are several; raises `UserError` if nobody is late."""
        list(self.clocks.due(self.now()))
        table = self._runner.table
        late = [seat for seat, turn in self.clocks.turns.items() if turn.late]
        if name:
            late = [seat for seat in late if fold(table.seats[seat].name).startswith(fold(name))]
        if table.seat_of(person.name) is None:
            raise UserError(f"only players at {self._runner.room.name} can do that.")
        if not late:
            left = self.time_left(person) or "type /status to see what the table is waiting for"
            raise UserError(f"nobody is late; {left}.")
        if len(late) > 1:
            raise UserError(f"{listing(table.names[seat] for seat in late)} are late. Add one of these names.")
        return late[0]

    def is_late(self, seat: Seat) -> bool:
        """Whether a seat's time was up at the last check."""
        turn = self.clocks.turns.get(seat)
        return turn is not None and turn.late

    def stalled(self, but: str = "") -> bool:
        """Return whether the game has to wait: it is stopped or adjourned, or waits for a late or absent player.

        `but` is the name of a player to ignore: the one who asks.
        """
        table = self._runner.table
        if self._runner.case or table.paused:
            return True
        others = (seat for seat in self._questions.open if fold(table.seats[seat].name) != fold(but))
        now = self.now()
        return any(
            self.clocks.late(seat, now) or not self._publisher.is_here(table.seats[seat].name) for seat in others
        )

    @property
    def whole_turn(self) -> float:
        """The full time of a turn in seconds."""
        clock = self._runner.table.clock
        return clock.move or clock.bank or self.clocks.patience

    def time_left(self, person: Person) -> str:
        """Return how much time each player to move has left, in words for a person; empty without a clock."""
        reader = self._publisher.reader_of(self._runner.table, person)
        lefts = ((seat, self.clocks.left(seat, self.now())) for seat in self.clocks.turns)
        return listing(
            f"{reader.who(seat)} {'have' if seat == reader.seat else 'has'} {spoken(left)} left"
            for seat, left in lefts
            if left is not None
        )

    @property
    def said(self) -> str:
        """The clock in words: `60 seconds per move`, or what it is for someone whom others wait for."""
        table = self._runner.table
        limits = [self._soft_limit(seat) for seat in self.clocks.turns] if table.header.soft else []
        longest = max((limit for limit in limits if limit), default=0.0)
        return f"{spoken(longest)} per move while others wait" if longest else table.clock.said

    def take_more(self, seat: Seat) -> float:
        """Return the seconds that a player gets for the asking, once a turn; raises `UserError`."""
        turn = self.clocks.turns.get(seat)
        limit = self._soft_limit(seat) if self._runner.table.header.soft else None
        if turn is None or limit is None:
            raise UserError("nobody is waiting for you, so you have all the time you want.")
        if not self._may_take_more(seat):
            raise UserError("you have had more time for this turn already. Make a move, or a bot plays it.")
        self._extended[seat] = turn.generation
        return limit

    def _may_take_more(self, seat: Seat) -> bool:
        """Whether a player whose turn it is gets more time at a quick table for the asking."""
        return not self._runner.table.clock.runs and self._extended.get(seat) != self.clocks.turns[seat].generation

    async def skip(self, seat: Seat, by: str) -> None:
        """Make the table's move for a late seat; raises `Refused` or `UserError`."""
        turn, table = self.clocks.turns[seat], self._runner.table
        move = codec.dump(table.game.rules.default(table.state, seat))
        await self._runner.act(
            by,
            Expired(seat, turn.generation, move),
            lambda reader: f"The table makes a move for {reader.who(seat)}.",
            only_here=True,
        )
        await self._runner.go_on()
