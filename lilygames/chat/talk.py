"""What people say: to their room, or to the people and discussions they name. It never starts a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from lilygames.chat.happening import BODY, Happening, Kind, acted
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.chat.sorry import NoSuch, Sorry
from lilygames.text import Line, clean, listing

if TYPE_CHECKING:
    from lilygames.chat.host import Host

__all__ = ["BODY", "hear", "say", "send"]
LONGEST = 2000
"""Characters of one message."""
MOST = 40
"""People and discussions that one message is sent to."""
_SEND = re.compile(r"(?P<to>[^\s;:]+)(?P<mark>[;:])(?P<said>.*)", re.DOTALL)
_ALL = re.compile(r"=(?:all)?\s*;?(?P<said>.*)", re.DOTALL | re.IGNORECASE)


def hear(host: Host, person: Person, text: str) -> None:
    """Take a line that is no command and no move: a send in one of lily's forms, else talk; raises `Sorry`.

    `name;text`, `-room;text`, `a,b;text`, `;again`, `:reply`, `=all`. A colon sends only where somebody is meant and
    the text follows at once: `note: buy milk` is talk.
    """
    match text[:1]:
        case ";":
            _again(host, person, text[1:])
            return
        case ":" if person.last_from and text[1:2] not in (")", "(", "-", "/", "D", "P", "|", "*"):
            send(host, person, [person.last_from], text[1:])
            return
        case "=" if person.last_group:
            send(host, person, person.last_group, _ALL.sub(r"\g<said>", text))
            return
    if found := _SEND.fullmatch(text):
        to = [name for name in found["to"].split(",") if name]
        if found["mark"] == ";" or (found["said"][:1].strip() and _all_known(host, person, to)):
            send(host, person, to, found["said"])
            return
    say(host, person, text)


def _all_known(host: Host, person: Person, to: Sequence[str]) -> bool:
    try:
        return bool(to) and bool(_resolved(host, person, to))
    except Sorry:
        return False


def _again(host: Host, person: Person, text: str) -> None:
    if not person.last_to:
        raise Sorry("you have sent to nobody yet; NAME;text sends to a person or a discussion.")
    send(host, person, person.last_to, text)


def say(host: Host, person: Person, text: str) -> None:
    """Say something where plain text goes: to the default recipients, or the room; raises `Sorry`."""
    if person.belongings.sends_to:
        send(host, person, person.belongings.sends_to.split(","), text)
    else:
        _speak(host, person, [person.room], text)


def send(host: Host, person: Person, to: Sequence[str], text: str) -> None:
    """Send to people and discussions by name, all of whom see who else it goes to; raises `Sorry`."""
    found = _resolved(host, person, to)
    person.last_to = tuple(_typed(one) for one in found)
    _speak(host, person, found, text)


def _typed(one: Person | Room) -> str:
    return f"-{one.name}" if isinstance(one, Room) else f"~{one.name}"


def _resolved(host: Host, person: Person, to: Sequence[str]) -> list[Person | Room]:
    """Return whom names reach, each once: `me`, groups of one's own, people, discussions; raises `Sorry`."""
    names = [name for word in to for name in person.belongings.groups.get(fold(word), (word,))]
    if len(names) > MOST:
        raise Sorry(f"one message goes to {MOST} names at most; make a discussion with /create.")
    found = [person if fold(name) == "me" else host.recipient(name, person) for name in names]
    return list({_typed(one): one for one in found}.values())


def _speak(host: Host, person: Person, to: Sequence[Person | Room], text: str) -> None:
    text = clean(text).strip()
    if not text:
        raise Sorry("say something: NAME;text sends to a person or a discussion, plain text to your room.")
    if len(text) > LONGEST:
        raise Sorry(f"that is {len(text)} characters, and {LONGEST} are the most at once; say it in parts.")
    rooms = [one for one in to if isinstance(one, Room)]
    people = [one for one in to if isinstance(one, Person)]
    for room in rooms:
        _check(person, room)
    emotes = bool(rooms) and not people and all(room.charter.emote for room in rooms)
    kind: Kind = "emote" if emotes else "private" if people else "public"
    names = tuple(room.name for room in rooms)
    said = person.did(kind, rooms=names, to=tuple(one.name for one in people), text=text, at=host.clock())
    deliver(host, person, said)


