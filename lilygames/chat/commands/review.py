"""What people type to read again what was said, and what they are told when they come back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import attrs
import structlog

from lilygames.chat import notifications
from lilygames.chat.discussions import Discussions
from lilygames.chat.errors import NoSuch
from lilygames.chat.events import Happening
from lilygames.chat.history import History, of_person, of_room
from lilygames.chat.host import Call, Host
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.chat.review import FEW, Wanted, shown
from lilygames.commands import Command, command, declared
from lilygames.store import Unavailable
from lilygames.text import Line, count, listing

log = structlog.get_logger()
MANY = 1000
"""Messages that are counted one by one for somebody who comes back."""


@attrs.frozen
class Reading:
    """A command about what was said, on its way, with where that is kept."""

    call: Call
    history: History
    discussions: Discussions


def of(history: History, discussions: Discussions) -> tuple[Command, ...]:
    """Return the commands that read this history."""

    def run(typed: Command) -> Callable[..., object]:
        return lambda call, *arguments: typed.run(Reading(call, history, discussions), *arguments)

    return tuple(attrs.evolve(typed, run=run(typed)) for typed in declared(review))


@command("review", group="talk")
async def review(at: Reading, what: str = "", *words: str) -> Sequence[Line]:
    """Read again what was said: /review (all you missed), /review lobby (the last lines there), /review me from bob.

    A time (30m, 1h, 2d), a number of messages, a name and kinds of events choose: /review lobby 2d, /review cafe 50.
    /review lobby detach shows what you missed there.
    Who came and went is left out unless you ask for join, quit or all.
    A table's discussion tells its game as well. The owner of a discussion clears it: /review clear cafe.
    """
    host, person = at.call.host, at.call.person
    if what.casefold() == "clear" and words:
        return [Line(await _cleared(at, words[0]))]
    now, missed = host.clock(), person.missed_since
    if not what:
        return await _missed_or_last(at)
    if fold(what) == "me":
        wanted = Wanted.read(words, now, missed)
        return shown(await _heard(at, of_person(host.accounts.key(person.name)), wanted), wanted, person.name)
    room = host.room(what, person)
    if fold(person.name) not in room.people:
        raise NoSuch(f"only members read again what was said; /join {room.name} makes you one.")
    wanted = Wanted.read(words, now, missed)
    found = [*await _of_room(at, room, wanted), *await host.tale(person, room)]
    return shown(sorted(found, key=lambda one: one.at), wanted, person.name)


async def _heard(at: Reading, name: str, wanted: Wanted) -> list[Happening]:
    """Return what is wanted of a log, without those whom the reader ignores."""
    own = at.call.person.belongings

    def counts(one: Happening) -> bool:
        return wanted.includes(one) and not notifications.ignores(own, one)

    return await at.history.latest(name, wanted.since, wanted.needed, counts, origin=at.call.person.origin)


async def _of_room(at: Reading, room: Room, wanted: Wanted) -> list[Happening]:
    since = max(wanted.since, room.charter.cleared)
    return await _heard(at, of_room(room.name), attrs.evolve(wanted, since=since))


async def _missed_or_last(at: Reading) -> Sequence[Line]:
    """Return the lines of what somebody missed everywhere, or of what was said last where that is nothing."""
    person = at.call.person
    missed = Wanted.read(("detach",), at.call.host.clock(), person.missed_since)
    if found := await _everywhere(at, missed):
        return shown(found, missed, person.name)
    last = Wanted(most=FEW)
    return shown(await _everywhere(at, last), last, person.name)


async def _everywhere(at: Reading, wanted: Wanted) -> list[Happening]:
    """Return private messages and those of all discussions together, in the order in which they were said."""
    person = at.call.person
    found = await _heard(at, of_person(at.call.host.accounts.key(person.name)), wanted)
    for room in list(at.call.host.rooms.values()):
        if fold(person.name) in room.people:
            found += await _of_room(at, room, wanted)
    return sorted(dict.fromkeys(found), key=lambda one: one.at)


async def _cleared(at: Reading, name: str) -> str:
    room = at.discussions.owned(at.call.person, at.call.host.room(name, at.call.person))
    news = at.call.person.did("review", rooms=(room.name,))
    await at.discussions.change(room, news, cleared=at.call.host.clock())
    return f"(what was said in {room.name} before is reviewed no more)"


def tells_who_comes(host: Host, history: History) -> None:
    """Tell everybody who logs in or is back what they missed: counts, in one line."""

    async def greet(person: Person) -> None:
        try:
            person.show(*await missed(host, history, person))
        except Unavailable as problem:
            log.warning("what somebody missed cannot be read", name=person.name, why=str(problem))
            person.show(Line("(what you missed cannot be read just now; /review shows it later)"))

    host.on_entry.append(greet)


async def missed(host: Host, history: History, person: Person) -> list[Line]:
    """Return the line that says how much was said while somebody was away; nothing where nothing was."""
    since = person.missed_since
    if not since:
        return []

    def counts(one: Happening) -> bool:
        return one.said and fold(one.by) != fold(person.name) and not notifications.ignores(person.belongings, one)

    mail = await history.latest(of_person(host.accounts.key(person.name)), since, MANY, counts)
    said = [_many(len(mail), "private message")] if mail else []
    for room in list(host.rooms.values()):
        if fold(person.name) in room.people:
            heard = await history.latest(of_room(room.name), max(since, room.charter.cleared), MANY, counts)
            said += [f"{_many(len(heard), 'message')} in {room.name}"] if heard else []
    if not said:
        return []
    when = time.strftime("%a %H:%M %Z", time.localtime(since))
    return [Line(f"(while you were away, since {when}: {listing(said)}; /review shows what was said)")]


def _many(number: int, thing: str) -> str:
    return count(number, thing) if number < MANY else f"{MANY} {thing}s or more"
