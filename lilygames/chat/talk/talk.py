"""Talk: messages to a room, people or groups. A message is never the start of a server line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, Protocol

import attrs

from lilygames.chat.accounts.passwords import pasted_return_word
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Audience, Everybody
from lilygames.chat.people.charter import OPEN
from lilygames.chat.people.events import ChatEvent, Kind, acted
from lilygames.chat.people.people import Person, Room
from lilygames.chat.rooms.quotas import PeopleQuotas
from lilygames.chat.rooms.rooms import Rooms
from lilygames.errors import NotFound, UserError
from lilygames.text import Line, clean, listing
from lilygames_rules.changed import maker

LONGEST = 2000
"""Maximum characters in a message."""
SORRY = "oops, my last message was not meant for you"
"""Correction shown to people who got a message by mistake."""
MOST = 40
"""Maximum recipients of one message."""
_SEND = re.compile(r"(?P<to>[^\s;:]+)(?P<mark>[;:])(?P<said>.*)", re.DOTALL)
_LOOKALIKES = "\uff1b\u061b\u037e"
"""The semicolons of Chinese, Arabic and Greek keyboards."""
_SEMICOLON = re.compile(f"[;{_LOOKALIKES}]")
_SPACE = re.compile(r"[\s,]")
_BETWEEN = re.compile(rf"[\s,:;{_LOOKALIKES}]+")
_SMILEY = re.compile(r"(?:['-]?(?:[^\w\s'\"-]+|[DP])(?:\s.*)?|[opx3])\s*", re.DOTALL)
"""The rest of a smiley after its eyes: `)`, `-(`, `D`."""
_ALL = re.compile(r"=(?:all\b)?\s*;?(?P<said>.*)", re.DOTALL | re.IGNORECASE)
_FACE = re.compile(r"[:;=]['-]?(?:[()\[\]|/\\*]+|[DP])(?:\s.*)?", re.DOTALL)
"""A line that starts with a smiley, which makes it talk."""


_event = maker(ChatEvent)

HeardBy = Literal["people", "bots", "nobody"]
"""The hearers of a message to rooms; bots that answer it count as people."""


class Lookup(Protocol):
    """Finds people and rooms, as talk needs them."""

    def recipient(self, name: str, asker: Person | None = None) -> Person | Room:
        """Return the recipient that `name` means; raises `UserError`."""

    def remembered(self, mark: str, asker: Person) -> Person | Room:
        """Return the recipient of a stored mark, `~NAME` or `-ROOM`; raises `UserError`."""


class Host(Protocol):
    """The host, as talk needs it."""

    people: Everybody[Person]
    rooms: Rooms
    quotas: PeopleQuotas
    clock: Callable[[], float]

    @property
    def lookup(self) -> Lookup:
        """Finds recipients by their names."""

    def audience(self, people: Iterable[Person]) -> Audience[Person]:
        """Return an audience of these people, without duplicates."""

    def tell(
        self,
        chat_event: ChatEvent,
        hearers: Iterable[Person] | Audience[Person],
        *,
        but: Person | None,
        receipt: Sequence[Line] = (),
    ) -> None:
        """Send an event to people, each by their own rules; `but` gets the receipt instead."""


def hear(host: Host, person: Person, text: str) -> None:
    """Handle a line that is neither a command nor a move: a lily-style send or talk; raises `UserError`.

    `name;text`, `-room;text`, `a,b;text`, `;again`, `:reply`, `=all`. A colon only sends if the name is valid and the
    text follows without a space: `note: buy milk` is talk. A private message is never said to everyone by mistake, such
    as by a space before the `;`. Nor is a return word, alone or after a name: it was meant for the login prompt.
    """
    if pasted_return_word(text)[1] or ("-" in text and pasted_return_word(text.partition(" ")[2])[1]):
        raise UserError("that looks like your return word, so it wasn't sent. You're logged in already.")
    if text.isascii() and not (";" in text or ":" in text or text[:1] == "="):
        say(host, person, text)
        return
    match text[:1], text[1:2]:
        case ((":" | ";" | "="), _) if _FACE.fullmatch(text):
            _say_unless_sent(host, person, text)
        case ";", _:
            _recall(host, person, person.recipients.last_to, text[1:], "you haven't sent a message yet")
        case ":", after if after.strip():
            sender = (person.recipients.last_from,) if person.recipients.last_from else ()
            _recall(host, person, sender, text[1:], "nobody has sent you a private message yet")
        case "=", after if after.isalnum() or after == ";":
            said = _ALL.sub(r"\g<said>", text)
            _recall(host, person, person.recipients.last_group, said, "nobody has sent a message to you and others yet")
        case _:
            _send_or_say(host, person, text)


def _send_or_say(host: Host, person: Person, text: str) -> None:
    found = _SEND.fullmatch(text)
    to = [name for name in found["to"].split(",") if name] if found else []
    if found and (found["mark"] == ";" or (found["said"][:1].strip() and _meant(host, person, to))):
        send(host, person, to, found["said"])
    else:
        _say_unless_sent(host, person, text)


def _say_unless_sent(host: Host, person: Person, text: str) -> None:
    """Say a line that isn't a send; raises `UserError` if it was probably meant as one.

    Such a line has a space or a comma before its first `;`. All words there are recipients, or some are and the text
    follows at once. With a `:`, all words there are whole names, and the text follows at once. Or it is a reply with a
    space after its `:` or `=`.
    """
    if names := _meant_for(host, person, text) or _named_before_colon(host, person, text):
        raise UserError(
            f"nothing was sent. For a message to {listing(names)} only, type {','.join(names)};TEXT without spaces "
            f"before the ;. To say it in {person.room.name}, type ' first."
        )
    recalled = person.recipients.last_from if text[:1] == ":" else person.recipients.last_group
    if recalled and text[:1] in (":", "=") and text[1:2].isspace() and text[1:].lstrip()[:1].isalpha():
        raise UserError(f"nothing was sent. To reply, leave out the space after {text[0]}. To say it, type ' first.")
    say(host, person, text)


def _meant_for(host: Host, person: Person, text: str) -> Sequence[str]:
    """Return the recipients in front of a semicolon that has a space or a comma before it, or only looks like one."""
    mark = _SEMICOLON.search(text)
    if mark is None or _SMILEY.fullmatch(said := text[mark.end() :]):
        return ()
    before = text[: mark.start()]
    if mark[0] == ";" and not _SPACE.search(before):
        return ()
    to = _words(before)
    if person.room.bot and to and all(map(person.room.bot.talk.has, to)):
        _resolved(host, person, to)  # which refuses to write to a bot
    names = [name for name in to if _meant(host, person, [name])]
    return names if said[:1].strip() or len(names) == len(to) else ()


def _named_before_colon(host: Host, person: Person, text: str) -> Sequence[str]:
    """Return the words in front of a colon that has a space or a comma before it, if all are whole names."""
    before, _, said = text.partition(":")
    if not _SPACE.search(before) or not said[:2].isalnum() or _SMILEY.fullmatch(said):
        return ()
    to = _words(before)
    return to if all(_is_whole_name(host, person, name) for name in to) else ()


def _words(before: str) -> Sequence[str]:
    """Return the words in front of a mark; none if there are more than a message may have recipients."""
    words = [word for word in _BETWEEN.split(before) if word]
    return words if len(words) <= MOST else ()


def _is_whole_name(host: Host, person: Person, name: str) -> bool:
    """Whether a word is the whole name of a recipient."""
    try:
        return fold(name) in person.profile.groups or bool(host.lookup.remembered(f"~{name}", person))
    except NotFound:
        return False


def _meant(host: Host, person: Person, to: Sequence[str]) -> bool:
    """Whether any of these names means a recipient, or could mean several."""
    for name in to:
        try:
            return bool(_resolved(host, person, [name]))
        except NotFound:
            continue
        except UserError:
            return True
    return False


def _recall(host: Host, person: Person, marks: Sequence[str], text: str, never: str = "") -> None:
    """Send to remembered recipients again; raises `UserError`."""
    if not marks:
        raise UserError(f"{never}. Type NAME;TEXT to write to someone, or 'TEXT to talk in your room.")
    _send_to(host, person, [host.lookup.remembered(mark, person) for mark in marks], text)


def say(host: Host, person: Person, text: str) -> None:
    """Send plain text to the default recipients or the room; raises `UserError`."""
    if person.profile.sends_to:
        _recall(host, person, person.profile.sends_to.split(","), text)
    elif (room := person.room).charter is OPEN and not room.bot and host.rooms.get(fold(room.name)) is room:
        _speak_in_open_room(host, person, room, text)
    else:
        _speak(host, person, [person.room], text)


def _speak_in_open_room(host: Host, person: Person, room: Room, text: str) -> None:
    """Send plain text to a room without a table, where everyone may speak, as `_speak` does: most messages are this.

    Nobody's rights, hearers or answers have to be looked up. With shorter checks of bytes, a delivery in 50 saturated
    rooms of 20 takes 0.90 to 0.96 of the CPU time. To remove it, let `say` call `_speak`.
    """
    names, hearers = (room.name,), room.people.audience
    said = _event("public", person.name, names, (), sayable(text), person.profile.blurb, host.clock())
    person.recipients.has_said(said)
    receipt: Sequence[Line]
    if len(hearers.here) > (person in hearers.here):
        receipt = () if person.takes_picture else (_sent(names),)
    else:
        receipt = (_unheard(names, "nobody else is"),)
    host.tell(said, hearers, but=person, receipt=receipt)


def send(host: Host, person: Person, to: Sequence[str], text: str) -> None:
    """Send to named recipients, who all see each other's names; raises `UserError`."""
    _send_to(host, person, _resolved(host, person, to), text)


