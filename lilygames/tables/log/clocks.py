"""Clocks and turn timers. Pure: callers pass in the current time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import attrs

from lilygames_rules.changed import maker
from lilygames_rules.kit import Seat

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SPAN = re.compile(r"(\d{1,4})([smhd]?)")
_SLOW = 3600
WARNINGS = (30.0, 10.0)
SLOW_WARNINGS = (86400.0, 3600.0)
"""Seconds before time runs out at which players are warned: live and slow games."""
_SOFT_WARNINGS = (20.0,)
"""The same without a clock, while others wait at a quick table."""


def seconds(text: str) -> int:
    """Return the seconds in `90`, `90s`, `15m`, `2h` or `3d`; raises `ValueError` for anything else."""
    match = _SPAN.fullmatch(text.strip().casefold())
    if not match or not int(match[1]):
        raise ValueError(f"not a time span: {text}")
    return int(match[1]) * _UNITS[match[2] or "s"]


def spoken(span: float) -> str:
    """Return seconds in words, in the largest unit that fits: `45 seconds`, `3 minutes`, `2 days`."""
    whole = max(0, round(span))
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if whole >= 2 * unit or (whole >= unit and whole % unit == 0):
            number = whole // unit
            return f"{number} {name}{'' if number == 1 else 's'}"
    return "no time"


def _typed(span: int) -> str:
    unit = next(unit for unit in "dhms" if span % _UNITS[unit] == 0)
    return f"{span // _UNITS[unit]}{unit}"


@attrs.frozen(slots=False)  # see `lilygames.cached`
class Clock:
    """A table's clock: seconds per move, or a bank for the whole game with a gain per move."""

    move: int = 0
    bank: int = 0
    gain: int = 0

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Parse `none`, `60` or `3d` (per move), `10m+5` or `bank:10m` (a bank).

        Raises `ValueError` for anything else.
        """
        folded = text.strip().casefold()
        if folded in ("none", "off", "live"):
            return cls()
        if folded.startswith("bank"):
            folded = folded.removeprefix("bank").strip(" :-") + ("" if "+" in folded else "+0")
        bank, plus, gain = folded.partition("+")
        if not plus:
            return cls(move=seconds(bank))
        return cls(bank=seconds(bank), gain=0 if gain.strip() == "0" else seconds(gain))

    @property
    def said(self) -> str:
        """The clock in words: `3 days per move`, `none`."""
        if self.move:
            return f"{spoken(self.move)} per move"
        if self.bank:
            return f"{spoken(self.bank)} for the game" + (f", plus {spoken(self.gain)} per move" if self.gain else "")
        return "none"

    def __str__(self) -> str:
        """Return the clock as typed and stored: `3d`, `10m+5s`, `none`. `parse` reads it back."""
        if self.move:
            return _typed(self.move)
        return f"{_typed(self.bank)}+{_typed(self.gain) if self.gain else 0}" if self.bank else "none"

    @cached_property
    def runs(self) -> bool:
        """Whether there is a time limit."""
        return bool(self.move or self.bank)

    @cached_property
    def slow(self) -> bool:
        """Whether a move may take hours or days."""
        return max(self.move, self.bank) >= _SLOW

    @property
    def warnings(self) -> tuple[float, ...]:
        """Seconds before time runs out at which players are warned."""
        return SLOW_WARNINGS if self.slow else WARNINGS


NONE = Clock()
"""No clock. Players may take as long as the others allow."""


@attrs.frozen
class Turn:
    """One seat's turn: the entry that asked it, the time spent, and the warnings given."""

    generation: int
    since: float
    here: bool
    spent: float = 0.0
    away: float = 0.0
    warned: int = 0
    up: bool = False


@attrs.frozen
class Due:
    """A clock event: a warning with the seconds left, or the end of the time."""

    seat: Seat
    what: Literal["warning", "up"]
    left: float = 0.0


@attrs.frozen
class Reading:
    """A snapshot of a table's clocks at one moment."""

    banks: Mapping[Seat, float]
    graces: Mapping[Seat, float]
    turns: Mapping[Seat, Turn]


