"""Chat packets for clients: who you are, who is here, the rooms, and what is said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from lilygames.chat.events import ChatEvent
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.observers import Announced, Arrived, PersonEvent, Renamed
from lilygames.chat.people import Person
from lilygames.text import Packet

LISTED = 500
"""Maximum people in a list of who is here."""


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
    talk = {
        "channel": chat_event.rooms[0] if chat_event.rooms else "",
        "talker": chat_event.by,
        "text": chat_event.text,
        "kind": chat_event.kind,
        "to": [*chat_event.to, *chat_event.rooms],
    }
    for person in hearers:
        if person.wants_packets and person.wants(chat_event).shown:
            person.packet(Packet("talk", talk))
