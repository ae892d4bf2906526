"""Joining and leaving: attach people to terminals, tell the others, and save what has to be kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from lilygames import log_events
from lilygames.chat.accounts.passwords import return_word
from lilygames.chat.host.friends import tell_arrival
from lilygames.chat.host.host import Dropped, Host
from lilygames.chat.names.names import claim_of, fold
from lilygames.chat.people.events import DETACHED, ChatEvent
from lilygames.chat.people.observers import Arrived, Detaches, Left
from lilygames.chat.people.people import Person, Room
from lilygames.chat.people.profile import Profile
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.rooms.lobbies import LOBBY
from lilygames.chat.visits.terminal_user import PersonAtTerminal
from lilygames.text import Line, Packet, count, listing

AGAIN = 1.0
"""Seconds until someone whom a restart has cut off is looked at again, because their tables aren't restored yet."""
NAMED = 8
"""Maximum people named to someone who enters a room."""


def arrive(
    host: Host,
    terminal: Terminal,
    name: str,
    *,
    guest: bool,
    profile: Profile | None = None,
    seen: Mapping[int, int] | None = None,
) -> Person:
    """Connect a person to this terminal, replacing an older connection, and show them where they are.

    `seen` is for a resumed session: the last log entry the client saw of each table.
    """
    person = host.people.get(fold(name))
    back = host.detached.drop(name) or person is not None
    if person is None:
        person = host.people[fold(name)] = Person(
            name, guest=guest, room=_entrance(host, name), profile=profile, since=host.clock()
        )
    older = person.connect(terminal)
    person.activity.typed()
    if not older:
        person.activity.come(missed_since=person.profile.seen)
    terminal.prefer(person.profile.settings)
    if older:
        older.show(Line("(disconnected: you've logged in from somewhere else)"))
        if older.takes_picture:
            older.packet(Packet("goodbye", {"reason": "elsewhere", "retry": False}))
        older.close()
    elif not _hushed(host, person):
        tell_arrival(host, person, _places(host, person), back=back)
    person.sit_at(host.tables.seating(name))
    person.focus.clear()
    if table := person.focus.on_return():
        person.speak_in(table.room)
    _take_places(host, person)
    terminal.attach(PersonAtTerminal(host, person))
    person.changed()
    person.take_seen(seen)
    person.show(Line(_where(person)))
    host.publish(Arrived(person))
    return person


def _entrance(host: Host, name: str) -> Room:
    """Return the lobby that someone enters: the one they were in if they have just lost their connection."""
    dropped = host.going.get(fold(name))
    before = dropped and host.lobbies.called(dropped.lobby)
    return host.lobbies.entered(before) if before else host.lobbies.for_newcomer()


def _where(person: Person) -> str:
    """Return the row that says where a person is, and who else is there."""
    room = person.room
    place = "the lobby" if room.name == LOBBY else room.name
    return f"You're in {place}{company(person, room)}."


def company(person: Person, room: Room) -> str:
    """Return who else is in a room, to follow its name: some by name, the rest as a number."""
    others = (other.name for other in room.people.values() if other is not person and other.here)
    some = [*islice(others, NAMED)]
    more = len(room.audience.here) - (person in room.audience.here) - len(some)
    names = [*some, *([count(more, "other")] if more > 0 else [])]
    return f" with {listing(names)}" if some else "; nobody else is here"


def _take_places(host: Host, person: Person) -> None:
    """Add an arriving person to their room and to the rooms they are a member of, without announcing it."""
    for room in _places(host, person):
        room.people[fold(person.name)] = person


def _places(host: Host, person: Person) -> list[Room]:
    """Return the rooms of an arriving person: the one they enter, and those they are a member of."""
    rooms = [room for name in person.profile.rooms if (room := host.rooms.called(name))]
    return [room for room in dict.fromkeys((person.room, *rooms)) if room.admits(person)]


def _hushed(host: Host, person: Person) -> bool:
    """Return whether a reconnect needs no announcement, because the disconnect wasn't announced yet."""
    dropped = host.going.pop(fold(person.name), None)
    if dropped:
        dropped.timer.cancel()
    return dropped is not None


def depart(host: Host, person: Person, *, goodbye: bool = False, told: bool = True, detaches: bool = False) -> None:
    """Disconnect a person; only their seats and stored data are kept.

    A dropped person has `host.patience` seconds to reconnect before the others are told. With `told` false the others
    are never told, because they already know. Someone who `detaches` is listed until they come back, if they can.
    """
    detaches = detaches and bool(person.seats or not person.guest)
    if person.terminal:
        log_events.logout(person.name, "quit" if goodbye else "lost")
    person.disconnect()
    lobby, rooms = host.lobbies.of(person).name, [*person.rooms]
    host.publish(Left(person))
    if not person.guest or person.seats:
        person.update_profile(seen=host.clock())
        host.keep(person)
    if person.seats:
        news = person.did("detach", text=" (their seat is kept)")
    else:
        if person.guest:
            host.profiles.keep(host.accounts.key(person.name), None)
            host.accounts.release(person.name)
            host.cluster.release(claim_of(person.name))
        news = person.did("disconnect", text="" if goodbye else " (connection lost)")
        remove_silently(host, person)
    if detaches:
        host.detached.add(person)
        host.publish(Detaches(person))
        news = person.did("detach", text=DETACHED)
    if not told:
        return
    if goodbye or not host.patience:
        host.tell_about(person, news, rooms)
    else:
        timer = asyncio.get_running_loop().call_later(host.patience, _gone, host, person, news, rooms)
        host.going[fold(person.name)] = Dropped(timer, lobby)


def expect_back(host: Host, person: Person) -> None:
    """Let someone whom a restart has cut off come back as if nothing had happened, for `host.patience` seconds."""
    _expect(host, person, host.patience)


def _expect(host: Host, person: Person, seconds: float) -> None:
    timer = asyncio.get_running_loop().call_later(seconds, _stayed_away, host, person)
    host.going[fold(person.name)] = Dropped(timer, host.lobbies.of(person).name)


def _stayed_away(host: Host, person: Person) -> None:
    if host.tables.waits_for(person.name):  # whether they have a seat isn't known yet
        _expect(host, person, AGAIN)
        return
    del host.going[fold(person.name)]
    depart(host, person)


def remove_silently(host: Host, person: Person) -> None:
    """Remove a person from the host and all rooms, without announcing it."""
    host.people.pop(fold(person.name), None)
    for room in [*person.rooms]:
        room.people.pop(fold(person.name), None)
        host.close_room(room)


def let_go(host: Host, names: Iterable[str], *, told: bool = False) -> None:
    """Let disconnected people (by folded name) leave, unless a seat is still kept for them.

    With `told` the others are told. That is for the end of a game, not for a long absence.
    """
    for person in [host.people[name] for name in names if name in host.people]:
        if person.here or host.keeps_seat(person.name):
            continue
        if person.node:
            remove_silently(host, person)
        else:
            depart(host, person, goodbye=True, told=told)


def _gone(host: Host, person: Person, news: ChatEvent, rooms: Sequence[Room]) -> None:
    del host.going[fold(person.name)]
    host.tell_about(person, news, rooms)


async def come_back_word(host: Host, person: Person) -> str:
    """Create and store a return word for a guest who has just taken a seat."""
    word = return_word()
    origin = person.terminal.address if person.terminal else ""
    await host.accounts.create(person.name, word, guest=True, origin=origin)
    return word
