"""The greeting about the events of the next day, for people who arrive."""

from __future__ import annotations

from lilygames.calendar.event import Event
from lilygames.calendar.events import Events
from lilygames.chat.host import Host
from lilygames.chat.observers import Entered, PersonEvent
from lilygames.chat.time_text import distance
from lilygames.text import Line, count

AHEAD = 86400.0
"""Seconds before an event from which people who arrive are told of it."""
MOST = 2
"""Maximum events in the greeting."""


class Greeting:
    """Shows the next events to people who arrive. It takes them from memory, as they were last read."""

    observes = (Entered,)

    def __init__(self, host: Host, events: Events) -> None:
        self._host = host
        self._events = events

    def observe(self, event: PersonEvent) -> None:
        """Show the next events to a person who has arrived."""
        if isinstance(event, Entered):
            now = self._host.clock()
            soon = [one for one in self._events.known if one.at - now < AHEAD and not one.is_over(now)]
            event.person.show(*(_line(one, now) for one in soon[:MOST]))


def _line(event: Event, now: float) -> Line:
    """Return a line like `Event 3, “Ohell night”, begins in 25 minutes. 6 people have joined`."""
    begins = "begins" if event.at > now else "began"
    joined = count(len(event.joined), "person has", "people have")
    soon = f"Event {event.number}, {event.quoted}, {begins} {distance(event.at - now)}."
    return Line(f"{soon} {joined} joined.", by=event.host)
