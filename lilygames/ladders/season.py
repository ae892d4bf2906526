"""Seasons of three months: `2026-4` is October to December 2026. Pure."""

from __future__ import annotations

import re
from datetime import date

MONTHS = 3
_SEASON = re.compile(r"\d{4}-[1-4]")


def season_of(day: date) -> str:
    """Return the season of a day."""
    return f"{day.year}-{1 + (day.month - 1) // MONTHS}"


def is_season(text: str) -> bool:
    """Return whether a text names a season."""
    return bool(_SEASON.fullmatch(text))


def shown_season(season: str) -> str:
    """Return a season as people read it: `October to December 2026`."""
    year, _, number = season.partition("-")
    first = MONTHS * (int(number) - 1)
    return f"{_NAMES[first]} to {_NAMES[first + MONTHS - 1]} {year}"


_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
