"""Events that people have joined and that begin soon."""

from __future__ import annotations

from lilygames.calendar.events import Events
from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.mailing.items import Item, Waiting

AHEAD = 86400.0
"""Seconds before an event from which it is listed here: a reminder may be due on the evening before."""


class EventItems:
    """The next date of each event of the calendar, for those who have joined it."""

    def __init__(self, events: Events, accounts: Accounts) -> None:
        self._events = events
        self._accounts = accounts

    async def waiting(self, now: float) -> Waiting:
        """Return the events that begin within a day, for everyone who has joined."""
        found: dict[str, list[Item]] = {}
        for event in self._events.known:
            if 0 < event.at - now < AHEAD:
                item = Item(
                    key=f"event {event.number} {int(event.at)}",
                    text=f"The event {event.quoted}",
                    act=f"/event show {event.number}",
                    since=event.at - AHEAD,
                    starts=event.at,
                )
                for name in event.joined:
                    found.setdefault(fold(self._accounts.now(name)), []).append(item)
        return found
