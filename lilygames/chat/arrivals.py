"""How people come and go: who takes which terminal, what the others learn of it, and what is kept meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import islice

from lilygames.chat.events import ChatEvent
from lilygames.chat.host import Host
from lilygames.chat.names import claim_of, fold
from lilygames.chat.observers import Arrived, Left
from lilygames.chat.passwords import return_word
from lilygames.chat.people import Person
from lilygames.chat.profile import Profile
from lilygames.chat.terminal import Terminal
from lilygames.chat.terminal_user import PersonAtTerminal
from lilygames.text import Line, listing

NAMED = 8
"""People of a room who are named to somebody who comes."""


def arrive(
    host: Host,
    terminal: Terminal,
    name: str,
    *,
    guest: bool,
    profile: Profile | None = None,
    seen: Mapping[int, int] | None = None,
) -> Person:
    """Put the person behind this terminal, taking over from an older one, and tell them where they are.

    Who takes up a session is told of tables what they have not `seen` yet: the last entry of each is given.
    """
    person = host.people.get(fold(name))
    back = person is not None
    if person is None:
        person = host.people[fold(name)] = Person(
            name, guest=guest, room=host.lobby, profile=profile, since=host.clock()
        )
    older = person.connect(terminal)
    terminal.attach(PersonAtTerminal(host, person))
    person.activity.typed()
    if not older:
        person.activity.come(missed_since=person.profile.seen)
    terminal.prefer(person.profile.settings)
    if older:
        older.show(Line("(you have logged in somewhere else; this connection is closed)"))
        older.close()
    elif not _hushed(host, person):
        host.tell_all(person.did("attach" if back else "connect"), but=person)
    tables = [bot for room in host.rooms.values() if (bot := room.bot) and not bot.over]
    person.sit_at(bot for bot in tables if bot.keeps_seat(name))
    person.focus.clear()
    if table := person.focus.on_return():
        person.speak_in(table.room)
    _take_places(host, person)
    person.take_seen(seen)
    others = (other.name for other in person.room.people.values() if other is not person and other.here)
    some = [*islice(others, NAMED)]
    company = f"with {listing(some)}" if some else "by yourself"
    person.show(Line(f"(you are in {person.room.name} {company}; /help says the rest, /quick starts a game)"))
    host.publish(Arrived(person))
    return person


def _take_places(host: Host, person: Person) -> None:
    """Put somebody who comes where plain text goes, and into the discussions they are a member of, without a word."""
    rooms = [host.rooms[fold(name)] for name in person.profile.rooms if fold(name) in host.rooms]
    for room in (person.room, *rooms):
        if room.admits(person):
            room.people[fold(person.name)] = person


def _hushed(host: Host, person: Person) -> bool:
    """Whether nobody has been told yet that they had gone: then nobody is told that they are back."""
    timer = host.going.pop(fold(person.name), None)
    if timer:
        timer.cancel()
    return timer is not None


def depart(host: Host, person: Person, *, goodbye: bool = False, told: bool = True) -> None:
    """Let a person go who has hung up: a seat and what they own are kept, everything else is not.

    Whose line has dropped may come back within `host.patience` seconds without a word about either; nor is anybody
    `told` of it who was told long ago.
    """
    person.disconnect()
    host.publish(Left(person))
    if not person.guest or person.seats:
        person.update_profile(seen=host.clock())
        host.keep(person)
    if person.seats:
        news = person.did("detach", text=" (the seat is kept)")
    else:
        if person.guest:
            host.profiles.keep(host.accounts.key(person.name), None)
            host.accounts.release(person.name)
            host.cluster.release(claim_of(person.name))
        news = person.did("disconnect", text="" if goodbye else " (the line dropped)")
        vanish(host, person)
    if not told:
        return
    if goodbye or not host.patience:
        host.tell_all(news, but=person)
    else:
        loop = asyncio.get_running_loop()
        host.going[fold(person.name)] = loop.call_later(host.patience, _gone, host, person, news)


def vanish(host: Host, person: Person) -> None:
    """Take somebody away from everywhere without a word."""
    host.people.pop(fold(person.name), None)
    for room in list(host.rooms.values()):
        room.people.pop(fold(person.name), None)
        host.close_room(room)


def _gone(host: Host, person: Person, news: ChatEvent) -> None:
    del host.going[fold(person.name)]
    host.tell_all(news, but=person)


async def come_back_word(host: Host, person: Person) -> str:
    """Return the word by which a guest who has just sat down comes back, now kept hashed."""
    word = return_word()
    origin = person.terminal.address if person.terminal else ""
    await host.accounts.create(person.name, word, guest=True, origin=origin)
    return word
