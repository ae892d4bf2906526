"""The rows about people, rooms and groups, which SLCP clients store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from lilygames.chat.people.directory import Directory, PersonEntry, RoomEntry
from lilygames.chat.people.events import ChatEvent
from lilygames.edge.slcp.handles import Handles
from lilygames.edge.slcp.notices import EVENTS
from lilygames.edge.slcp.text import field, unmarked

_STATES = {"here": "here", "away": "away", "offline": "detach"}


def person_row(handle: int, entry: PersonEntry) -> str:
    """Return the row about a person. A login time of 0 says that they aren't here."""
    words = [
        f"%USER HANDLE=#{handle}",
        field("NAME", unmarked(entry.name)),
        field("BLURB", unmarked(entry.blurb)),
        f"LOGIN={entry.since} INPUT={entry.typed} STATE={_STATES[entry.state]} ATTRIB=0=",
        field("PRONOUN", unmarked(entry.pronoun or "their")),
    ]
    return " ".join(words)


def sender_row(handle: int, entry: PersonEntry, event: ChatEvent) -> str:
    """Return the row about the sender of an event, which may be ahead of what this node knows of them."""
    return person_row(handle, attrs.evolve(entry, blurb=event.blurb, pronoun=event.pronoun))


def gone_row(handle: int, name: str) -> str:
    """Return the row about a person who has left. Clients keep the blurb, which they show with the news."""
    return f"%USER HANDLE=#{handle} {field('NAME', unmarked(name))} LOGIN=0 INPUT=0 STATE=detach"


def room_row(handle: int, entry: RoomEntry) -> str:
    """Return the row about a room. We don't know when it was created, and clients only look whether it's 0."""
    words = [
        f"%DISC HANDLE=#{handle}",
        field("NAME", unmarked(entry.name)),
        field("TITLE", unmarked(entry.title)),
        f"INPUT=1 CREATION=1 USERS={len(entry.members)}",
        field("ATTRIB", ",".join(entry.kinds)),
    ]
    return " ".join(words)


def group_row(handles: Handles, name: str, marks: Iterable[str]) -> str:
    """Return the row about a person's own group."""
    members = ",".join(f"#{handles.of(mark)}" for mark in marks)
    return f"%GROUP {field('NAME', unmarked(name))} MEMBERS={members}"


def members_row(handles: Handles, handle: int, entry: RoomEntry | None) -> str:
    """Return the row that lists the members of a room, as far as the reader may know."""
    names = entry.members if entry else ()
    listed = ",".join(f"#{handles.of(f'~{name}')}" for name in names)
    return f"%DATA SOURCE=#{handle} NAME=members VALUE={listed}"


def sync(handles: Handles, directory: Directory) -> Iterator[tuple[int, str]]:
    """Yield the rows of a sync, each with the handle that it introduces or 0."""
    listing = directory.listing()
    yield 0, "%SLCP-SYNC START"
    yield 0, f"%DATA SOURCE=#0 NAME=whoami VALUE=#{handles.of(f'~{directory.own_name}')}"
    yield 0, f"%DATA SOURCE=#0 NAME=events VALUE={','.join(EVENTS)}"
    for person in listing.people:
        handle = handles.of(f"~{person.name}")
        yield handle, person_row(handle, person)
    for room in listing.rooms:
        handle = handles.of(f"-{room.name}")
        yield handle, room_row(handle, room)
    for name, marks in listing.groups.items():
        yield 0, group_row(handles, name, marks)
    yield 0, "%SLCP-SYNC END"