_turn, _reading = maker(Turn), maker(Reading)
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
        self.turns: dict[Seat, Turn] = {}
        self._soft: dict[Seat, float] = {}
        """Without a clock: seconds for a turn of the seats that others wait for at a quick table."""
        self._banks: dict[Seat, float] = {}
        self._graces: dict[Seat, float] = {}

    def change(self, clock: Clock) -> None:
        """Switch to another clock."""
        self.clock = clock

    def ask(self, seat: Seat, generation: int, now: float, *, here: bool) -> None:
        """Start a seat's turn, replacing any earlier one."""
        if seat in self.turns:
            self.answer(seat, now)
        self.turns[seat] = _turn(generation, now, here)

    def answer(self, seat: Seat, now: float) -> None:
        """End a seat's turn: charge its bank and add the gain per move."""
        if seat in self.turns:
            turn = self._charged(seat, now) if self.clock.runs else self.turns[seat]
            del self.turns[seat]
            if self.clock.bank:
                self._banks[seat] = max(0.0, self._bank(seat) - turn.spent) + self.clock.gain

    def presence(self, seat: Seat, now: float, *, here: bool) -> None:
        """Record a seat's disconnect or reconnect."""
        if seat in self.turns:
            self.turns[seat] = attrs.evolve(self._charged(seat, now), here=here, away=0.0)

    def restart_turns(self, now: float) -> None:
        """Restart every turn, because nobody could move or the server was down."""
        self.turns = {seat: Turn(turn.generation, now, turn.here) for seat, turn in self.turns.items()}

    def soften(self, seat: Seat, limit: float | None, now: float) -> None:
        """Set how many seconds a seat has for its turn although there is no clock; None if nobody waits for it.

        They count from the moment at which someone began to wait, also if they become more or fewer since.
        """
        before, turn = self._soft.get(seat), self.turns[seat]
        if (before is None) != (limit is None):
            self.turns[seat] = Turn(turn.generation, now, turn.here)
        elif before and limit and limit > before:
            self.turns[seat] = attrs.evolve(turn, warned=0, up=False)
        if limit is None:
            self._soft.pop(seat, None)
        else:
            self._soft[seat] = limit

    def reading(self, now: float) -> Reading:
        """Return a snapshot of the clocks."""
        for seat in self.turns:
            self._charged(seat, now)
        return _reading(dict(self._banks) or _NOTHING, dict(self._graces) or _NOTHING, dict(self.turns) or _NOTHING)

    def restore(self, reading: Reading, now: float, here: Mapping[Seat, bool]) -> None:
        """Restore the clocks from a snapshot.

        `here` says whether each seat with a move is connected.
        """
        self._banks, self._graces = dict(reading.banks), dict(reading.graces)
        turns = ((seat, turn) for seat, turn in reading.turns.items() if seat in here)
        self.turns = {seat: attrs.evolve(turn, since=now, here=here[seat]) for seat, turn in turns}

    def longer(self, seat: Seat, extra: float) -> None:
        """Give a seat more time."""
        if seat in self.turns:
            turn = self.turns[seat]
            self.turns[seat] = attrs.evolve(turn, spent=turn.spent - extra, away=0.0, warned=0, up=False)

    def _bank(self, seat: Seat) -> float:
        return self._banks.get(seat, float(self.clock.bank))

    def _charged(self, seat: Seat, now: float) -> Turn:
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
        self.turns[seat] = turn = attrs.evolve(turn, since=now, spent=turn.spent + passed, away=away)
        return turn

    def left(self, seat: Seat, now: float) -> float | None:
        """Return the seconds a seat has left; None without a turn or without a clock."""
        if seat not in self.turns or not self.clock.runs:
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
        return seat in self.turns and (self.turns[seat].up or self._left(seat, now) <= 0)

    def due(self, now: float) -> Iterator[Due]:
        """Yield the clock events since the last call."""
        for seat in [*self.turns]:
            left, turn = self._left(seat, now), self.turns[seat]
            warned = sum(left <= mark for mark in self._marks(seat)) if left > 0 else 0
            if left <= 0 and not turn.up:
                self.turns[seat] = attrs.evolve(turn, up=True)
                yield Due(seat, "up")
            elif turn.warned < warned:
                self.turns[seat] = attrs.evolve(turn, warned=warned)
                yield Due(seat, "warning", left)

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
            if not self.turns[seat].up:
                waits += self._waits(seat, now)
        return max(0.01, min(waits)) if waits else None

    def _waits(self, seat: Seat, now: float) -> list[float]:
        """Return the seconds until each clock event of a seat."""
        left, turn = self._left(seat, now), self.turns[seat]
        grace = 0.0 if turn.here or not self.clock.runs else self._graces.get(seat, self.grace)
        marks = self._marks(seat)[turn.warned :]
        return [left - mark + grace for mark in (*marks, 0.0) if left > mark]
