"""What chat sends to programs, beside the lines for people: who one is, and what is said."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.happening import Happening
from lilygames.chat.people import Person
from lilygames.text import Packet


def introduce(person: Person) -> None:
    """Tell the terminal of somebody who has come who they are."""
    person.packet(Packet("name", {"name": person.name, "guest": person.guest}))


def said(happening: Happening, hearers: Sequence[Person]) -> None:
    """Send what is said to the programs of those who hear it."""
    if not (hearers and happening.said):
        return
    talk = {
        "channel": happening.rooms[0] if happening.rooms else "",
        "talker": happening.by,
        "text": happening.text,
        "kind": happening.kind,
        "to": [*happening.to, *happening.rooms],
    }
    for person in hearers:
        if person.wants_packets and person.wants(happening).shown:
            person.packet(Packet("talk", talk))
