"""The stored events of a place. Each is a record that any node may change, by comparing and setting."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

import attrs

from lilygames import codec
from lilygames.calendar.event import Event
from lilygames.calendar.upcoming import Upcoming
from lilygames.chat.accounts.identity import Identity
from lilygames.errors import NotFound, UserError
from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store

KIND = "event"
_COUNTER = "event-number"
MOST = 200
"""Maximum events of a place."""
EACH = 5
"""Maximum events of one person who isn't a sysop."""

EACH_CANCELLED = 10
"""Maximum cancelled events of one person of which others have to be told."""


class Events:
    """All events that aren't over."""

    def __init__(self, store: Store, unreadable: UnreadableRows, key: Callable[[str], str]) -> None:
        self._store = store
        self._unreadable = unreadable
        self.key = key
        """Returns the account key of a name."""
        self.known: tuple[Event, ...] = ()
        """The events as last read, soonest first."""
        self.cancelled: tuple[Event, ...] = ()
        """The cancelled ones of which people may still have to be told."""

    async def all(self) -> tuple[Event, ...]:
        """Return all readable events that aren't cancelled, soonest first. Raises `StoreUnavailable`."""
        stored = await readable(self._store, KIND, self._unreadable)
        found = [self._read(number, body) for number, body in stored.items()]
        ordered = sorted((one for one in found if one), key=lambda one: (one.at, one.number))
        self.known = tuple(one for one in ordered if not one.cancelled)
        self.cancelled = tuple(one for one in ordered if one.cancelled)
        return self.known

    def _read(self, number: str, body: str | None) -> Event | None:
        if body is None:
            return None
        try:
            event: Event = codec.from_text(body, Event)
            dated = event.at > 0
        except (ValueError, OverflowError) as problem:
            self._unreadable.report(KIND, number, problem)
            return None
        return event if dated else None

    async def get(self, number: int) -> Event:
        """Return an event; raises `NotFound` and `StoreUnavailable`."""
        event = self._read(str(number), await self._store.find(KIND, str(number)))
        return _present(event, number)

    async def add(self, event: Event, *, unlimited: bool = False) -> Event:
        """Store a new event under the next number, and return it; raises `UserError`."""
        others = await self.all()
        same = next((one for one in others if one.title.casefold() == event.title.casefold()), None)
        if same:
            raise UserError(f"there's already an event {same.quoted}: /event show {same.number}. Choose another title.")
        own, cancelled = (sum(self.is_host(one, event.host) for one in some) for some in (others, self.cancelled))
        if cancelled >= EACH_CANCELLED and not unlimited:
            raise UserError(f"you've cancelled {cancelled} events lately. Please ask a sysop to plan one for you.")
        if own >= EACH and not unlimited:
            raise UserError(f"you already have {EACH} events. Type /event cancel NUMBER to remove one.")
        if len(others) >= MOST:
            raise UserError(f"the calendar is full: it has {MOST} events. Please try again later.")
        event = attrs.evolve(event, number=await self._number(), stamp=_stamp())
        await self._store.swap(KIND, str(event.number), None, codec.to_text(event))
        await self.all()
        return event

    async def _number(self) -> int:
        """Return a number that no event has had."""
        while True:
            last = await self._store.find(_COUNTER, "last")
            number = int((last or "0").split()[0]) + 1
            if await self._store.swap(_COUNTER, "last", last, f"{number} {_stamp()}"):
                return number

    async def change(self, number: int, step: Callable[[Event], Event | None]) -> tuple[Event, Event | None]:
        """Replace an event by what `step` makes of it, or remove it (None). Return it before and after that.

        If `step` returns the same event, nothing is written. Raises what `step` raises, and `NotFound`.
        """
        while True:
            body = await self._store.find(KIND, str(number))
            before = _present(self._read(str(number), body), number)
            after = step(before)
            if after is before:
                return before, before
            after = after and attrs.evolve(after, stamp=_stamp())
            if await self._store.swap(KIND, str(number), body, codec.to_text(after) if after else None):
                await self.all()
                return before, after

    async def forget_cancelled(self, now: float) -> None:
        """Delete the cancelled events whose date is over. Raises `StoreUnavailable`."""
        for event in self.cancelled:
            if event.is_over(now):
                await self._store.forget(KIND, str(event.number))

    def upcoming(self) -> Iterator[Upcoming]:
        """Yield the events for the greeting, soonest first."""
        for one in self.known:
            yield Upcoming(one.at, f"Event {one.number}, {one.quoted},", len(one.joined), one.host)

    def forget_person(self, who: Identity) -> None:
        """Drop a deleted person from the events as last read."""
        self.known = tuple(
            attrs.evolve(one, joined=tuple(name for name in one.joined if not who.means(name)))
            for one in self.known
            if not who.means(one.host)
        )

    def is_host(self, event: Event, name: str) -> bool:
        """Whether a person has created an event, under any of their names."""
        return self.key(event.host) == self.key(name)

    def has_joined(self, event: Event, name: str) -> bool:
        """Whether a person has joined an event, under any of their names."""
        return self.key(name) in map(self.key, event.joined)


def _present(event: Event | None, number: int) -> Event:
    """Return an event that is there and isn't cancelled; raises `NotFound`."""
    if event is None or event.cancelled:
        raise NotFound(f"there's no event {number}. Type /events to list them.")
    return event


def _stamp() -> str:
    return secrets.token_hex(6)
