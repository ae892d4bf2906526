"""Events that people have joined: those that begin soon, and those that were moved or cancelled."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.calendar.event import Event
from lilygames.calendar.events import Events
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.mailing.items.items import Item, Waiting

AHEAD = 86400.0
"""Seconds before an event from which it is listed here: a reminder may be due on the evening before."""


class EventItems:
    """The next date of each event of the calendar, and its last change, for those who have joined it."""

    def __init__(self, events: Events, accounts: Accounts) -> None:
        self._events = events
        self._accounts = accounts

    async def waiting(self, now: float) -> Waiting:
        """Return the events that begin within a day or were changed, for everyone who has joined."""
        found: dict[str, list[Item]] = {}
        for event in (*self._events.known, *self._events.cancelled):
            items = [*_items(event, now)]
            for name in event.joined if items else ():
                found.setdefault(fold(self._accounts.now(name)), []).extend(items)
        return found


def _items(event: Event, now: float) -> Iterator[Item]:
    """Yield what to tell about an event that hasn't begun."""
    text, act = f"The event {event.quoted}", f"/event show {event.number}"
    if event.at <= now:
        return
    if event.changed:
        what = "cancelled" if event.cancelled else "moved"
        yield Item(
            key=f"event {event.number} {what} {int(event.changed)}",
            text=text,
            act="/events" if event.cancelled else act,
            since=event.changed,
            starts=event.at,
            says="was cancelled. It was planned for" if event.cancelled else "was moved. Now it begins",
            changed=True,
        )
    if event.at - now < AHEAD and not event.cancelled:
        key = f"event {event.number} {int(event.at)}"
        yield Item(key=key, text=text, act=act, since=event.at - AHEAD, starts=event.at)
