"""Seasons of three months: `2026-4` is October to December 2026. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

MONTHS, SEASONS = 3, 4
"""Months of a season, and seasons of a year."""
_SEASON = re.compile(r"\d{4}-[1-4]")


def season_of(day: date) -> str:
    """Return the season of a day."""
    return f"{day.year}-{1 + (day.month - 1) // MONTHS}"


def is_season(text: str) -> bool:
    """Return whether a text names a season."""
    return bool(_SEASON.fullmatch(text))


def season_named(words: Sequence[str], now: str) -> str | None:
    """Return the season that words name, given the present one: `last season`, `season 3`, `2026-3`; None if none."""
    year, number = map(int, now.split("-"))
    match [word.casefold() for word in words if word.casefold() != "season"]:
        case ["last" | "previous"]:
            return f"{year}-{number - 1}" if number > 1 else f"{year - 1}-{SEASONS}"
        case [text] if is_season(text):
            return text
        case [text] if text in map(str, range(1, SEASONS + 1)):
            return f"{year - (int(text) > number)}-{text}"
    return None


def shown_season(season: str) -> str:
    """Return a season as people read it: `October to December 2026`."""
    year, _, number = season.partition("-")
    first = MONTHS * (int(number) - 1)
    return f"{_NAMES[first]} to {_NAMES[first + MONTHS - 1]} {year}"


_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
