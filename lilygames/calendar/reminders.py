"""Reminders of events, on the clock: each is shown at most once, whatever node sends it."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.calendar.event import Event
from lilygames.calendar.events import Events
from lilygames.chat.host.host import Host
from lilygames.chat.names.time_text import distance
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person
from lilygames.chat.tasks.periodic import regularly
from lilygames.errors import NotFound

GLANCE = 10.0
"""Seconds between two looks."""


class Reminders:
    """Reminds those who joined an event, and removes events that are over. Every node may run it."""

    def __init__(self, host: Host, events: Events) -> None:
        self._host = host
        self._events = events

    async def watch(self) -> None:
        """Look periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot look after the events")

    async def look(self) -> None:
        """Do what is due now; raises `StoreUnavailable`."""
        now = self._host.clock()
        for event in await self._events.all():
            try:
                if event.is_over(now):
                    await self._events.change(event.number, lambda one: one.caught_up(now))
                elif event.reminder_due(now):
                    await self._remind(event, now)
            except NotFound:  # another node was faster
                continue
        await self._events.forget_cancelled(now)

    async def _remind(self, due: Event, now: float) -> None:
        """Remind everyone who joined an event, unless another node was faster."""

        def reminded(event: Event) -> Event:
            minutes = event.reminder_due(now)
            return attrs.evolve(event, reminded=minutes) if minutes else event

        before, after = await self._events.change(due.number, reminded)
        if after is not None and after is not before:
            text = f"Event {after.number}, {after.quoted}, begins {distance(after.at - now)}."
            self._host.tell(ChatEvent("sysmsg", after.host, text=text), self.here(after))

    def here(self, event: Event) -> Iterable[Person]:
        """Return the people who joined an event and are here, on any node."""
        keys = set(map(self._events.key, event.joined))
        parts = self._host.people.known_parts()
        names = [name for name, one in parts if one.here and self._events.key(one.name) in keys]
        return [self._host.people[name] for name in names]