def _send_to(host: Host, person: Person, to: Sequence[Person | Room], text: str) -> None:
    if not to:
        raise UserError("a name is missing. Type NAME;TEXT for a person or room, or A,B;TEXT for several.")
    person.recipients.sent_to(marks(to))
    _speak(host, person, to, text)


def marks(to: Iterable[Person | Room]) -> tuple[str, ...]:
    """Return the stored marks of recipients: `~NAME` and `-ROOM`."""
    return tuple(f"-{one.name}" if isinstance(one, Room) else f"~{one.name}" for one in to)


def reached(host: Host, person: Person, names: Iterable[str]) -> tuple[str, ...]:
    """Return the stored marks of named recipients; raises `UserError`."""
    return marks(_resolved(host, person, [name for name in names if name]))


def _resolved(host: Host, person: Person, to: Sequence[str]) -> list[Person | Room]:
    """Return the recipients of names, without duplicates: `me`, own groups, people, rooms; raises `UserError`."""
    found: list[Person | Room] = []
    for name in to:
        if fold(name) in person.profile.groups:
            found += [host.lookup.remembered(mark, person) for mark in person.profile.groups[fold(name)]]
        else:
            found.append(person if fold(name) == "me" else host.lookup.recipient(name, person))
        if len(found) > MOST:
            raise UserError(f"a message can go to {MOST} names at most. For more, open a room with /create.")
    return [*dict(zip(marks(found), found, strict=True)).values()]


