"""The schedule of the place's own tournaments: when each series begins, and which of its games is played. Pure.

`hourly liedie,ohell arena minutes=25; daily 20:00 ohell swiss rounds=3; sun 15:00 ohell knockout` are three series.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal

import attrs

Every = Literal["hourly", "daily", "weekly"]
OFF = "none"
"""The text of a schedule without tournaments, besides the empty one."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOUR, _DAY = 3600, timedelta(days=1)
_MINUTES = re.compile(r":([0-5]\d)", re.ASCII)
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_GAMES = re.compile(r"[a-z][a-z0-9-]*(?:,[a-z][a-z0-9-]*)*", re.ASCII)


@attrs.frozen
class Series:
    """Tournaments that begin again and again. Their games take turns."""

    every: Every
    games: tuple[str, ...]
    words: tuple[str, ...]
    """The form and the settings, as `/tournament new` reads them: `arena`, `minutes=25`."""
    at: time
    """The local time of the start. Hourly series have only its minute, of hours of UTC: summer time skips none."""
    day: int = 0
    """The weekday of a weekly series; 0 is Monday."""

    @property
    def key(self) -> str:
        """The series in words; equal on all nodes with the same setting."""
        when = {
            "hourly": f"hourly {self.at:%M}",
            "daily": f"daily {self.at:%H:%M}",
            "weekly": f"{WEEKDAYS[self.day]} {self.at:%H:%M}",
        }[self.every]
        return " ".join((when, ",".join(self.games), *self.words))

    def start_after(self, now: float, zone: tzinfo) -> float:
        """Return the first start after a time; both are in seconds since 1970.

        A local time that clocks skip counts as if they hadn't: 02:30 is then 03:30. If they show it twice, the first
        counts.
        """
        if self.every == "hourly":
            past = 60 * self.at.minute
            return ((now - past) // _HOUR + 1) * _HOUR + past
        return next(start for start in self._starts(now, zone) if start > now)

    def _starts(self, now: float, zone: tzinfo) -> Iterator[float]:
        """Yield the starts of a daily or weekly series from today on."""
        day = datetime.fromtimestamp(now, zone).date()
        while True:
            if self.every == "daily" or day.weekday() == self.day:
                yield datetime.combine(day, self.at, zone).timestamp()
            day += _DAY

    def game_at(self, start: float, zone: tzinfo) -> str:
        """Return the game of the tournament that begins at a start."""
        return self.games[self._turn(start, zone) % len(self.games)]

    def _turn(self, start: float, zone: tzinfo) -> int:
        """Return the number of a start. It grows by one from each start to the next."""
        if self.every == "hourly":
            return int(start // _HOUR)
        days = (datetime.fromtimestamp(start, zone).date() - date.min).days
        return days if self.every == "daily" else days // len(WEEKDAYS)


def read(text: str) -> tuple[Series, ...]:
    """Return the series of a schedule; raises `ValueError` with a sentence about the part that is wrong."""
    parts = [part.split() for part in text.split(";")]
    return () if text.strip() == OFF else tuple(_series(words) for words in parts if words)


def _series(words: list[str]) -> Series:
    part = " ".join(words)
    every, at, day, rest = _when(part, words)
    if not rest or not _GAMES.fullmatch(rest[0]):
        raise ValueError(f"“{part}” names no games after its time, such as ohell,wizard")
    games = tuple(dict.fromkeys(rest[0].split(",")))
    return Series(every, games, tuple(rest[1:]), at, day)


def _when(part: str, words: list[str]) -> tuple[Every, time, int, list[str]]:
    """Return how often and when a series begins, its weekday, and the words that follow."""
    first, more = words[0], words[1:]
    if first == "hourly":
        minute = _MINUTES.fullmatch(more[0]) if more else None
        return "hourly", time(minute=int(minute[1]) if minute else 0), 0, more[1:] if minute else more
    if first != "daily" and first not in WEEKDAYS:
        raise ValueError(f"“{part}” must begin with hourly, daily or a day such as sun")
    clock = _TIME.fullmatch(more[0]) if more else None
    if not clock:
        raise ValueError(f"“{part}” needs a time such as 20:00 after {first}")
    at = time(int(clock[1]), int(clock[2]))
    return ("daily", at, 0, more[1:]) if first == "daily" else ("weekly", at, WEEKDAYS.index(first), more[1:])
