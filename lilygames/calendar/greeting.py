"""The greeting about what begins within a day, and about changes that people missed, for those who arrive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from lilygames.calendar.event import LISTED, Event
from lilygames.calendar.events import Events
from lilygames.calendar.upcoming import Upcoming
from lilygames.chat.host.host import Host
from lilygames.chat.names.time_text import day_and_time
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.text import Line

AHEAD = 86400.0
"""Seconds before something begins from which people who arrive are told of it."""
MOST = 2
"""Maximum gatherings in the greeting."""


class Greeting:
    """Shows what begins soon to people who arrive. It takes everything from memory, as it was last read."""

    observes = (Entered,)

    def __init__(self, host: Host, events: Events, sources: Sequence[Callable[[], Iterable[Upcoming]]]) -> None:
        self._host = host
        self._events = events
        self._sources = sources
        """Each returns gatherings that aren't over."""

    def observe(self, event: PersonEvent) -> None:
        """Show what begins soon to a person who has arrived, and what has changed for them."""
        if isinstance(event, Entered):
            now = self._host.clock()
            known = (one for source in self._sources for one in source())
            soon = sorted((one for one in known if -LISTED < one.at - now < AHEAD), key=lambda one: one.at)
            event.person.show(*self._changes(event.person, now), *(one.line(now) for one in soon[:MOST]))

    def _changes(self, person: Person, now: float) -> Iterator[Line]:
        """Yield the changes of events they have joined, of which they weren't told because they weren't here."""
        since = person.activity.missed_since
        if person.guest or not since:
            return
        for event in (*self._events.cancelled, *self._events.known):
            if since < event.changed and event.at > now and self._events.has_joined(event, person.name):
                yield Line(_change(event, now, person), by=event.host)


def _change(event: Event, now: float, person: Person) -> str:
    """Return `Event 3, “Ohell night”, was cancelled. It was planned for Fri 27 Nov 20:00.` for a reader."""
    when = day_and_time(event.at, now, person.profile.zone)
    if event.cancelled:
        return f"Event {event.number}, {event.quoted}, was cancelled. It was planned for {when}."
    return f"Event {event.number}, {event.quoted}, has a new time: {when}."
