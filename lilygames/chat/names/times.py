"""Read the times that people type, in their zone: `20:00`, `fri 20:00 weekly`, `tomorrow 19:30`, `in 2h`.

A day without a date is the next one. When clocks go back, a time comes twice: the first one counts, or the second if
the first has passed. When they go forward, some times are skipped: see `zones.moments`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.names.time_text import MONTHS, WEEKDAYS, day_and_time, span
from lilygames.chat.names.zones import moments
from lilygames.errors import UserError

Repeat = Literal["", "daily", "weekly"]
_STEP = {"daily": timedelta(days=1), "weekly": timedelta(weeks=1)}
MOST_DAYS = 366
"""Days after which a time is too far off."""
EXAMPLES = "20:00, fri 20:00, tomorrow 19:30, 24 dec 18:00 or in 2h"
_LONGEST = 80
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(am|pm)?|(\d{1,2})(am|pm)")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?")
_YEAR = re.compile(r"20\d\d")
_SPANS = re.compile(r"(?:\d{1,4} ?(?:minutes?|mins?|m|hours?|h|days?|d|weeks?|w)(?: and)? ?)+")
_SPAN = re.compile(r"(\d{1,4}) ?([mhdw])")
_SHORTEST = 3
"""Letters that a weekday or a month needs."""
_WEEK = 7


@attrs.frozen
class When:
    """A time that was typed: in seconds since 1970, and as clocks in its zone show it, in minutes.

    `repeats` says whether it comes again at the same local time.
    """

    at: float
    local: datetime
    zone: ZoneInfo
    repeats: Repeat = ""


def occurrence(local: datetime, zone: ZoneInfo, repeats: Repeat, number: int) -> float:
    """Return when a repeated local time comes after `number` repetitions, in seconds since 1970."""
    return moments(local + number * _STEP[repeats] if repeats else local, zone)[0]


@attrs.frozen
class _Words:
    """The words of a time, each thing at most once."""

    clock: time | None = None
    repeats: Repeat = ""
    weekday: int | None = None
    days_from_now: int | None = None
    day: int | None = None
    month: int | None = None
    year: int | None = None

    @property
    def dated(self) -> bool:
        """Whether any part of a date was typed."""
        return (self.day, self.month, self.year) != (None, None, None)


def read(text: str, now: float, zone: ZoneInfo) -> When:
    """Return the next time that `text` names; raises `UserError` with what to type instead.

    Commas and underscores count as spaces, so that a time can be an option's value: `start=fri_20:00`.
    """
    words = re.sub(r"[\s,_]+", " ", text[: _LONGEST + 1].casefold()).strip()
    typed = text.strip()[:40]
    if not words:
        raise UserError(f"type a time, such as {EXAMPLES}.")
    if len(text) > _LONGEST or not words.isascii():
        raise _unreadable(typed)
    local_now = datetime.fromtimestamp(now, zone)
    if words.startswith("in "):
        when = _after(words.removeprefix("in "), now, zone, typed)
    else:
        when = _next(_parsed(words, typed), now, local_now, zone, typed)
    if when.at - now > timedelta(days=MOST_DAYS).total_seconds():
        raise UserError("that's more than a year away. Type a time within a year.")
    return when


def _unreadable(typed: str) -> UserError:
    return UserError(f"I can't read “{typed}” as a time. Type it like {EXAMPLES}.")


# in 2h


def _after(words: str, now: float, zone: ZoneInfo, typed: str) -> When:
    """Return the time after a span, rounded to a minute. Days and weeks keep the local time."""
    *_, last = words.split()
    repeats: Repeat = "daily" if last == "daily" else "weekly" if last == "weekly" else ""
    spans = words.removesuffix(last) if repeats else words
    if not _SPANS.fullmatch(spans):
        raise _unreadable(typed)
    amounts = dict.fromkeys("mhdw", 0)
    for number, unit in _SPAN.findall(spans):
        amounts[unit] += int(number)
    local = _local(now, zone) + timedelta(days=amounts["d"], weeks=amounts["w"])
    start = now if local == _local(now, zone) else moments(local, zone)[0]
    at = round((start + 60 * amounts["m"] + 3600 * amounts["h"]) / 60) * 60.0
    if at <= now or not any(amounts.values()):
        raise UserError("that's no time at all. Type a longer one, such as in 10m.")
    return When(at, _local(at, zone), zone, repeats)


def _local(at: float, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at, zone).replace(tzinfo=None, fold=0)


# fri 20:00


def _parsed(words: str, typed: str) -> _Words:
    """Return what the words say; raises `UserError`."""
    found: dict[str, Any] = {}
    for word in re.sub(r"(\d) (am|pm)\b", r"\1\2", words).split():
        facts = _facts(word)
        if facts is None or not found.keys().isdisjoint(facts):
            raise _unreadable(typed)
        found |= facts
    said = _Words(**found)
    if said.clock is None:
        raise UserError(f"“{typed}” has no time of day. Type it like {EXAMPLES}.")
    if said.days_from_now is not None and said.dated:
        raise _unreadable(typed)
    return said


def _facts(word: str) -> dict[str, Any] | None:
    """Return what one word says, as fields of `_Words`; None if it can't be read."""
    if word in _WORDS:
        return _WORDS[word]
    for pattern, facts in _PATTERNS:
        if match := pattern.fullmatch(word):
            return facts(match)
    return _named(word)


