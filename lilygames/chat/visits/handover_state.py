"""A person's unsaved state, passed from one process to the next during a handover."""

from __future__ import annotations

from typing import ClassVar

import attrs

from lilygames import codec
from lilygames.chat.host.host import Host
from lilygames.chat.input.choices import Choices
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Returned
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.visits.terminal_user import PersonAtTerminal


@attrs.frozen
class PersonState:
    """A person who is here or has a seat."""

    STORED_AS: ClassVar = "Kept"

    name: str
    guest: bool
    key: str
    """Account key under which their data is stored."""
    here: bool
    room: str
    rooms: tuple[str, ...]
    away: bool
    idled: bool
    since: float
    idle: float
    """Seconds since they last typed."""
    missed_since: float
    last_to: tuple[str, ...]
    last_from: str
    last_group: tuple[str, ...]
    session: str = ""
    """Id of the session that their client can resume; empty if the store was away when they logged in."""
    not_watching: tuple[str, ...] = ()
    """Rooms they are in without watching the game."""
    sent_again: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """The texts of their last lines, which aren't followed again."""
    menu: Choices | None = attrs.field(default=None, hash=False, metadata={codec.LATER: True})
    """The menu on their screen."""


def carry(host: Host, person: Person) -> PersonState:
    """Return a person's state for the next process."""
    name = fold(person.name)
    return PersonState(
        name=person.name,
        guest=person.guest,
        key=host.accounts.key(person.name),
        here=person.here,
        room=person.room.name,
        rooms=tuple(room.name for room in person.rooms),
        away=person.activity.away,
        idled=person.activity.idle,
        since=person.activity.since,
        idle=person.activity.idle_seconds,
        missed_since=person.activity.missed_since,
        last_to=person.recipients.last_to,
        last_from=person.recipients.last_from,
        last_group=person.recipients.last_group,
        session=person.session,
        not_watching=tuple(room.name for room in person.rooms if name in room.not_watching),
        sent_again=tuple(host.sent_again.of(host.accounts.key(person.name))),
        menu=person.focus.choices,
    )


async def take_up(host: Host, kept: PersonState) -> Person:
    """Restore a person without a terminal, unannounced; raises `StoreUnavailable`."""
    await host.meet(kept.name)
    host.accounts.known_by(kept.name, kept.key)
    person = host.people[fold(kept.name)] = Person(kept.name, guest=kept.guest, room=host.lobby)
    person.set_profile(await host.owned(kept.name))
    person.activity.restore(
        since=kept.since,
        idle_seconds=kept.idle,
        away=kept.away,
        idle=kept.idled,
        missed_since=kept.missed_since,
    )
    person.resume(kept.session)
    host.sent_again.restore(kept.key, kept.sent_again)
    person.recipients.restore(kept.last_to, kept.last_from, kept.last_group)
    rooms = (host.lobbies.called(name) or host.rooms.called(name) for name in kept.rooms)
    for room in filter(None, rooms):
        host.lobbies.entered(room).people[fold(kept.name)] = person
    for room in filter(None, map(host.rooms.called, kept.not_watching)):
        room.stop_watching((fold(kept.name),))
    person.speak_in(host.rooms.called(kept.room) or host.lobbies.of(person))
    person.focus.reopen(kept.menu)
    return person


def attach(host: Host, person: Person, terminal: Terminal | None) -> None:
    """Attach a restored person to their terminal, if any, and notify the observers."""
    if terminal:
        person.connect(terminal)
        terminal.attach(PersonAtTerminal(host, person))
    host.publish(Returned(person))
