"""What people type about discussions: to enter, leave, make, keep and end them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from lilygames.chat import talk
from lilygames.chat.discussions import Discussions, forget_room, remember_room
from lilygames.chat.errors import NoSuch, Sorry
from lilygames.chat.events import Happening, Kind
from lilygames.chat.host import LOBBY, Call
from lilygames.chat.names import fold
from lilygames.chat.people import Charter, Person, Room
from lilygames.commands import Command, Rest, command, declared
from lilygames.text import Line, listing


@command("join", group="talk")
def join(call: Call, names: str) -> list[str]:
    """Enter discussions: /join ohell, /join ohell,cafe. What you type without a slash goes to the last of them.

    You stay a member while you are logged out, until you /quit.
    """
    rows = []
    for name in [name for name in names.split(",") if name]:
        room = call.host.room(name, call.person)
        if fold(call.person.name) in room.charter.barred:
            raise Sorry(f"you may not enter {room.name}; its owner or a moderator can /permit you.")
        call.person.go(room)
        remember_room(call.host, call.person, room)
        others = [other.name for other in room.people.values() if other is not call.person and other.here]
        rows.append(f"(you are in {room.name} {f'with {listing(others[:8])}' if others else 'by yourself'})")
    return rows


@command("quit", group="talk")
def leave(call: Call, room: str = "") -> str:
    """Leave a discussion: the one you are in, or the one you name."""
    left = call.host.room(room, call.person) if room else call.person.room
    if left.name == LOBBY:
        raise Sorry("nobody leaves the lobby; /bye hangs up, /join NAME goes elsewhere.")
    if call.person not in left.people.values():
        raise Sorry(f"you are not in {left.name}; /rooms marks where you are.")
    if any(bot.room is left for bot in call.person.seats):
        raise Sorry(f"you have a seat at {left.name}; /leave gives it up, /join {LOBBY} only goes away for a while.")
    left.leave(call.person)
    forget_room(call.host, call.person, left)
    if call.person.room is left:
        call.person.go(call.host.lobby)
    call.host.close_room(left)
    return f"(you have left {left.name} and are in {call.person.room.name})"


def of(discussions: Discussions) -> tuple[Command, ...]:
    """Return the commands that make and change these discussions."""
    made = declared(create, destroy, retitle, permit, depermit, appoint, unappoint, ask, allow)

    def run(typed: Command) -> Callable[..., object]:
        return lambda call, *arguments: typed.run(Keeping(call, discussions), *arguments)

    return (*declared(join, leave), *(attrs.evolve(typed, run=run(typed)) for typed in made))


@attrs.frozen
class Keeping:
    """A command about discussions on its way, and the discussions."""

    call: Call
    discussions: Discussions

    @property
    def person(self) -> Person:
        """Who typed it."""
        return self.call.person

    def kept(self, name: str) -> Room:
        """Return a discussion that the person may change; raises `Sorry`."""
        return self.discussions.kept_by(self.person, self.call.host.room(name, self.person))

    def somebody(self, name: str) -> Person:
        """Return a person by name, here or away; raises `Sorry`."""
        found = self.call.host.recipient(f"~{name.removeprefix('~')}", self.person)
        if not isinstance(found, Person):
            raise NoSuch(f"there is no person “{name[:20]}”; /who lists who is here.")
        return found


_KINDS = ("private", "moderated", "emote")


@command("create", group="talk")
async def create(at: Keeping, name: str, title: Rest = "") -> str:
    """Make a discussion: /create cafe "coffee and cards". The words private, moderated, emote may stand first.

    Private: who may join, you /permit. Moderated: who may speak, you /appoint.
    In an emote discussion all that is said is acted out.
    """
    words = title.split()
    kind: dict[str, Any] = {}
    while words and words[0].casefold() in _KINDS:
        kind[words.pop(0).casefold()] = True
    room = await at.discussions.create(at.person, name, " ".join(words), Charter(**kind))
    at.person.go(room)
    remember_room(at.call.host, at.person, room)
    return f"(you have created discussion {room.name}; /what {room.name} shows it)"


@command("destroy", group="talk")
async def destroy(at: Keeping, name: str) -> str:
    """End a discussion of yours."""
    room = at.call.host.room(name, at.person)
    await at.discussions.destroy(at.person, room)
    return f"(discussion {room.name} is no more)"


@command("retitle", group="talk")
async def retitle(at: Keeping, name: str, title: Rest) -> Line:
    """Give a discussion of yours another title: /retitle cafe tea and cards."""
    room = at.call.host.room(name, at.person)
    await at.discussions.retitle(at.person, room, title)
    return Line(f"(the title of {room.name} is now “{room.title}”)", by=at.person.name)


@command("permit", group="talk")
async def permit(at: Keeping, room: str, names: str) -> str:
    """Let people into a private discussion, or back into one: /permit cafe bob,ann."""
    kept, people = at.kept(room), [at.somebody(name) for name in names.split(",") if name]
    folded = frozenset(fold(person.name) for person in people)
    charter = {"permitted": kept.charter.permitted | folded, "barred": kept.charter.barred - folded}
    await at.discussions.change(kept, _news(at, "permit", kept, people), people, **charter)
    return f"({listing(person.name for person in people)} may join {kept.name})"


@command("depermit", group="talk")
async def depermit(at: Keeping, room: str, names: str) -> str:
    """Put people out of a discussion, and keep them out: /depermit cafe bob."""
    kept, people = at.kept(room), [at.somebody(name) for name in names.split(",") if name]
    folded = frozenset(fold(person.name) for person in people)
    if kept.charter.owner in folded or fold(at.person.name) in folded:
        raise Sorry(f"the owner stays, and nobody puts themselves out; /quit {kept.name} leaves.")
    charter: dict[str, Any] = {"permitted": kept.charter.permitted - folded, "barred": kept.charter.barred | folded}
    charter |= {"moderators": kept.charter.moderators - folded, "speakers": kept.charter.speakers - folded}
    charter |= {"floor": ""} if kept.charter.floor in folded else {}
    await at.discussions.change(kept, _news(at, "depermit", kept, people), **charter)
    for person in people:
        present = kept.people.pop(fold(person.name), None)
        if present:
            forget_room(at.call.host, present, kept)
            present.room = at.call.host.lobby if present.room is kept else present.room
    return f"({listing(person.name for person in people)} may no longer join {kept.name})"


def _news(at: Keeping, kind: Kind, room: Room, people: list[Person], text: str = "") -> Happening:
    return at.person.did(kind, rooms=(room.name,), to=tuple(person.name for person in people), text=text)


_ROLES = {"moderator": "moderators", "speaker": "speakers"}


def _role(word: str) -> str:
    for role in (*_ROLES, "owner"):
        if role.startswith(word.casefold()):
            return role
    raise Sorry("a role is owner, moderator or speaker: /appoint cafe bob speaker.")


@command("appoint", group="talk")
async def appoint(at: Keeping, room: str, name: str, role: str) -> str:
    """Give somebody a role in a discussion: /appoint cafe bob moderator (or speaker, or owner)."""
    kept, person, role = at.kept(room), at.somebody(name), _role(role)
    if role == "owner":
        at.discussions.owned(at.person, kept)
        at.discussions.may_own(person)
        charter: dict[str, Any] = {"owner": fold(person.name)}
    else:
        charter = {_ROLES[role]: getattr(kept.charter, _ROLES[role]) | {fold(person.name)}}
    await at.discussions.change(kept, _news(at, "appoint", kept, [person], role), **charter)
    return f"({person.name} is {role} of {kept.name} now)"


@command("unappoint", group="talk")
async def unappoint(at: Keeping, room: str, name: str, role: str) -> str:
    """Take a role back: /unappoint cafe bob speaker."""
    kept, person, role = at.kept(room), at.somebody(name), _role(role)
    if role == "owner":
        raise Sorry(f"an owner is not taken back; /appoint {kept.name} NAME owner gives {kept.name} away.")
    charter = {_ROLES[role]: getattr(kept.charter, _ROLES[role]) - {fold(person.name)}}
    await at.discussions.change(kept, _news(at, "unappoint", kept, [person], role), **charter)
    return f"({person.name} is {role} of {kept.name} no more)"


@command("ask", group="talk")
def ask(at: Keeping, room: str, question: Rest = "") -> str:
    """Ask for the floor in a moderated discussion: /ask talk what about trumps? Who speaks there may /allow you."""
    asked, host = at.call.host.room(room, at.person), at.call.host
    if fold(at.person.name) not in asked.people:
        raise NoSuch(f"you are not in {asked.name}; /join {asked.name} enters it.")
    if asked.may_speak(at.person):
        raise Sorry(f"you may speak in {asked.name}: -{asked.name};TEXT says something.")
    asked.asking[fold(at.person.name)] = None
    voices = [other for key, other in asked.people.items() if key in asked.charter.voices and other.here]
    text = f"{at.person.name} asks for the floor in {asked.name}: /allow {asked.name} {at.person.name}"
    host.tell(at.person.did("sysmsg", rooms=(asked.name,), text=text), voices)
    if question and voices:
        talk.send(host, at.person, [f"~{other.name}" for other in voices[: talk.MOST]], question)
    number = [*asked.asking].index(fold(at.person.name)) + 1
    return f"(you have asked for the floor in {asked.name}; you are number {number} of those who wait)"


@command("allow", group="talk")
async def allow(at: Keeping, room: str, name: str = "") -> str:
    """Give one who asked the floor of a moderated discussion: /allow talk bob; /allow talk: the first who asked.

    /allow talk off takes it back without a word.
    """
    kept = at.call.host.room(room, at.person)
    if fold(at.person.name) not in kept.charter.voices or not kept.charter.moderated:
        raise Sorry(
            f"only who may speak in a moderated discussion gives others the floor; /what {kept.name} names them."
        )
    if name.casefold() == "off":
        await at.discussions.change(kept, None, floor="")
        return f"(nobody has the floor in {kept.name} now)"
    waiting = [key for key in kept.asking if key in kept.people]
    if not (name or waiting):
        raise Sorry(f"nobody asks for the floor in {kept.name}; /allow {kept.name} NAME gives it to somebody.")
    person = at.somebody(name) if name else kept.people[waiting[0]]
    if fold(person.name) not in kept.people:
        raise Sorry(f"{person.name} is not in {kept.name}; /what {kept.name} names those who are.")
    kept.asking.pop(fold(person.name), None)
    await at.discussions.change(kept, _news(at, "appoint", kept, [person], "speaker"), floor=fold(person.name))
    return f"({person.name} has the floor in {kept.name})"