def _clock(clock: re.Match[str]) -> dict[str, Any] | None:
    hour, minute, half = int(clock[1] or clock[4]), int(clock[2] or 0), clock[3] or clock[5]
    noon = 12
    if half and not 1 <= hour <= noon:
        return None
    if half:
        hour = hour % noon + noon * (half == "pm")
    try:
        return {"clock": time(hour, minute)}
    except ValueError:
        return None


_WORDS: Mapping[str, dict[str, Any]] = {
    **{key: {} for key in ("at", "on", "of", "the")},
    **{key: {"days_from_now": 0} for key in ("today", "tonight")},
    "tomorrow": {"days_from_now": 1},
    "daily": {"repeats": "daily"},
    **{key: {"repeats": "weekly"} for key in ("weekly", "every")},
}
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Any] | None]], ...] = (
    (_CLOCK, _clock),
    (_ISO, lambda iso: {"year": int(iso[1]), "month": int(iso[2]), "day": int(iso[3])}),
    (_NUMBER, lambda number: {"day": int(number[1])}),
    (_YEAR, lambda year: {"year": int(year[0])}),
)


def _named(word: str) -> dict[str, Any] | None:
    """Return the weekday or month that a word abbreviates."""
    if len(word) < _SHORTEST:
        return None
    for number, name in enumerate(WEEKDAYS):
        if f"{name}s".casefold().startswith(word):
            return {"weekday": number}
    for number, name in enumerate(MONTHS, 1):
        if name.casefold().startswith(word):
            return {"month": number}
    return None


def _next(found: _Words, now: float, local_now: datetime, zone: ZoneInfo, typed: str) -> When:
    """Return the first time to come that fits; raises `UserError`."""
    assert found.clock  # noqa: S101 - checked when the words were read
    latest = 0.0
    for one in _days(found, local_now.date(), typed):
        local = datetime.combine(one, found.clock)
        for at in moments(local, zone):
            if at > now:
                return When(at, local, zone, found.repeats)
            latest = max(latest, at)
    past = f"{day_and_time(latest, now, zone)} was {span(now - latest)} ago" if latest < now else "that is now"
    raise UserError(f"{past}. Type a time to come, such as {EXAMPLES}.")


def _days(found: _Words, today: date, typed: str) -> Iterator[date]:
    """Yield the days that fit, in order; raises `UserError` if no day fits."""
    if found.days_from_now is not None:
        days: Sequence[date] = [today + timedelta(days=found.days_from_now)]
    elif found.dated:
        days = [*_dates(found, today, typed)]
    elif found.weekday is not None:
        ahead = (found.weekday - today.weekday()) % _WEEK
        days = [today + timedelta(days=ahead), today + timedelta(days=ahead + _WEEK)]
    else:
        days = [today + timedelta(days=ahead) for ahead in range(3)]
    for one in days:
        if found.weekday not in (None, one.weekday()):
            shown = f"{one.day} {MONTHS[one.month - 1][:3]} {one.year}"
            raise UserError(f"{shown} is a {WEEKDAYS[one.weekday()]}. Type the date or the day alone.")
        yield one


def _dates(found: _Words, today: date, typed: str) -> Iterator[date]:
    """Yield the dates that fit: one with a year, else this year's and next year's."""
    if not (found.month and found.day):
        raise _unreadable(typed)
    known = False
    for year in (found.year,) if found.year else (today.year, today.year + 1):
        try:
            one = date(year, found.month, found.day)
        except ValueError:
            continue
        if found.weekday is None or found.year or one.weekday() == found.weekday or one >= today:
            known = True
            yield one
    if not known:
        raise UserError(f"there's no {found.day} {MONTHS[found.month - 1]} then. Type another date.")
