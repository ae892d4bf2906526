"""How times are written for a reader, in their zone: `Fri 27 Nov 20:00, in 2 days`."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from lilygames.chat.names.zones import moments
from lilygames.text import count

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""English names, whatever the server's locale is."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_MOST_MINUTES, _MOST_HOURS = 100, 48
"""From here on a time span is written in hours, and in days."""


def written(at: float, now: float, zone: ZoneInfo) -> str:
    """Return a time with its distance: `Fri 27 Nov 20:00, in 2 days`, or `Fri 27 Nov 20:00, 2 days ago`."""
    return f"{day_and_time(at, now, zone)}, {distance(at - now)}"


def day_and_time(at: float, now: float, zone: ZoneInfo) -> str:
    """Return `Fri 27 Nov 20:00`: with the year unless it is this one, and with `CET` if clocks show that time twice."""
    local = datetime.fromtimestamp(at, zone)
    year = "" if local.year == datetime.fromtimestamp(now, zone).year else f" {local.year}"
    twice = len(moments(local.replace(tzinfo=None, fold=0), zone)) > 1
    return f"{day(local)}{year} {local:%H:%M}{f' {local.tzname()}' if twice else ''}"


def day(local: datetime) -> str:
    """Return `Fri 27 Nov`."""
    return f"{WEEKDAYS[local.weekday()][:3]} {local.day} {MONTHS[local.month - 1][:3]}"


def distance(seconds: float) -> str:
    """Return how far off a time is: `in 25 minutes`, `2 days ago`, `now`."""
    if abs(seconds) < 1:
        return "now"
    return f"in {span(seconds)}" if seconds > 0 else f"{span(-seconds)} ago"


def span(seconds: float) -> str:
    """Return a positive time span, rounded: `45 seconds`, `25 minutes`, `3 hours`, `2 days`."""
    if seconds < _MINUTE:
        return count(max(1, round(seconds)), "second")
    if (minutes := round(seconds / _MINUTE)) < _MOST_MINUTES:
        return count(minutes, "minute")
    if (hours := round(seconds / _HOUR)) < _MOST_HOURS:
        return count(hours, "hour")
    return count(round(seconds / _DAY), "day")
