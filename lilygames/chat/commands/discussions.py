"""What people type about discussions: to enter, leave, make, keep and end them."""

from __future__ import annotations

from typing import Any

from lilygames.chat import talk
from lilygames.chat.context import Context
from lilygames.chat.discussions import forget_room, leave_room, remember_room
from lilygames.chat.events import ChatEvent, Kind
from lilygames.chat.host import LOBBY
from lilygames.chat.names import fold
from lilygames.chat.people import Charter, Person, Room
from lilygames.commands import Rest, command
from lilygames.errors import NotFound, UserError
from lilygames.text import Line, listing


@command("join", group="talk")
def join(context: Context, names: str) -> list[str]:
    """Enter discussions: /join ohell, /join ohell,cafe. What you type without a slash goes to the last of them.

    You stay a member while you are logged out, until you /quit.
    """
    rows = []
    for name in [name for name in names.split(",") if name]:
        room = context.host.room(name, context.person)
        if fold(context.person.name) in room.charter.barred:
            raise UserError(f"you may not enter {room.name}; its owner or a moderator can /permit you.")
        context.person.go(room)
        remember_room(context.host, context.person, room)
        others = [other.name for other in room.people.values() if other is not context.person and other.here]
        rows.append(f"(you are in {room.name} {f'with {listing(others[:8])}' if others else 'by yourself'})")
    return rows


@command("quit", group="talk")
def leave(context: Context, room: str = "") -> str:
    """Leave a discussion: the one you are in, or the one you name."""
    left = context.host.room(room, context.person) if room else context.person.room
    if left.name == LOBBY:
        raise UserError("nobody leaves the lobby; /bye hangs up, /join NAME goes elsewhere.")
    if context.person not in left.people.values():
        raise UserError(f"you are not in {left.name}; /rooms marks where you are.")
    if any(bot.room is left for bot in context.person.seats):
        raise UserError(
            f"you have a seat at {left.name}; /leave gives it up, /join {LOBBY} only goes away for a while."
        )
    leave_room(context.host, context.person, left)
    return f"(you have left {left.name} and are in {context.person.room.name})"


def _kept(context: Context, name: str) -> Room:
    """Return a discussion that the person may change; raises `UserError`."""
    return context.discussions.kept_by(context.person, context.host.room(name, context.person))


def _somebody(context: Context, name: str) -> Person:
    """Return a person by name, here or away; raises `UserError`."""
    found = context.host.recipient(f"~{name.removeprefix('~')}", context.person)
    if not isinstance(found, Person):
        raise NotFound(f"there is no person “{name[:20]}”; /who lists who is here.")
    return found


_KINDS = ("private", "moderated", "emote")


@command("create", group="talk")
async def create(context: Context, name: str, title: Rest = "") -> str:
    """Make a discussion: /create cafe "coffee and cards". The words private, moderated, emote may stand first.

    Private: who may join, you /permit. Moderated: who may speak, you /appoint.
    In an emote discussion all that is said is acted out.
    """
    words = title.split()
    kind: dict[str, Any] = {}
    while words and words[0].casefold() in _KINDS:
        kind[words.pop(0).casefold()] = True
    room = await context.discussions.create(context.person, name, " ".join(words), Charter(**kind))
    context.person.go(room)
    remember_room(context.host, context.person, room)
    return f"(you have created discussion {room.name}; /what {room.name} shows it)"


@command("destroy", group="talk")
async def destroy(context: Context, name: str) -> str:
    """End a discussion of yours."""
    room = context.host.room(name, context.person)
    await context.discussions.destroy(context.person, room)
    return f"(discussion {room.name} is no more)"


@command("retitle", group="talk")
async def retitle(context: Context, name: str, title: Rest) -> Line:
    """Give a discussion of yours another title: /retitle cafe tea and cards."""
    room = context.host.room(name, context.person)
    await context.discussions.retitle(context.person, room, title)
    return Line(f"(the title of {room.name} is now “{room.title}”)", by=context.person.name)


@command("permit", group="talk")
async def permit(context: Context, room: str, names: str) -> str:
    """Let people into a private discussion, or back into one: /permit cafe bob,ann."""
    kept, people = _kept(context, room), [_somebody(context, name) for name in names.split(",") if name]
    folded = frozenset(fold(person.name) for person in people)
    charter = {"permitted": kept.charter.permitted | folded, "barred": kept.charter.barred - folded}
    await context.discussions.change(kept, _news(context, "permit", kept, people), people, **charter)
    return f"({listing(person.name for person in people)} may join {kept.name})"


