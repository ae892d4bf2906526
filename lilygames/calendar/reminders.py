"""Reminders of events, on the clock: each is shown once, whatever node sends it."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import structlog

from lilygames.calendar.event import AT_MOST, Event, News, Observers, Reminder
from lilygames.calendar.events import Events
from lilygames.chat.events import ChatEvent
from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.chat.periodic import regularly
from lilygames.chat.time_text import distance
from lilygames.errors import NotFound

log = structlog.get_logger()
GLANCE = 10.0
"""Seconds between two looks."""


class Reminders:
    """Reminds those who joined an event, and removes events that are over. Every node may run it."""

    def __init__(self, host: Host, events: Events, observers: Observers) -> None:
        self._host = host
        self._events = events
        self._observers = observers

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
                elif minutes := event.reminder_due(now):
                    await self._remind(Reminder(event, minutes), now)
            except NotFound:  # another node was faster
                continue

    async def _remind(self, reminder: Reminder, now: float) -> None:
        """Send a reminder. Observers may be told of it twice, but people in the place read it at most once."""
        minutes = reminder.minutes
        await self.pass_on(reminder)

        def remember(event: Event) -> Event:
            due = event.reminder_due(now) == minutes
            return attrs.evolve(event, reminded=minutes) if due else event

        before, after = await self._events.change(reminder.event.number, remember)
        if after is not None and after is not before and minutes <= AT_MOST:
            text = f"Event {after.number}, {after.quoted}, begins {distance(after.at - now)}."
            self._host.tell(ChatEvent("sysmsg", after.host, text=text), self.here(after))

    async def pass_on(self, news: News) -> None:
        """Tell all observers; an error of one doesn't stop the others."""
        for observer in self._observers:
            try:
                await observer.observe(news)
            except Exception:
                log.exception("news of an event can't be passed on", news=news.id)

    def here(self, event: Event) -> Iterable[Person]:
        """Return the people who joined an event and are here, on any node."""
        keys = set(map(self._events.key, event.joined))
        return [one for one in self._host.people.values() if one.here and self._events.key(one.name) in keys]
