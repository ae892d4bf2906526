"""Packets for clients: the server, who you are, who is here, the rooms, the tables, and what is said.

Text that a person wrote is always in a field that says whose it is, never in the server's own words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from lilygames import __version__
from lilygames.chat.host.host import Host
from lilygames.chat.host.present import present
from lilygames.chat.names.names import fold
from lilygames.chat.people import settings
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Announced, Arrived, PersonEvent, Renamed, RoomRenamed, Said
from lilygames.chat.people.people import Person, Room
from lilygames.chat.people.profile import Profile
from lilygames.chat.people.terminal import Terminal
from lilygames.errors import UserError, refusal
from lilygames.limits.quota import LIST_PAGES
from lilygames.text import Line, Packet, Problem, clean

PROTOCOL = 1
"""The version of the protocol. `/help machine` says what may change without a new one."""
LISTED = 500
"""Maximum people in a list of who is here, and rooms in a list of rooms."""
Reason = Literal["elsewhere", "restart", "bye", "idle", "banned"]
PLACES = ("rooms", "tables", "people")
"""The packets that a page is sent after the login, before its tables."""
_LISTS = ("place", "people", "rooms", "tables")
_OF_TABLES = ("place", "rooms", "tables")
"""The packets that list the open tables, or say which rooms have one."""
FIRST_TABLES = 50
"""Maximum tables that someone is told who hasn't logged in. They are those that `/tables` lists first."""
TABLES_A_PAGE = 100
"""Maximum tables in a list for someone who has."""
NAMED = 30
"""Maximum names that someone is told who hasn't logged in."""


class Programs:
    """Sends chat packets to clients."""

    observes = (Arrived, Renamed, RoomRenamed, Announced, Said)

    def __init__(self, host: Host) -> None:
        self._host = host

    def observe(self, event: PersonEvent) -> None:
        """Send the packets for an event."""
        if isinstance(event, Said):
            if event.programs or self._host.people.near.programs:
                said(self._host, event.chat_event, event.programs)
            return
        match event:
            case Announced(chat_event) if chat_event.kind in ("join", "quit"):
                moved(self._host, chat_event)
            case Arrived(person):
                introduce(self._host, person)
            case Renamed(_, new):
                renamed(self._host, new)
            case RoomRenamed(room):
                room_renamed(self._host, room)


def introduce(host: Host, person: Person) -> None:
    """Send a newly arrived person's client their name and room, and a page also the rooms and tables."""
    _name(person)
    for name in ("channels", "commands"):
        answer(host, person, name)
    for name in PLACES if person.takes_picture else ():
        _list(host, person, name)
        if name in _OF_TABLES:
            host.tables.when_all_listed(partial(_list, host, person, name))


def renamed(host: Host, name: str) -> None:
    """Send a renamed person's client their new name."""
    if person := host.people.get(fold(name)):
        _name(person)
        if person.takes_picture:
            person.packet(you(person.name, person.profile, guest=person.guest))


def room_renamed(host: Host, room: Room) -> None:
    """Send the clients of everyone here who may see a renamed room their rooms. A page then asks for the others."""
    for person in [*host.people.near.programs]:
        if room.may_see(person):
            answer(host, person, "channels")


def you(name: str, own: Profile, *, guest: bool) -> Packet:
    """Return who has logged in on a page, and their settings that aren't the default."""
    return Packet("you", {"name": name, "guest": guest, "settings": settings.stated(own)})


def _name(person: Person) -> None:
    person.packet(Packet("name", {"name": person.name, "guest": person.guest}))


def say_goodbye(terminal: Terminal, reason: Reason, *, retry: bool = False) -> None:
    """Tell a page why it is about to be disconnected, and whether it should come back by itself."""
    if terminal.takes_picture:
        terminal.packet(Packet("goodbye", {"reason": reason, "retry": retry}))


def hello(host: Host) -> Packet:
    """Return the first packet: the version of the protocol, and what is spoken to."""
    games = {"games": [*host.games], "titles": dict(host.games)}
    value = {"protocol": PROTOCOL, "place": host.name, "version": __version__, **games}
    return Packet("hello", value)


def place(host: Host, name: str = "") -> Packet:
    """Return what someone who hasn't logged in may know: who is here, some of the public tables, and what is on.

    With a name, the notices say what this person has joined, and which of their friends are here.
    """
    return Packet("place", host.notices.facts(name))


def greet(host: Host, terminal: Terminal) -> None:
    """Send a terminal what someone who hasn't logged in may know, and from then on what changes in it."""
    sent = place(host)
    terminal.packet(sent)
    host.notices.follow(terminal, sent.value)


def follow_place(host: Host, person: Person, *, on: bool) -> None:
    """Send a person's program what changes in the notices from now on, or stop that. It has just got them."""
    if person.terminal and on:
        host.notices.follow(person.terminal, host.notices.facts(person.name), person.name)
    elif person.terminal:
        host.notices.unfollow(person.terminal)


