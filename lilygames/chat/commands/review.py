"""/review: read earlier messages again."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import merge

import attrs
import structlog

from lilygames.chat.host import packets
from lilygames.chat.host.context import Context
from lilygames.chat.names.names import fold
from lilygames.chat.people import notifications
from lilygames.chat.people.events import MESSAGES, ChatEvent
from lilygames.chat.people.people import Room
from lilygames.chat.talk.history import of_person, of_room
from lilygames.chat.talk.review import FEW, Wanted, shown
from lilygames.commands import command
from lilygames.errors import NotFound, UserError
from lilygames.text import Line, Packet

log = structlog.get_logger()
MANY = 1000
"""Messages that are counted one by one for someone who comes back."""


@command("review", group="talk", syntax="[ROOM | me | game | mistakes] [NUMBER] [TIME] [from NAME] [EVENTS]")
async def review(context: Context, what: str = "", *words: str) -> Sequence[Line]:
    """Read earlier messages: /review (all you missed), /review lobby (the latest there), /review me from bob.

    You can add a time (30m, 1h, 2d): /review lobby 2d. You can also add a number
    of messages, a name, or kinds of events: /review cafe 50, /review me from bob.
    /review lobby detach shows what you missed there.
    Arrivals and departures are left out; to see them, add join, quit or all.
    /review game shows your costliest moves in your last game, /review game 12
    those in game 12, and /review mistakes those of your latest reviews. In a
    table's room you also see its game.
    If you own a room, you can clear its messages: /review clear cafe.
    """
    host, person = context.host, context.person
    if what.casefold() == "clear" and words:
        return [Line(await _cleared(context, words[0]))]
    if fold(what) == "game":
        return await context.games.costliest(person, words)
    if fold(what) == "mistakes":
        return await context.games.mistakes(person)
    now, missed = host.clock(), person.activity.missed_since
    if not what:
        return await _missed_or_last(context)
    if fold(what) == "me":
        wanted = Wanted.read(words, now, missed)
        return shown(
            await _heard(context, of_person(host.accounts.key(person.name)), wanted),
            wanted,
            person.name,
            person.profile.zone,
        )
    room = host.lookup.room(what, person)
    if fold(person.name) not in room.people:
        raise NotFound(f"only members can review {room.name}. Type /join {room.name} first.")
    wanted = Wanted.read(words, now, missed)
    found = _merged(await _of_room(context, room, wanted), sorted(await context.games.tale(person, room), key=_at))
    return shown(found, wanted, person.name, person.profile.zone, what=room.name)


@command("get:talk", rare=True)
async def get_talk(context: Context) -> None:
    """Send a page the last messages that this person could review: private ones, and those of their rooms."""
    if not context.person.takes_packets:
        raise UserError("/get:talk is for programs. Type /review instead.")
    found = await _everywhere(context, Wanted(most=FEW, kinds=frozenset(MESSAGES)))
    context.person.packet(Packet("recent", [packets.recent(one) for one in found[-FEW:]]))


def _at(chat_event: ChatEvent) -> float:
    return chat_event.at


def _merged(*logs: Sequence[ChatEvent]) -> list[ChatEvent]:
    """Return the events of several logs by time. Those of one log stay in its order, whatever the clocks said."""
    return [*merge(*logs, key=_at)]


async def _heard(context: Context, name: str, wanted: Wanted) -> list[ChatEvent]:
    """Return the wanted events of a log, without people the reader ignores."""
    own = context.person.profile

    def counts(one: ChatEvent) -> bool:
        return wanted.includes(one) and not notifications.ignores(own, one)

    return await context.history.latest(name, wanted.since, wanted.needed, counts, origin=context.person.origin)


async def _of_room(context: Context, room: Room, wanted: Wanted) -> list[ChatEvent]:
    since = max(wanted.since, room.charter.cleared)
    return await _heard(context, of_room(room.key), attrs.evolve(wanted, since=since))


async def _missed_or_last(context: Context) -> Sequence[Line]:
    """Return the messages a person missed everywhere, or the latest ones if they missed none."""
    person = context.person
    missed = Wanted.read(("detach",), context.host.clock(), person.activity.missed_since)
    if found := await _everywhere(context, missed):
        return shown(found, missed, person.name, person.profile.zone)
    last = Wanted(most=FEW)
    return shown(await _everywhere(context, last), last, person.name, person.profile.zone)


async def _everywhere(context: Context, wanted: Wanted) -> list[ChatEvent]:
    """Return private messages and those of all the person's rooms, oldest first."""
    person = context.person
    private = await _heard(context, of_person(context.host.accounts.key(person.name)), wanted)
    rooms = [room for room in context.host.rooms.values() if fold(person.name) in room.people]
    return [*dict.fromkeys(_merged(private, *[await _of_room(context, room, wanted) for room in rooms]))]


async def _cleared(context: Context, name: str) -> str:
    room = context.discussions.owned(context.person, context.host.lookup.room(name, context.person))
    news = context.person.did("review", rooms=(room.name,))
    await context.discussions.change(room, news, cleared=context.host.clock())
    return f"(you've cleared the review of {room.name}; earlier messages are no longer shown)"
