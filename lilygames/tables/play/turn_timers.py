"""Turn timers of a table. Pure: callers pass in the current time.

They have the time's side of each turn: see `turn`, whose table says what can happen to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import attrs

from lilygames.tables.log.clocks import Clock
from lilygames.tables.play.turn import Do, Open, Signal, State, after
from lilygames_rules.changed import changed, maker
from lilygames_rules.kit import Seat

_SOFT_WARNINGS = (20.0,)
"""Seconds before time runs out at which players are warned without a clock, while others wait at a quick table."""


@attrs.frozen
class TurnTime:
    """One seat's turn on the clock: its state, the time spent, and the warnings given."""

    state: State
    question: int
    """The log entry that asked its question."""
    generation: int
    """The log entry after which its time began: a later one than that of the question, if the server was down."""
    since: float
    spent: float = 0.0
    away: float = 0.0
    warned: int = 0

    @property
    def here(self) -> bool:
        """Whether its player is connected."""
        return self.state in (State.RUNNING, State.LATE)

    @property
    def late(self) -> bool:
        """Whether its time was up at the last check."""
        return self.state in (State.LATE, State.LATE_AWAY)


@attrs.frozen
class Due:
    """A clock event: what to do about a seat, and the seconds that it has left."""

    seat: Seat
    do: Do
    left: float = 0.0


@attrs.frozen
class Reading:
    """A snapshot of a table's clocks at one moment."""

    banks: Mapping[Seat, float]
    graces: Mapping[Seat, float]
    turns: Mapping[Seat, TurnTime]


_turn, _reading = maker(TurnTime), maker(Reading)
_NOTHING: Mapping[Seat, Any] = MappingProxyType({})
"""Shared by readings: each table keeps fifty of them, and most have no clock."""


