"""The daily deal as values: its times, the standings of a day and a week, and streaks. Nothing here reads a clock.

A day is a date in the place's time zone. Times are in seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from fractions import Fraction

import attrs

from lilygames.tables.duplicate.matchpoints import Field, Placed, Result
from lilygames.text import count

PREFIX = "daily-"
"""How the name of each daily set begins. No other set may be called so."""
GUESTS = "-guests"
"""How the name of the set of guests ends. They get other cards: a guest could look at those of an account."""
RESERVED = (PREFIX, "ladder-", "tournament-", "team-")
"""How the names of sets begin that the server deals, so that nobody else can open a table with them."""
HOURS_TO_FINISH = 24
BEST_DAYS = 5
"""Days of a week that count."""
EARNED_EVERY = 7
"""Days played that earn a free miss."""
MISSES_HELD = 2
DAYS_KEPT = 105
"""The days of which a streak knows whether they were played: fifteen weeks."""
_ALL_KEPT = (1 << DAYS_KEPT) - 1
_DAY = timedelta(days=1)


def set_name(game: str, day: date, *, guests: bool = False) -> str:
    """Return the name of the set of a game's deal: `daily-ohell-2026-11-22`, or that of guests, `…-22-guests`."""
    return f"{PREFIX}{game}-{day.isoformat()}{GUESTS * guests}"


def is_of_guests(name: str) -> bool:
    """Return whether a daily deal is that of guests."""
    return name.endswith(GUESTS)


def is_daily(name: str) -> bool:
    """Return whether a set is a daily deal."""
    return name.startswith(PREFIX)


def today(now: float, zone: tzinfo) -> date:
    """Return the date at a time."""
    return datetime.fromtimestamp(now, zone).date()


def opens(day: date, zone: tzinfo) -> float:
    """Return when a day's deal can be played: at midnight, or at the first moment of a day without a midnight."""
    return datetime.combine(day, time(), zone).timestamp()


def due(began: float) -> float:
    """Return when a game that began at this time must be finished."""
    return began + timedelta(hours=HOURS_TO_FINISH).total_seconds()


def closes(day: date, zone: tzinfo) -> float:
    """Return when a day's deal is made public: when the following day ends.

    If that day is shorter than 24 hours, it is as soon as the last game must be finished.
    """
    return max(opens(day + 2 * _DAY, zone), due(opens(day + _DAY, zone)))


def is_apart(began: float, ready: float | None) -> bool:
    """Return whether a game is listed apart: of a guest (None), or of an account that was new when it began.

    `ready` is when the account was, or will be, old enough.
    """
    return ready is None or began < ready


@attrs.frozen
class Entrant:
    """A game of a daily deal: the account's key, whether it is listed apart, and the result once it is finished.

    `case` is the case number of a game that a bug in a bot took out of the standings.
    """

    key: str
    apart: bool = False
    result: Result | None = None
    case: str = ""

    @property
    def ranked(self) -> Result | None:
        """The result, if it belongs in the standings."""
        return None if self.case else self.result


@attrs.frozen
class DayStandings:
    """The standings of one deal: those in the list, and those apart, who are compared with the list."""

    listed: tuple[Placed, ...]
    apart: tuple[Placed, ...]

    def of(self, table: int) -> Placed | None:
        """Return the place of the game at a table."""
        return next((one for one in (*self.listed, *self.apart) if one.result.table == table), None)


def day_standings(entrants: Iterable[Entrant]) -> DayStandings:
    """Return the standings of the finished games.

    Those apart change nothing for the others: each is compared with the list alone.
    """
    entrants = [*entrants]
    field = Field([one.ranked for one in entrants if one.ranked and not one.apart])
    apart = [field.place(one.ranked) for one in entrants if one.ranked and one.apart]
    order = sorted(apart, key=lambda one: (-one.share, -one.result.total, one.result.table))
    return DayStandings(tuple(field.order()), tuple(order))


@attrs.frozen
class WeekRow:
    """Someone's week: the sum of their best days' shares, and the number of days played."""

    key: str
    points: Fraction
    days: int


def monday(day: date) -> date:
    """Return the first day of a day's week (ISO 8601)."""
    return day - timedelta(days=day.weekday())


def week_standings(shares: Mapping[str, Sequence[Fraction]]) -> list[WeekRow]:
    """Return the standings of a week from each key's share of each day played; the best five days count."""
    rows = [WeekRow(key, sum(sorted(played)[-BEST_DAYS:], Fraction()), len(played)) for key, played in shares.items()]
    return sorted(rows, key=lambda row: (-row.points, row.key))


@attrs.frozen
class Streak:
    """Days played in a row: how many, the free misses held, the best ever, and the last day played."""

    days: int = 0
    misses: int = 0
    best: int = 0
    last: date | None = None
    bits: int = 0
    """The days played of the last `DAYS_KEPT`: the lowest bit is the last day played, the next one the day before."""

    def played(self, day: date) -> Streak:
        """Return the streak with one more day; a free miss fills a gap by itself and adds no day.

        A day that was already counted changes nothing. One before the last only counts as a day that was played.
        """
        if self.last is not None and day <= self.last:
            return attrs.evolve(self, bits=(self.bits | 1 << (self.last - day).days) & _ALL_KEPT)
        gap = self._missed(day)
        days, misses = (1, 0) if gap > self.misses else (self.days + 1, self.misses - gap)
        if not days % EARNED_EVERY:
            misses = min(misses + 1, MISSES_HELD)
        shifted = self.bits << (day - self.last).days if self.last else 0
        return Streak(days, misses, max(self.best, days), day, (shifted | 1) & _ALL_KEPT)

    def has(self, day: date) -> bool:
        """Return whether a day was played, of the last `DAYS_KEPT` before the last day played."""
        ago = (self.last - day).days if self.last else -1
        return ago >= 0 and bool(self.bits >> ago & 1)

    def on(self, day: date) -> int:
        """Return the length of the streak on a day, which may still be played."""
        return 0 if self.last is None or self._missed(day) > self.misses else self.days

    def _missed(self, day: date) -> int:
        """Return the number of days between the last one played and this one."""
        return max((day - self.last).days - 1, 0) if self.last else 0


def streak(days: Iterable[date]) -> Streak:
    """Return the streak of someone who played on these days."""
    now = Streak()
    for day in sorted(days):
        now = now.played(day)
    return now


def line_to_paste(day: date, game: str, placed: Placed, days: int, unit: str = "point") -> str:
    """Return a result without spoilers, to paste elsewhere. `unit` is what the game counts.

    `lilygames daily 22 Nov, ohell: 62 points, better than 71% of 14, streak 8`.
    """
    better = f", better than {100 * placed.beaten // placed.others}% of {placed.others}" if placed.others else ""
    lasting = f", streak {days}" if days else ""
    score = count(placed.result.total, unit)
    return f"lilygames daily {day.day} {_MONTHS[day.month - 1]}, {game}: {score}{better}{lasting}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""English names of months, whatever the server's locale is."""
