"""Packets for clients: the server, who you are, who is here, the rooms, the tables, and what is said.

Text that a person wrote is always in a field that says whose it is, never in the server's own words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from lilygames import __version__
from lilygames.chat.events import ChatEvent
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.observers import Announced, Arrived, PersonEvent, Renamed
from lilygames.chat.people import Person
from lilygames.text import Line, Packet, Problem

PROTOCOL = 1
"""The version of the protocol. `/help machine` says what may change without a new one."""
LISTED = 500
"""Maximum people in a list of who is here, and rooms in a list of rooms."""
NAMED = 30
"""Maximum names that someone is told who hasn't logged in."""


class Programs:
    """Sends chat packets to clients."""

    observes = (Arrived, Renamed, Announced)

    def __init__(self, host: Host) -> None:
        self._host = host

    def observe(self, event: PersonEvent) -> None:
        """Send the packets for an event."""
        match event:
            case Announced(chat_event, programs):
                if programs:
                    said(chat_event, programs)
                if chat_event.kind in ("join", "quit"):
                    moved(self._host, chat_event)
            case Arrived(person):
                introduce(self._host, person)
            case Renamed(_, new):
                renamed(self._host, new)


def introduce(host: Host, person: Person) -> None:
    """Send a newly arrived person's client their name and room."""
    _name(person)
    for name in ("channels", "commands"):
        answer(host, person, name)


def renamed(host: Host, name: str) -> None:
    """Send a renamed person's client their new name."""
    if person := host.people.get(fold(name)):
        _name(person)


def _name(person: Person) -> None:
    person.packet(Packet("name", {"name": person.name, "guest": person.guest}))


def hello(host: Host) -> Packet:
    """Return the first packet: the version of the protocol, and what is spoken to."""
    value = {"protocol": PROTOCOL, "place": host.name, "version": __version__, "games": [*host.games]}
    return Packet("hello", value)


def place(host: Host) -> Packet:
    """Return what someone who hasn't logged in may know: who is here, and the public tables."""
    names = sorted((person.name for person in host.people.values() if person.here), key=fold)
    return Packet("place", {"people": len(names), "who": names[:NAMED], "tables": host.tables.facts(None)})


def got(host: Host, person: Person, what: str, table: int | None) -> Line | None:
    """Send what a program asked for; return the line that refuses it if there is no such table."""
    match what:
        case "place":
            person.packet(place(host))
        case "people":
            person.packet(Packet("people", _people(host, person)))
        case "rooms":
            person.packet(Packet("rooms", _rooms(host, person)))
        case "tables":
            person.packet(Packet("tables", host.tables.facts(person)))
        case "table":
            if table is None or not host.tables.inform(person, table):
                return Line(f"Refused: there's no open table {table}.", problem=Problem("not-found"))
        case _:
            answer(host, person, what)
    return None


def _people(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the people here: their names, what they say of themselves, and their rooms that this person may see."""
    rooms = [room for room in host.rooms.values() if room.may_see(person)]
    return [
        {
            "name": other.name,
            "blurb": other.profile.blurb,
            "guest": other.guest,
            "away": other.activity.away,
            "rooms": [room.name for room in rooms if fold(other.name) in room.people],
        }
        for other in [one for one in host.people.values() if one.here][:LISTED]
    ]


def _rooms(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the rooms that a person may see. The title is its owner's words; without an owner, the server's."""
    numbers = {facts["room"]: facts["number"] for facts in host.tables.facts(person)}
    return [
        {
            "name": room.name,
            "title": room.title,
            "owner": room.charter.owner,
            "people": len(room.people),
            "member": fold(person.name) in room.people,
            "table": numbers.get(room.name),
        }
        for room in host.rooms.values()
        if room.may_see(person)
    ][:LISTED]


def answer(host: Host, person: Person, name: str) -> None:
    """Send the packet of this name."""
    if person.wants_packets:
        person.packet(Packet(name, _ANSWERS[name](host, person)))


def _channels(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the rooms a person is in."""
    rooms = [room for room in host.rooms.values() if fold(person.name) in room.people]
    return [{"name": room.name, "caption": room.title, "command": f"-{room.name};"} for room in rooms]


def _players(host: Host, person: Person) -> Sequence[Mapping[str, object]]:
    """Return the people here, each with the rooms that this person may see."""
    here = [other for other in host.people.values() if other.here][:LISTED]
    rooms = [room for room in host.rooms.values() if room.may_see(person)]
    return [
        {"name": other.name, "channels": [room.name for room in rooms if fold(other.name) in room.people]}
        for other in here
    ]


def _commands(host: Host, _: Person) -> Sequence[str]:
    """Return the commands listed in the help. Game moves have their own list."""
    return sorted({command.name for command in host.dispatcher.commands if command.group})


_ANSWERS: Mapping[str, Callable[[Host, Person], object]] = {
    "channels": _channels,
    "players": _players,
    "commands": _commands,
}


def moved(host: Host, chat_event: ChatEvent) -> None:
    """Send a person's client their rooms when they join or leave one."""
    person = host.people.get(fold(chat_event.by))
    if person and person.wants_packets:
        asyncio.get_running_loop().call_soon(answer, host, person, "channels")  # told before they are in


def said(chat_event: ChatEvent, hearers: Sequence[Person]) -> None:
    """Send a message to the clients of those who hear it."""
    if not (hearers and chat_event.said):
        return
    talk = Packet("talk", _said(chat_event))
    for person in hearers:
        if person.wants_packets and person.wants(chat_event).shown:
            person.packet(talk)


def _said(chat_event: ChatEvent) -> Mapping[str, object]:
    return {
        "channel": chat_event.rooms[0] if chat_event.rooms else "",
        "talker": chat_event.by,
        "text": chat_event.text,
        "kind": chat_event.kind,
        "to": [*chat_event.to, *chat_event.rooms],
        "at": int(chat_event.at),
    }