def _check(person: Person, room: Room) -> None:
    """Refuse to speak where one is not heard: one has to be in a private room, and a speaker in a moderated one."""
    if room.charter.private and fold(person.name) not in room.people:
        raise NoSuch(f"you are not in {room.name}; /join {room.name} enters it.")
    if not room.may_speak(person):
        raise Sorry(f"{room.name} is moderated; /ask {room.name} asks for the floor.")


def emote(host: Host, person: Person, room: Room, text: str) -> None:
    """Act out something in a room; raises `Sorry`."""
    text = clean(text).strip()
    if not text or len(text) > LONGEST:
        raise Sorry("say what you do, in one sentence: /emote grins.")
    _check(person, room)
    deliver(host, person, person.did("emote", rooms=(room.name,), text=text, at=host.clock()))


def deliver(host: Host, person: Person, said: Happening) -> None:
    """Bring something said to all whom it is for, and tell its speaker what became of it."""
    rooms = [host.rooms[fold(name)] for name in said.rooms if fold(name) in host.rooms]
    hearers = {key: other for room in rooms for key, other in room.people.items()}
    away, ignoring = [], []
    for name in said.to:
        other = host.people.get(fold(name))
        if other is None or not other.here:
            away.append(name)
        elif not other.wants(said).shown:
            ignoring.append(name)
        if other is not None:
            hearers[fold(name)] = other
            _remembered(other, person, said)
    person.last_said = said
    host.tell(said, hearers.values(), but=None if fold(person.name) in map(fold, said.to) else person)
    for line in _outcome(person, said, list(hearers.values()), away, ignoring):
        person.show(Line(line))


def _remembered(other: Person, person: Person, said: Happening) -> None:
    """Let the one it was said to answer with `:` and `=`."""
    if other is not person:
        other.last_from = f"~{person.name}"
        everybody = dict.fromkeys((person.name, *said.to))
        others = [f"~{name}" for name in everybody if fold(name) != fold(other.name)]
        if len(others) > 1 or said.rooms:
            other.last_group = (*others, *(f"-{room}" for room in said.rooms))


def _outcome(
    person: Person, said: Happening, hearers: Sequence[Person], away: Sequence[str], ignoring: Sequence[str]
) -> list[str]:
    """Return what the speaker is told: who has it, who will have it, who does not want it."""
    here = [other for other in hearers if other.here and other is not person]
    if said.kind == "emote":
        return [f"> (to {said.recipients}) {acted(person.name, said.text)}"]
    reached = listing([*(name for name in said.to if name not in {*away, *ignoring}), *said.rooms])
    if not here and not said.to:
        return [f"(nobody else is in {reached} to hear it)"]
    rows = [f"(message sent to {reached})"] if reached else []
    rows += [f"({other.called} is away)" for other in here if other.away and other.name in said.to]
    rows += [f"({listing(away)} {'is' if len(away) == 1 else 'are'} not here and will find it)"] if away else []
    return [
        *rows,
        *([f"({listing(ignoring)} {'is' if len(ignoring) == 1 else 'are'} ignoring you)"] if ignoring else []),
    ]


def also(host: Host, person: Person, to: Sequence[str]) -> None:
    """Send the last message to others as well; raises `Sorry`."""
    if person.last_said is None:
        raise Sorry("you have said nothing yet that others could have as well; NAME;text says something.")
    found = _resolved(host, person, to)
    before = person.last_said
    people = tuple(one.name for one in found if isinstance(one, Person))
    rooms = tuple(one.name for one in found if isinstance(one, Room))
    for room in (one for one in found if isinstance(one, Room)):
        _check(person, room)
    kind: Kind = "private" if people else "public"
    deliver(host, person, attrs.evolve(before, kind=kind, to=people, rooms=rooms, at=host.clock()))


def oops(host: Host, person: Person, to: Sequence[str]) -> None:
    """Say sorry to those who got the last message, and send it to whom it was meant for; raises `Sorry`."""
    if person.last_said is None:
        raise Sorry("you have said nothing yet that could have gone wrong; NAME;text says something.")
    before = person.last_said
    found = _resolved(host, person, to)
    sorry = attrs.evolve(before, text="oops, my last message was not meant for you", at=host.clock())
    deliver(host, person, attrs.evolve(sorry, kind="public" if sorry.kind == "emote" else sorry.kind))
    person.last_said = before
    person.last_to = tuple(_typed(one) for one in found)
    also(host, person, person.last_to)
