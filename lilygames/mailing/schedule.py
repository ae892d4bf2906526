"""When to send notifications. Pure: callers pass in the time, in seconds since 1970.

The rules: wait 15 minutes before mailing about a turn, then send everything that waits. Send at most once in 12 hours,
and not between 22:00 and 08:00 where the person is. A reminder of an event comes an hour ahead. A change of an event
is told at once, unless the person was connected and read it here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo

from lilygames.mailing.items.items import Item

WAIT = 15 * 60.0
"""Seconds that something new waits first, because the person may come back."""
KNOWN = 12 * 3600.0
"""Seconds that something waits after a person who was connected when it came up has left."""
GAP = 12 * 3600.0
"""Seconds between two notifications. Events don't wait for it."""
AHEAD = 3600.0
"""Seconds before an event to remind people of it."""
EVENING, MORNING = 22, 8
"""Hours between which nothing is sent."""
BEFORE_NIGHT = 15 * 60.0
"""Seconds before the evening to remind people of an event whose hour ahead is in the night."""


def is_quiet(at: float, zone: tzinfo) -> bool:
    """Return whether a time is at night in a zone."""
    hour = datetime.fromtimestamp(at, zone).hour
    return hour >= EVENING or hour < MORNING


def after_quiet(at: float, zone: tzinfo) -> float:
    """Return the time itself, or the end of its night: a clock change doesn't move the morning."""
    if not is_quiet(at, zone):
        return at
    there = datetime.fromtimestamp(at, zone)
    day = there + timedelta(days=1) if there.hour >= EVENING else there
    return day.replace(hour=MORNING, minute=0, second=0, microsecond=0, fold=0).timestamp()


def reminder_at(starts: float, zone: tzinfo) -> float:
    """Return when to remind people of an event: an hour ahead, or before the night if that is at night."""
    at = starts - AHEAD
    if not is_quiet(at, zone):
        return at
    there = datetime.fromtimestamp(at, zone)
    day = there if there.hour >= EVENING else there - timedelta(days=1)
    return day.replace(hour=EVENING, minute=0, second=0, microsecond=0, fold=0).timestamp() - BEFORE_NIGHT


def is_news(item: Item, now: float, zone: tzinfo, *, seen: float) -> bool:
    """Return whether to mention an item in a message now, for someone who was last connected at `seen`.

    An event isn't mentioned before its reminder is due, nor a change of one that they have read here.
    """
    if item.changed:
        return seen <= item.since and now < item.starts
    return not item.starts or reminder_at(item.starts, zone) <= now < item.starts


def next_time(
    items: Iterable[Item], told: Iterable[str], *, last: float, seen: float, now: float, zone: tzinfo
) -> float | None:
    """Return when to send a notification about these items; None if none of them is new.

    `told` has the keys of items that were sent before, `last` is when something was sent, and `seen` when the person
    was last connected.
    """
    known = frozenset(told)
    times = (_time_of(item, last, seen, now, zone) for item in items if item.key not in known)
    return min((at for at in times if at is not None), default=None)


def _time_of(item: Item, last: float, seen: float, now: float, zone: tzinfo) -> float | None:
    """Return when to send a notification about one item; None if it would be too late."""
    if item.changed:
        at = after_quiet(now, zone)
        return at if item.since >= seen and at < item.starts else None
    if item.starts:
        at = after_quiet(max(reminder_at(item.starts, zone), now), zone)
        return at if at < item.starts else None
    ready = item.since + WAIT if item.since >= seen else seen + KNOWN
    return after_quiet(max(ready, last + GAP if last else ready), zone)