def got(host: Host, person: Person, what: str, number: int | None) -> Line | None:
    """Send what a program asked for; return the line that refuses it if the table doesn't exist.

    The number is that of a table, or of the last table of the page before. After a start, what lists tables may have to
    wait until all can be listed. A page gets what is known at once, too.
    """
    after = number if what == "tables" and number else 0
    try:
        if what in _LISTS:
            host.quotas.use(LIST_PAGES, host.quotas.who(person))
    except UserError as problem:
        return refusal(problem, person.name)
    match what:
        case name if name in _OF_TABLES and host.tables.when_all_listed(partial(_list, host, person, name, after)):
            if person.takes_picture:
                _list(host, person, name, after)
        case "place" | "people" | "rooms" | "tables":
            _list(host, person, what, after)
        case "choices":
            if number is None or not host.tables.choices(person, number):
                return Line(f"Refused: you have no seat at table {number}.", problem=Problem("not-found"))
        case "table":
            if number is None or not host.tables.inform(person, number):
                return Line(f"Refused: there's no open table {number}.", problem=Problem("not-found"))
        case _:
            answer(host, person, what)
    return None


def _list(host: Host, person: Person, what: str, after: int = 0) -> None:
    match what:
        case "place":
            person.packet(place(host, person.name))
        case "people":
            person.packet(Packet("people", _people(host, person)))
        case "rooms":
            person.packet(Packet("rooms", _rooms(host, person)))
        case "tables":
            person.packet(Packet("tables", host.tables.facts(person, after, TABLES_A_PAGE)))


def _people(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the people here: their names, what they say of themselves, and their rooms that this person may see."""
    found = present(host, person)
    return [
        {
            "name": other.name,
            "blurb": clean(other.blurb),
            "guest": other.guest,
            "away": other.state == "away",
            "rooms": [*found.rooms_of.get(other.name, ())],
        }
        for other in found.here[:LISTED]
    ]


def _rooms(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the rooms that a person may see. The title is its owner's words; without an owner, the server's."""
    return [
        {
            "name": room.name,
            "title": clean(room.title),
            "owner": room.owner,
            "people": len(room.members),
            "member": person.name in room.members,
            "table": host.tables.number_in(room.name),
        }
        for room in present(host, person).rooms[:LISTED]
    ]


def answer(host: Host, person: Person, name: str) -> None:
    """Send the packet of this name."""
    if person.takes_packets:
        person.packet(Packet(name, _ANSWERS[name](host, person)))


def _channels(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the rooms a person is in."""
    rooms = [room for room in host.rooms.values() if fold(person.name) in room.people]
    return [{"name": room.name, "caption": room.title, "command": f"-{room.name};"} for room in rooms]


def _players(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the people here, each with the rooms that this person may see."""
    found = present(host, person)
    return [{"name": one.name, "channels": [*found.rooms_of.get(one.name, ())]} for one in found.here[:LISTED]]


def _commands(host: Host, _: Person) -> Sequence[str]:
    """Return the commands listed in the help. Game moves have their own list."""
    return sorted({command.name for command in host.commands if command.group})


_ANSWERS: Mapping[str, Callable[[Host, Person], object]] = {
    "channels": _channels,
    "players": _players,
    "commands": _commands,
}


def moved(host: Host, chat_event: ChatEvent) -> None:
    """Send a person's client their rooms when they join or leave one."""
    person = host.people.get(fold(chat_event.by))
    if person and person.takes_packets:
        asyncio.get_running_loop().call_soon(answer, host, person, "channels")  # told before they are in


def said(host: Host, chat_event: ChatEvent, hearers: Sequence[Person]) -> None:
    """Send a message to the clients of those who hear it, and to the sender's page; pages get its id, too."""
    if not chat_event.said or not (hearers or host.people.near.programs):
        return
    sender = host.people.get(fold(chat_event.by))
    own = [sender] if sender and sender.takes_picture and sender not in hearers else []
    if not (hearers or own):
        return
    talk = Packet("talk", _said(chat_event))
    about = {"id": host.message_ids.next(chat_event.at), "room": talk.value["channel"], "from": chat_event.by}
    numbered = Packet("talk", {**about, **talk.value})
    hears = [person for person in hearers if person.takes_packets and person.wants(chat_event).shown]
    for person in sorted([*hears, *own], key=lambda person: person.takes_picture):
        person.packet(numbered if person.takes_picture else talk)


def recent(chat_event: ChatEvent) -> Mapping[str, object]:
    """Return a message that was said earlier, as pages get it, without an id."""
    said_then = _said(chat_event)
    return {"room": said_then["channel"], "from": chat_event.by, **said_then}


def _said(chat_event: ChatEvent) -> Mapping[str, object]:
    return {
        "channel": chat_event.rooms[0] if chat_event.rooms else "",
        "talker": chat_event.by,
        "text": clean(chat_event.text),
        "kind": chat_event.kind,
        "to": [*chat_event.to, *chat_event.rooms],
        "at": int(chat_event.at),
    }
