"""Weeks and months as people type and read them: `last week`, `week 46`, `october`, `2026-W46`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

import attrs

from lilygames.errors import UserError
from lilygames.tables.ratings.rankings import Span

EXAMPLES = "last week, week 46, october or 2026-10"
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKS = 53
_SHORTEST = 3
"""Letters of a month's name, at least."""
_WEEK = re.compile(r"(?:(\d{4})-?)?w(\d{1,2})", re.IGNORECASE)
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_YEAR = re.compile(r"20\d\d")
_NUMBER = re.compile(r"\d{1,2}")
_SPANS: dict[str, Span] = {"week": "week", "month": "month", "all": "all"}


@attrs.frozen
class Asked:
    """The ranking that someone asks for: of all time, or of a week or month. Without a name it is the present one."""

    span: Span
    name: str = ""


def week_name(day: date) -> str:
    """Return the week of a day: `2026-W47`."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def read(words: Sequence[str], today: date) -> tuple[Asked, list[str]]:
    """Return the ranking that some of the words name, and the other words; raises `UserError`."""
    spans, last, names, rest = [], False, [], []
    left = [word.casefold() for word in words]
    for number, word in enumerate(left):
        if word in _SPANS:
            spans.append(_SPANS[word])
        elif word in ("last", "previous"):
            last = True
        elif found := _named(word, left[number - 1] if number else "", left[number + 1 : number + 2], today):
            names.append(found)
        elif not (_YEAR.fullmatch(word) and number and _month(left[number - 1])):  # it belongs to the month before
            rest.append(words[number])
    if len(names) > 1 or len(set(spans)) > 1 or (last and names):
        raise UserError(f"you can see one list at a time. Type /rank week, or one like {EXAMPLES}.")
    asked = _asked(spans, names, today) if not last else _last(spans, today)
    if asked.name > _now(asked.span, today):
        raise UserError(f"{shown(asked)} hasn't begun. Type one like {EXAMPLES}.")
    return asked, rest


def _asked(spans: Sequence[Span], names: Sequence[Asked], today: date) -> Asked:
    asked = names[0] if names else Asked(spans[0] if spans else "all")
    if spans and asked.span != spans[0]:
        raise UserError(f"that isn't a {spans[0]}. Type one like {EXAMPLES}.")
    return asked if asked.name != _now(asked.span, today) else Asked(asked.span)


def _last(spans: Sequence[Span], today: date) -> Asked:
    """Return the week or month before this one."""
    match spans:
        case ["week"]:
            return Asked("week", week_name(today - timedelta(days=7)))
        case ["month"]:
            return Asked("month", f"{today.replace(day=1) - timedelta(days=1):%Y-%m}")
    raise UserError("type /rank last week or /rank last month.")


def _now(span: Span, today: date) -> str:
    return week_name(today) if span == "week" else f"{today:%Y-%m}" if span == "month" else ""


def _named(word: str, before: str, after: Sequence[str], today: date) -> Asked | None:
    """Return the week or month that a word names, given its neighbours; None if it names none."""
    week = _WEEK.fullmatch(word) or (_WEEK.fullmatch(f"w{word}") if before == "week" else None)
    if week:
        return _week(int(week[1]) if week[1] else 0, int(week[2]), today)
    if found := _MONTH.fullmatch(word):
        return _checked(int(found[1]), int(found[2]))
    if before == "month" and _NUMBER.fullmatch(word):
        return _month_before(int(word), today)
    if _DAY.fullmatch(word) and before == "week":
        try:
            return Asked("week", week_name(date.fromisoformat(word)))
        except ValueError:
            raise UserError(f"{word} isn't a date. Type one like 2026-11-16.") from None
    month = _month(word)
    if month and after and _YEAR.fullmatch(after[0]):
        return _checked(int(after[0]), month)
    return _month_before(month, today) if month else None


def _month(word: str) -> int:
    """Return the number of the month with this name or its beginning; 0 if there is none."""
    found = [n for n, name in enumerate(_MONTHS, 1) if len(word) >= _SHORTEST and name.casefold().startswith(word)]
    return found[0] if len(found) == 1 else 0


def _month_before(month: int, today: date) -> Asked:
    """Return the latest month with this number that has begun."""
    return _checked(today.year - (month > today.month), month)


def _checked(year: int, month: int) -> Asked:
    if not 1 <= month <= len(_MONTHS):
        raise UserError(f"there are months from 1 to 12. Type one like {EXAMPLES}.")
    return Asked("month", f"{year}-{month:02}")


def _week(year: int, week: int, today: date) -> Asked:
    """Return a week; without a year the latest one with this number that has begun."""
    if not 1 <= week <= _WEEKS:
        raise UserError(f"weeks have numbers from 1 to {_WEEKS}. Type one like {EXAMPLES}.")
    now_year, now_week, _ = today.isocalendar()
    year = year or now_year - (week > now_week)
    try:
        return Asked("week", week_name(date.fromisocalendar(year, week, 1)))
    except ValueError:
        raise UserError(f"{year} has no week {week}. Type one like {EXAMPLES}.") from None


def shown(asked: Asked) -> str:
    """Return a past week or month in words: `week 46 (9 to 15 November 2026)`, `October 2026`."""
    if asked.span == "month":
        year, month = map(int, asked.name.split("-"))
        return f"{_MONTHS[month - 1]} {year}"
    year, week = map(int, asked.name.split("-W"))
    first = date.fromisocalendar(year, week, 1)
    last = first + timedelta(days=6)
    begins = str(first.day)
    if first.month != last.month:
        begins += f" {_MONTHS[first.month - 1]}"
    if first.year != last.year:
        begins += f" {first.year}"
    return f"week {week} ({begins} to {last.day} {_MONTHS[last.month - 1]} {last.year})"
