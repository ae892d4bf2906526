"""Events about people and connections, and the interfaces to observe and publish them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol, get_args

import attrs

from lilygames.chat.people.distant import Distant
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person, Room


@attrs.frozen
class LoggingIn:
    """Someone is about to log in under a name. Their state on other nodes is fetched first."""

    name: str


@attrs.frozen
class PasswordForgotten:
    """Someone who hasn't logged in says that they forgot the password of a name. Perhaps nobody has that name."""

    name: str


@attrs.frozen
class Guessed:
    """Someone typed a password or another secret word for a name, from an address."""

    address: str
    name: str
    right: bool


@attrs.frozen
class LimitUsed:
    """An address has made a request that is limited, such as to register a name or to send a report."""

    quota: str
    """The name of the quota (`lilygames.limits.quota`)."""
    address: str


@attrs.frozen
class OpenedFrom:
    """A table was opened from an address. Nodes remember that in memory only."""

    number: int
    address: str


@attrs.frozen
class TableAwaited:
    """Someone needs a table that a start has left for later. It is restored before they go on."""

    number: int


@attrs.frozen
class TableWanted:
    """Someone needs a table that only other nodes follow. This node follows it before they go on."""

    number: int


@attrs.frozen
class RoomOpenedFrom:
    """A room was opened from an address. Nodes remember that in memory only."""

    key: str
    address: str


@attrs.frozen
class Arrived:
    """Someone has logged in or reconnected, and is in their room."""

    person: Person


@attrs.frozen
class Returned:
    """Someone was handed over from another process. Nothing may be shown to them."""

    person: Person


@attrs.frozen
class Mirrored:
    """Something changed about a person on another node."""

    person: Person


@attrs.frozen
class ProfileChanged:
    """Someone whom this node serves has changed their profile. It is being saved."""

    person: Person


@attrs.frozen
class Entered:
    """Someone has logged in or is no longer away, and has seen the greeting. Next they learn what they missed."""

    person: Person


@attrs.frozen
class Left:
    """Someone has disconnected."""

    person: Person


@attrs.frozen
class Detaches:
    """Someone has disconnected with /detach, and `/who` lists them until they come back."""

    person: Person


@attrs.frozen
class Renamed:
    """An account was renamed."""

    old: str
    new: str


@attrs.frozen
class RoomRenamed:
    """A room was renamed, here or on another node."""

    room: Room


@attrs.frozen
class Announced:
    """Something was said or done, before anyone is told.

    `programs` are the hearers whose clients want packets, `remote` those on other nodes. `mark` says who all hearers
    are, if they are the members of a room, or everyone (see `Audience`).
    """

    chat_event: ChatEvent
    programs: Sequence[Person]
    remote: Sequence[Person | Distant[Person]]
    mark: str = ""


@attrs.frozen
class Said(Announced):
    """A message, before anyone is told: the most frequent announcement, which most observers needn't see."""


@attrs.frozen
class Held:
    """A message to a room with members at several nodes. They are told when the store has given it a place."""

    chat_event: ChatEvent


@attrs.frozen
class Appealed:
    """Someone who may not come in asks the staff to look at their ban again."""

    name: str
    text: str


PersonEvent = (
    LoggingIn
    | PasswordForgotten
    | Guessed
    | LimitUsed
    | OpenedFrom
    | TableAwaited
    | TableWanted
    | RoomOpenedFrom
    | Arrived
    | Returned
    | Mirrored
    | ProfileChanged
    | Entered
    | Left
    | Detaches
    | Renamed
    | RoomRenamed
    | Announced
    | Said
    | Held
    | Appealed
)


class Observer(Protocol):
    """A component that handles events about people."""

    @property
    def observes(self) -> tuple[type[PersonEvent], ...]:
        """The kinds of events it handles."""

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Handle an event.

        Return an awaitable for slow work. Only `LoggingIn`, `Entered`, `Renamed`, `Appealed`, `TableAwaited` and
        `TableWanted` wait for it.
        """


class Publisher(Protocol):
    """Publishes events to all their observers, in a fixed order."""

    def publish(self, event: PersonEvent) -> None:
        """Publish an event to its observers without waiting for slow work."""

    async def publish_and_wait(self, event: PersonEvent) -> None:
        """Publish an event to its observers, one after the other, and wait for each."""


Observe = Callable[[PersonEvent], Awaitable[None] | None]


def by_kind(observers: Iterable[Observer]) -> Mapping[type, Sequence[Observe]]:
    """Return the observers of each kind of event, in order."""
    observers = tuple(observers)
    return {kind: tuple(one.observe for one in observers if kind in one.observes) for kind in get_args(PersonEvent)}


class Observers:
    """A publisher whose observers join last: what publishes events is made before what observes them."""

    def __init__(self) -> None:
        self._of: Mapping[type, Sequence[Observe]] = {}

    def join(self, *observers: Observer) -> None:
        """Let all observers join, in the order in which they are told of an event. Call it once."""
        self._of = by_kind(observers)

    def publish(self, event: PersonEvent) -> None:
        """Tell all observers about an event."""
        for observe in self._of[type(event)]:
            observe(event)

    async def publish_and_wait(self, event: PersonEvent) -> None:
        """Tell all observers about an event in order, and wait for each."""
        for observe in self._of[type(event)]:
            if work := observe(event):
                await work