def _speak(host: Host, person: Person, to: Sequence[Person | Room], text: str) -> None:
    text = sayable(text)
    kind, rooms, people = _address(person, to)
    deliver(host, person, _event(kind, person.name, rooms, people, text, person.profile.blurb, host.clock()))


def sayable(text: str) -> str:
    """Return the cleaned text of a message; raises `UserError` if it is empty or too long."""
    text = (text if text.isascii() and text.isprintable() else clean(text)).strip()
    if not text:
        raise UserError("your message is empty. Type NAME;TEXT for a person or room; plain text goes to your room.")
    if len(text) > LONGEST:
        raise UserError(f"that's {len(text)} characters, and the limit is {LONGEST}. Send it in parts.")
    return text


def _addressed(person: Person, said: ChatEvent, to: Sequence[Person | Room]) -> ChatEvent:
    """Return a message addressed to recipients; raises `UserError` if the person may not speak."""
    kind, rooms, people = _address(person, to)
    return attrs.evolve(said, kind=kind, rooms=rooms, to=people)


def _address(person: Person, to: Sequence[Person | Room]) -> tuple[Kind, tuple[str, ...], tuple[str, ...]]:
    """Return the kind of message and the names it goes to; raises `UserError` if the person may not speak."""
    if len(to) == 1 and isinstance(room := to[0], Room):  # the usual case
        _check(person, room)
        return "emote" if room.charter.emote else "public", (room.name,), ()
    rooms = [one for one in to if isinstance(one, Room)]
    people = tuple([one.name for one in to if isinstance(one, Person)])
    for room in rooms:
        _check(person, room)
    names = tuple([room.name for room in rooms])
    if people:
        return "private", names, people
    return "emote" if rooms and all(room.charter.emote for room in rooms) else "public", names, ()


