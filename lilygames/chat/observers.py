"""What happens to people, as values, and how the parts of the place learn of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol, get_args

import attrs

from lilygames.chat.events import ChatEvent
from lilygames.chat.people import Person


@attrs.frozen
class LoggingIn:
    """Somebody is about to come in here under a name; what another process knows of them is learned first."""

    name: str


@attrs.frozen
class Arrived:
    """Somebody has logged in or come back, and is in their room."""

    person: Person


@attrs.frozen
class Returned:
    """Somebody is here whom another process has served until now: nothing may be shown to them."""

    person: Person


@attrs.frozen
class Mirrored:
    """Something has changed about somebody whom another node serves."""

    person: Person


@attrs.frozen
class Entered:
    """Somebody has logged in or is no longer away, and has been told the rest: now they learn what they missed."""

    person: Person


@attrs.frozen
class Left:
    """Somebody's line has dropped, or they have hung up."""

    person: Person


@attrs.frozen
class Renamed:
    """An account has another name now."""

    old: str
    new: str


@attrs.frozen
class Announced:
    """Something was said or done, before anybody is told.

    `programs` are those who may learn of it and whose programs listen, `far` those whom other nodes serve.
    """

    chat_event: ChatEvent
    programs: Sequence[Person]
    far: Sequence[Person]


PersonEvent = LoggingIn | Arrived | Returned | Mirrored | Entered | Left | Renamed | Announced


class Observer(Protocol):
    """A part of the place that learns what happens to people."""

    @property
    def observes(self) -> tuple[type[PersonEvent], ...]:
        """The kinds of events it wants to learn of."""

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Do what an event brings with it.

        What takes its time is returned, to be awaited; only `LoggingIn`, `Entered` and `Renamed` wait for that.
        """


class Publisher(Protocol):
    """Gives events to all who observe them, in one order."""

    def publish(self, event: PersonEvent) -> None:
        """Let everybody who observes an event learn of it at once."""

    async def publish_and_wait(self, event: PersonEvent) -> None:
        """Let everybody who observes an event learn of it, one after the other, and wait for what each does."""


Observe = Callable[[PersonEvent], Awaitable[None] | None]


def by_kind(observers: Iterable[Observer]) -> Mapping[type, Sequence[Observe]]:
    """Return who is to learn of each kind of event, in the order of the observers."""
    observers = tuple(observers)
    return {kind: tuple(one.observe for one in observers if kind in one.observes) for kind in get_args(PersonEvent)}
