"""An event of the calendar as a value: its times, who has joined, and which reminder is due.

Nothing here reads a clock. Times are in seconds since 1970.
"""

from __future__ import annotations

from datetime import datetime

import attrs

from lilygames import codec
from lilygames.chat.names.times import Repeat, When, occurrence
from lilygames.chat.names.zones import zone_named
from lilygames.errors import UserError
from lilygames.text import clean, columns

REMINDERS = (15, 2)
"""Minutes before an event at which those who joined and are here are reminded. Others may get mail."""
NEVER = 1_000_000
"""Minutes of the last reminder before the first one was due."""
LISTED = 3600.0
"""Seconds after its start for which an event stays in the calendar."""
CANCELLED_KEPT = 30 * 86400.0
"""Seconds for which a cancelled event is kept, at most, so that everyone who joined can be told."""
LONGEST = 40
"""Maximum columns of a title."""
_QUOTES = '"“”„«»'


def reminder_due(at: float, reminded: int, now: float) -> int:
    """Return the minutes of the reminder that is due before a time; 0 if none is. Only the latest one is ever due.

    `reminded` has the minutes of the last one that was sent.
    """
    due = [minutes for minutes in REMINDERS if at - 60 * minutes <= now < at]
    return min(due) if due and min(due) < reminded else 0


@attrs.frozen
class Event:
    """An event. Names are those that people had when they were written down."""

    number: int
    title: str
    host: str
    """The person who created it."""
    start: str
    """The local time of its first date, `2026-11-27T20:00`, in its zone."""
    zone: str
    repeats: Repeat = ""
    past: int = 0
    """How many of its dates are over or were skipped."""
    joined: tuple[str, ...] = ()
    reminded: int = NEVER
    """Minutes before the next date at which its last reminder was due."""
    changed: float = attrs.field(default=0.0, metadata={codec.LATER: True})
    """When its next date was last moved, skipped or cancelled, in seconds since 1970; 0 for never."""
    cancelled: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether it was cancelled. It is kept until its date is over, so that everyone who joined can be told."""
    stamp: str = ""
    """A new word with each change, so that of two nodes that make the same change one wins."""

    @property
    def at(self) -> float:
        """When the next date begins. Raises `ValueError` or `OverflowError` if it was stored wrong."""
        return occurrence(datetime.fromisoformat(self.start), zone_named(self.zone), self.repeats, self.past)

    @property
    def quoted(self) -> str:
        """The title in quotes, which it can't contain itself."""
        return f"“{self.title}”"

    def is_over(self, now: float) -> bool:
        """Whether the next date is over, or it was cancelled long ago."""
        return now >= self.at + LISTED or (self.cancelled and now >= self.changed + CANCELLED_KEPT)

    def reminder_due(self, now: float) -> int:
        """Return the minutes of the reminder that is due; 0 if none is. Only the latest one is ever due."""
        return 0 if self.cancelled else reminder_due(self.at, self.reminded, now)

    def planned(self, when: When, now: float) -> Event:
        """Return the event at another time; reminders that would already have been due aren't sent."""
        moved = attrs.evolve(
            self,
            start=when.local.isoformat(timespec="minutes"),
            zone=when.zone.key,
            repeats=when.repeats or self.repeats,
            past=0,
            reminded=NEVER,
        )
        return attrs.evolve(moved, reminded=moved.reminder_due(now) or NEVER)

    def after_this_date(self) -> Event:
        """Return a repeating event with the date after the next one."""
        return attrs.evolve(self, past=self.past + 1, reminded=NEVER)

    def caught_up(self, now: float) -> Event | None:
        """Return the event with its first date that isn't over, or None if there is none."""
        event = self
        while event.is_over(now):
            if not event.repeats or event.cancelled:
                return None
            event = event.after_this_date()
        return event


def checked_title(text: str) -> str:
    """Return a title without anything that could fake a line of the server; raises `UserError`."""
    title = " ".join(clean(text).split())
    if not any(letter.isalnum() for letter in title):
        raise UserError('give the event a title: /event new "Ohell night" fri 20:00 weekly')
    if any(quote in title for quote in _QUOTES):
        raise UserError("leave out quotes inside the title. They are added around it.")
    if columns(title) > LONGEST:
        raise UserError(f"that title is {columns(title)} columns wide. Use at most {LONGEST}.")
    return title