def _check(person: Person, room: Room) -> None:
    """Raise `UserError` if a person isn't in a private room, or has no voice in a moderated one."""
    if room.charter is OPEN:
        return
    if room.charter.private and fold(person.name) not in room.people:
        raise NotFound(f"you aren't in {room.name}. Type /join {room.name} first.")
    if room.bars(person):
        raise UserError(f"you can't join {room.name} or speak there. Ask its owner or a moderator to /permit you.")
    if not room.may_speak(person):
        raise UserError(f"{room.name} is moderated. Type /ask {room.name} to ask if you can speak.")


def emote(host: Host, person: Person, room: Room, text: str) -> None:
    """Send an emote to a room; raises `UserError`."""
    text = clean(text).strip()
    if not text or len(text) > LONGEST:
        raise UserError("type one sentence that says what you do, as in /emote grins.")
    _check(person, room)
    deliver(host, person, person.did("emote", rooms=(room.name,), text=text, at=host.clock()))


def deliver(host: Host, person: Person, said: ChatEvent) -> None:
    """Deliver a message to its hearers, and confirm it to the sender."""
    rooms = [room for name in said.rooms if (room := host.rooms.get(fold(name)))]
    hearers = _hearers(host, said, rooms)
    if not said.to:
        _tell_rooms(host, person, said, rooms, hearers)
        return
    host.quotas.write(person, said.to)
    away, ignoring = [], []
    for name in said.to:
        other = host.people.get(fold(name))
        if other is None or not other.here:
            away.append(name)
        elif not other.wants(said).shown:
            ignoring.append(name)
        if other is not None:
            remembered(other, said)
    person.recipients.has_said(said)
    host.tell(said, hearers, but=None if fold(person.name) in map(fold, said.to) else person)
    person.show(*_outcome(person, said, hearers.here, away, ignoring))


def _tell_rooms(host: Host, person: Person, said: ChatEvent, rooms: Sequence[Room], hearers: Audience[Person]) -> None:
    """Deliver a message to rooms, and confirm it to the sender."""
    person.recipients.has_said(said)
    answered = _answered(person, said, rooms)
    if answered or len(hearers.here) > (person in hearers.here):
        heard_by: HeardBy = "people"
    else:
        heard_by = "bots" if any(room.has_bots for room in rooms) else "nobody"
    host.tell(said, hearers, but=person, receipt=_said_to_all(person, said, heard_by))