@command("depermit", group="talk")
async def depermit(context: Context, room: str, names: str) -> str:
    """Put people out of a discussion, and keep them out: /depermit cafe bob."""
    kept, people = _kept(context, room), [_somebody(context, name) for name in names.split(",") if name]
    folded = frozenset(fold(person.name) for person in people)
    if kept.charter.owner in folded or fold(context.person.name) in folded:
        raise UserError(f"the owner stays, and nobody puts themselves out; /quit {kept.name} leaves.")
    charter: dict[str, Any] = {"permitted": kept.charter.permitted - folded, "barred": kept.charter.barred | folded}
    charter |= {"moderators": kept.charter.moderators - folded, "speakers": kept.charter.speakers - folded}
    charter |= {"floor": ""} if kept.charter.floor in folded else {}
    await context.discussions.change(kept, _news(context, "depermit", kept, people), **charter)
    for person in people:
        present = kept.people.pop(fold(person.name), None)
        if present:
            forget_room(context.host, present, kept)
            if present.room is kept:
                present.speak_in(context.host.lobby)
    return f"({listing(person.name for person in people)} may no longer join {kept.name})"


def _news(context: Context, kind: Kind, room: Room, people: list[Person], text: str = "") -> ChatEvent:
    return context.person.did(kind, rooms=(room.name,), to=tuple(person.name for person in people), text=text)


_ROLES = {"moderator": "moderators", "speaker": "speakers"}


def _role(word: str) -> str:
    for role in (*_ROLES, "owner"):
        if role.startswith(word.casefold()):
            return role
    raise UserError("a role is owner, moderator or speaker: /appoint cafe bob speaker.")


@command("appoint", group="talk")
async def appoint(context: Context, room: str, name: str, role: str) -> str:
    """Give somebody a role in a discussion: /appoint cafe bob moderator (or speaker, or owner)."""
    kept, person, role = _kept(context, room), _somebody(context, name), _role(role)
    if role == "owner":
        context.discussions.owned(context.person, kept)
        context.discussions.may_own(person)
        charter: dict[str, Any] = {"owner": fold(person.name)}
    else:
        charter = {_ROLES[role]: getattr(kept.charter, _ROLES[role]) | {fold(person.name)}}
    await context.discussions.change(kept, _news(context, "appoint", kept, [person], role), **charter)
    return f"({person.name} is {role} of {kept.name} now)"


@command("unappoint", group="talk")
async def unappoint(context: Context, room: str, name: str, role: str) -> str:
    """Take a role back: /unappoint cafe bob speaker."""
    kept, person, role = _kept(context, room), _somebody(context, name), _role(role)
    if role == "owner":
        raise UserError(f"an owner is not taken back; /appoint {kept.name} NAME owner gives {kept.name} away.")
    charter = {_ROLES[role]: getattr(kept.charter, _ROLES[role]) - {fold(person.name)}}
    await context.discussions.change(kept, _news(context, "unappoint", kept, [person], role), **charter)
    return f"({person.name} is {role} of {kept.name} no more)"


@command("ask", group="talk")
def ask(context: Context, room: str, question: Rest = "") -> str:
    """Ask for the floor in a moderated discussion: /ask talk what about trumps? Who speaks there may /allow you."""
    asked, host = context.host.room(room, context.person), context.host
    if fold(context.person.name) not in asked.people:
        raise NotFound(f"you are not in {asked.name}; /join {asked.name} enters it.")
    if asked.may_speak(context.person):
        raise UserError(f"you may speak in {asked.name}: -{asked.name};TEXT says something.")
    asked.asking[fold(context.person.name)] = None
    voices = [other for key, other in asked.people.items() if key in asked.charter.voices and other.here]
    text = f"{context.person.name} asks for the floor in {asked.name}: /allow {asked.name} {context.person.name}"
    host.tell(context.person.did("sysmsg", rooms=(asked.name,), text=text), voices)
    if question and voices:
        talk.send(host, context.person, [f"~{other.name}" for other in voices[: talk.MOST]], question)
    number = [*asked.asking].index(fold(context.person.name)) + 1
    return f"(you have asked for the floor in {asked.name}; you are number {number} of those who wait)"


@command("allow", group="talk")
async def allow(context: Context, room: str, name: str = "") -> str:
    """Give one who asked the floor of a moderated discussion: /allow talk bob; /allow talk: the first who asked.

    /allow talk off takes it back without a word.
    """
    kept = context.host.room(room, context.person)
    if fold(context.person.name) not in kept.charter.voices or not kept.charter.moderated:
        raise UserError(
            f"only who may speak in a moderated discussion gives others the floor; /what {kept.name} names them."
        )
    if name.casefold() == "off":
        await context.discussions.change(kept, None, floor="")
        return f"(nobody has the floor in {kept.name} now)"
    waiting = [key for key in kept.asking if key in kept.people]
    if not (name or waiting):
        raise UserError(f"nobody asks for the floor in {kept.name}; /allow {kept.name} NAME gives it to somebody.")
    person = _somebody(context, name) if name else kept.people[waiting[0]]
    if fold(person.name) not in kept.people:
        raise UserError(f"{person.name} is not in {kept.name}; /what {kept.name} names those who are.")
    kept.asking.pop(fold(person.name), None)
    await context.discussions.change(
        kept, _news(context, "appoint", kept, [person], "speaker"), floor=fold(person.name)
    )
    return f"({person.name} has the floor in {kept.name})"
