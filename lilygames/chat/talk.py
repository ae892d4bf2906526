"""What people say: to their room, or to the people and rooms they name. What people write never starts a line."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people import Person, Room
from lilygames.chat.sorry import Sorry
from lilygames.text import Line, clean, listing

BODY = " - "
"""What begins each row of what somebody wrote."""


def message(header: str, text: str) -> tuple[Line, ...]:
    """Return lily's three parts of a message: an empty line, who says it to whom, and the text behind its margin."""
    return (Line("", "talk"), Line(header, "talk"), Line(BODY + clean(text).strip(), "talk", margin=BODY))


def say(person: Person, text: str) -> None:
    """Say something to the room the person is in; raises `Sorry` where there is nothing to say."""
    _speak(person, [person.room], [], text)


def send(person: Person, to: Sequence[Person | Room], text: str) -> None:
    """Send to people and rooms, all of whom see who else it goes to; raises `Sorry`."""
    rooms = [one for one in to if isinstance(one, Room)]
    _speak(person, rooms, [one for one in to if isinstance(one, Person)], text)


def _speak(person: Person, rooms: list[Room], people: list[Person], text: str) -> None:
    if not text.strip():
        raise Sorry("say something: NAME;text sends to a person or a discussion, plain text to your room.")
    to = _listed(rooms, people)
    if people:
        lines = message(f" >> Private message from {person.name} to {to}:", text)
    else:
        lines = message(f" -> From {person.name}, to {to}:", text)
    hearers = {other.name: other for room in rooms for other in room.people.values() if other.here}
    hearers |= {other.name: other for other in people}
    hearers.pop(person.name, None)
    for other in hearers.values():
        other.show(*lines)
    person.show(Line(f"(message sent to {to})" if hearers else f"(nobody else is in {to} to hear it)"))


def _listed(rooms: list[Room], people: list[Person]) -> str:
    """Return the recipients as everybody reads them."""
    return listing([*(other.name for other in people), *(room.name for room in rooms)])