def _hearers(host: Host, said: ChatEvent, rooms: Sequence[Room]) -> Audience[Person]:
    """Return the hearers of a message to these rooms, without duplicates."""
    if len(rooms) == 1 and len(said.rooms) == 1 and not said.to:
        return rooms[0].audience
    hearers = {key: other for room in rooms for key, other in room.people.items()}
    hearers |= {fold(name): host.people[fold(name)] for name in said.to if fold(name) in host.people}
    return host.audience(hearers.values())


def remembered(other: Person, said: ChatEvent) -> None:
    """Remember the message, so that its recipient can reply with `:` and `=`."""
    if fold(other.name) != fold(said.by):
        everybody = dict.fromkeys((said.by, *said.to))
        others = [f"~{name}" for name in everybody if fold(name) != fold(other.name)]
        several = len(others) > 1 or said.rooms
        group = (*others, *(f"-{room}" for room in said.rooms)) if several else ()
        other.recipients.heard_from(f"~{said.by}", group)


def _answered(person: Person, said: ChatEvent, rooms: Sequence[Room]) -> bool:
    """Return whether a bot at a table in one of the rooms will answer the message."""
    acted = said.kind == "emote"
    return any(room.bot and room.bot.talk.answers(person, said.text, acted=acted) for room in rooms)


def _said_to_all(person: Person, said: ChatEvent, hearers: HeardBy) -> Sequence[Line]:
    """Return the sender's confirmation of a message to rooms."""
    if said.kind == "emote":
        return _unless_seen(person, Line(f"> (to {said.recipients}) {acted(person.name, said.text)}", by=person.name))
    if hearers == "people":
        return () if person.takes_picture else (_sent(said.rooms),)
    return [_unheard(said.rooms, "only bots are" if hearers == "bots" else "nobody else is")]


def _unless_seen(person: Person, sent: Line) -> Sequence[Line]:
    """Return the line that a message was sent, except for a page, which shows the message itself."""
    return () if person.takes_picture else (sent,)


@lru_cache
def _sent(recipients: tuple[str, ...]) -> Line:
    return Line(f"(message sent to {listing(recipients)})")


def _unheard(rooms: Sequence[str], who: str) -> Line:
    return Line(f"({who} in {listing(rooms)} to hear it)")


def _outcome(
    person: Person, said: ChatEvent, here: Iterable[Person], away: Sequence[str], ignoring: Sequence[str]
) -> list[Line]:
    """Return the sender's confirmation: who got it, who will get it later, and who ignores them."""
    others = [other for other in here if other is not person and other.activity.away and other.name in said.to]
    reached = (*(name for name in said.to if name not in {*away, *ignoring}), *said.rooms)
    rows = [*_unless_seen(person, _sent(reached))] if reached else []
    rows += [Line(f"({other.called} is away)", by=other.name) for other in others]
    for some, what in ((away, "offline and will see it later"), (ignoring, "ignoring you")):
        rows += [Line(f"({listing(some)} {'is' if len(some) == 1 else 'are'} {what})")] if some else []
    return rows


def also(host: Host, person: Person, to: Sequence[str]) -> None:
    """Send the last message to more recipients; raises `UserError`."""
    if person.recipients.last_said is None:
        raise UserError("you haven't sent a message yet. Type NAME;TEXT to write to someone.")
    again = attrs.evolve(person.recipients.last_said, at=host.clock())
    deliver(host, person, _addressed(person, again, _resolved(host, person, to)))


def oops(host: Host, person: Person, to: Sequence[str]) -> None:
    """Apologise to the recipients of the last message, and send it to the right ones; raises `UserError`."""
    if person.recipients.last_said is None:
        raise UserError("you haven't sent a message yet. Type NAME;TEXT to write to someone.")
    before, meant = person.recipients.last_said, _resolved(host, person, to)
    again = _addressed(person, attrs.evolve(before, at=host.clock()), meant)
    kind: Kind = "public" if before.kind == "emote" else before.kind
    deliver(host, person, attrs.evolve(before, kind=kind, text=SORRY, at=host.clock()))
    person.recipients.sent_to(marks(meant))
    deliver(host, person, again)
