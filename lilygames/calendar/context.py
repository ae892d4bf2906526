"""The context of a calendar command: who typed it, and the calendar."""

from __future__ import annotations

import attrs

from lilygames.calendar.events import Events
from lilygames.calendar.message import MessageOfTheDay
from lilygames.calendar.reminders import Reminders
from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person


@attrs.frozen
class CalendarContext:
    """The context of a calendar command, passed to commands whose first parameter is annotated with it."""

    person: Person
    """The person who typed it."""
    host: Host
    events: Events
    reminders: Reminders
    message: MessageOfTheDay