class Clocks:
    """Turn timers of a table.

    A disconnected seat uses up its grace period first. Without a clock, only `patience` and `absence` apply.
    """

    def __init__(self, clock: Clock, *, grace: float = 60, patience: float = 600, absence: float = 60) -> None:
        self.clock = clock
        self.grace = grace
        """Seconds a seat may be disconnected for free, once per game."""
        self.patience = patience
        """Without a clock: seconds before the others may act against a connected seat."""
        self.absence = absence
        """Without a clock: seconds before the others may act against a disconnected seat."""
        self.turns: dict[Seat, TurnTime] = {}
        """The seats whose time runs or is up; all others are `IDLE`."""
        self._soft: dict[Seat, float] = {}
        """Without a clock: seconds for a turn of the seats that others wait for at a quick table."""
        self._banks: dict[Seat, float] = {}
        self._graces: dict[Seat, float] = {}

    def change(self, clock: Clock) -> None:
        """Switch to another clock."""
        self.clock = clock

    def ask(self, seat: Seat, question: int, now: float, *, here: bool, generation: int | None = None) -> None:
        """Start a seat's turn, replacing any earlier one.

        Entry `question` asked it. Its time begins with entry `generation`, if that is a later one.
        """
        self.answer(seat, now)
        state, _ = after(State.IDLE, Signal.BEGINS if here else Signal.BEGINS_AWAY)
        self.turns[seat] = _turn(state, question, question if generation is None else generation, now)

    def _happens(self, seat: Seat, signal: Signal, **changes: Any) -> Do:
        """Change a seat's turn because of a signal, and return what there is to do."""
        turn = self.turns[seat]
        state, do = after(turn.state, signal)
        if state is State.IDLE:
            del self.turns[seat]
        else:
            self.turns[seat] = changed(turn, state=state, **changes)
        return do

    def answer(self, seat: Seat, now: float) -> None:
        """End a seat's turn: charge its bank and add the gain per move."""
        if seat in self.turns:
            turn = self._charged(seat, now) if self.clock.runs else self.turns[seat]
            self._happens(seat, Signal.ENDS)
            if self.clock.bank:
                self._banks[seat] = max(0.0, self._bank(seat) - turn.spent) + self.clock.gain

    def presence(self, seat: Seat, now: float, *, here: bool) -> None:
        """Record a seat's disconnect or reconnect."""
        if seat in self.turns:
            self._charged(seat, now)
            self._happens(seat, Signal.CAME if here else Signal.WENT, away=0.0)

    def restart_turns(self, now: float) -> None:
        """Restart every turn, because nobody could move."""
        for seat in self.turns:
            self._restart(seat, Signal.RESTART, now)

    def _restart(self, seat: Seat, signal: Signal, now: float) -> None:
        self._happens(seat, signal, since=now, spent=0.0, away=0.0, warned=0)

    def soften(self, seat: Seat, limit: float | None, now: float) -> None:
        """Set how many seconds a seat has for its turn although there is no clock; None if nobody waits for it.

        They count from the moment at which someone began to wait, also if they become more or fewer since.
        """
        before = self._soft.get(seat)
        if (before is None) != (limit is None):
            self._restart(seat, Signal.ALONE if limit is None else Signal.WAITED_FOR, now)
        elif before and limit and limit > before:
            self._happens(seat, Signal.LONGER, warned=0)
        if limit is None:
            self._soft.pop(seat, None)
        else:
            self._soft[seat] = limit

    def reading(self, now: float) -> Reading:
        """Return a snapshot of the clocks."""
        for seat in self.turns:
            self._charged(seat, now)
        return _reading(dict(self._banks) or _NOTHING, dict(self._graces) or _NOTHING, dict(self.turns) or _NOTHING)

    def restore(self, reading: Reading, now: float, asked: Open, here: Mapping[Seat, bool]) -> None:
        """Restore the clocks from a snapshot, for the questions that are open now.

        `here` says whether each seat with a question is connected.
        """
        self._banks, self._graces = dict(reading.banks), dict(reading.graces)
        self.turns = {seat: turn for seat, turn in reading.turns.items() if seat in asked}
        for seat in self.turns:
            self._happens(seat, Signal.CAME if here[seat] else Signal.WENT, since=now, question=asked[seat].seq)

    def longer(self, seat: Seat, extra: float) -> None:
        """Give a seat more time."""
        if seat in self.turns:
            self._happens(seat, Signal.LONGER, spent=self.turns[seat].spent - extra, away=0.0, warned=0)

    def _bank(self, seat: Seat) -> float:
        return self._banks.get(seat, float(self.clock.bank))

    def _charged(self, seat: Seat, now: float) -> TurnTime:
        """Return a seat's turn, charged with the time since.

        Time disconnected is charged only beyond the grace period.
        """
        turn = self.turns[seat]
        if now == turn.since:
            return turn
        passed, away = max(0.0, now - turn.since), turn.away
        if not turn.here:
            away += passed
            free = min(passed, self._graces.get(seat, self.grace)) if self.clock.runs else 0.0
            self._graces[seat] = self._graces.get(seat, self.grace) - free
            passed -= free
        self.turns[seat] = turn = changed(turn, since=now, spent=turn.spent + passed, away=away)
        return turn

    def left(self, seat: Seat, now: float) -> float | None:
        """Return the seconds a seat has left; None without a turn, and without a clock unless others wait for it."""
        if seat not in self.turns or not (self.clock.runs or seat in self._soft):
            return None
        return self._left(seat, now)

    def _left(self, seat: Seat, now: float) -> float:
        turn = self._charged(seat, now)
        if not self.clock.runs:
            left = self._soft.get(seat, self.patience) - turn.spent
            return left if turn.here else min(left, self.absence - turn.away)
        return (self.clock.move or self._bank(seat)) - turn.spent

    def late(self, seat: Seat, now: float) -> bool:
        """Return whether a seat's time is up."""
        return seat in self.turns and (self.turns[seat].late or self._left(seat, now) <= 0)

    def due(self, now: float) -> Iterator[Due]:
        """Yield the clock events since the last call."""
        for seat in [*self.turns]:
            left, turn = self._left(seat, now), self.turns[seat]
            warned = sum(left <= mark for mark in self._marks(seat)) if left > 0 else 0
            if left <= 0 and not turn.late:
                yield Due(seat, self._happens(seat, Signal.TIME_UP))
            elif turn.warned < warned:
                yield Due(seat, self._happens(seat, Signal.WARNING, warned=warned), left)

    def _marks(self, seat: Seat) -> list[float]:
        """Return the warnings for a turn, without any that would come right at its start."""
        if not self.clock.runs:
            return [mark for mark in _SOFT_WARNINGS if seat in self._soft]
        whole = self.clock.move or self._bank(seat)
        return [mark for mark in self.clock.warnings if mark < whole * 0.75]

    def wait(self, now: float) -> float | None:
        """Return the seconds until the next clock event, or None."""
        waits: list[float] = []
        for seat in [*self.turns]:
            if not self.turns[seat].late:
                waits += self._waits(seat, now)
        return max(0.01, min(waits)) if waits else None

    def _waits(self, seat: Seat, now: float) -> list[float]:
        """Return the seconds until each clock event of a seat."""
        left, turn = self._left(seat, now), self.turns[seat]
        grace = 0.0 if turn.here or not self.clock.runs else self._graces.get(seat, self.grace)
        marks = self._marks(seat)[turn.warned :]
        return [left - mark + grace for mark in (*marks, 0.0) if left > mark]
