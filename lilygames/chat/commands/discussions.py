"""Commands about rooms: join, leave, create and moderate them. Lily calls a room a discussion."""

from __future__ import annotations

from typing import Any

from lilygames.chat.host.context import Context
from lilygames.chat.host.discussions import forget_room, leave_room, remember_room
from lilygames.chat.names.names import fold
from lilygames.chat.people.charter import Charter
from lilygames.chat.people.events import ChatEvent, Kind
from lilygames.chat.people.people import Person, Room
from lilygames.chat.talk import talk
from lilygames.chat.talk.review import span
from lilygames.chat.visits.arrivals import company
from lilygames.commands import Rest, command
from lilygames.errors import NotFound, UserError
from lilygames.text import Line, listing, shortened


@command("join", group="talk")
async def join(context: Context, names: str) -> list[str]:
    """Join rooms: /join ohell, /join ohell,cafe. Plain text goes to the last one.

    You stay a member when you log out, until you /quit.
    """
    rows = []
    for name in [name for name in names.split(",") if name]:
        room = context.host.lookup.room(name, context.person)
        if room.bars(context.person):
            raise UserError(f"you can't join {room.name}. Ask its owner or a moderator to /permit you.")
        await context.host.tables.ready_for("", room=room.name)
        context.person.go(room)
        remember_room(context.host, context.person, room)
        rows.append(f"(you are in {room.name}{company(context.person, room)})")
    return rows


@command("quit", group="talk", whole=True)
def leave(context: Context, room: str = "") -> str:
    """Leave a room: the one you are in, or the one you name."""
    left = context.host.lookup.room(room, context.person) if room else context.person.room
    person, lobbies = context.person, context.host.lobbies
    if lobbies.includes(left) and not any(lobbies.includes(room) for room in person.rooms if room is not left):
        raise UserError("you can't leave the lobby. Type /join NAME to go to another room, or /bye to log out.")
    if left not in person.rooms:
        raise UserError(f"you aren't in {left.name}. Type /rooms to see where you are.")
    if any(bot.room is left for bot in person.seats):
        lobby = lobbies.of(person).name
        raise UserError(
            f"you have a seat at {left.name}. Type /leave to give it up, or /join {lobby} to go out and keep it."
        )
    leave_room(context.host, person, left)
    return f"(you have left {left.name} and are in {person.room.name})"


def _kept(context: Context, name: str) -> Room:
    """Return a room that the person may change; raises `UserError`."""
    return context.discussions.kept_by(context.person, context.host.lookup.room(name, context.person))


def _somebody(context: Context, name: str) -> Person:
    """Return a person by name, here or away; raises `UserError`."""
    found = context.host.lookup.recipient(f"~{name.removeprefix('~')}", context.person)
    if not isinstance(found, Person):
        raise NotFound(f"nobody is called “{shortened(name, 20)}”. Type /who to see who is here.")
    return found


_KINDS = ("private", "moderated", "emote")
_ORDINARY = "connect"
"""Lily's word for a room that isn't for emotes."""


@command("create", group="talk", says="anything")
async def create(context: Context, name: str, title: Rest = "") -> str:
    """Open a room of your own: /create cafe "coffee and cards". First you can type private, moderated or emote.

    Private: only people you /permit can join. Moderated: only people you /appoint
    or /allow can speak. Emote: everything said is shown as an action.
    """
    words = title.split()
    kind: dict[str, Any] = {}
    while words and (word := words[0].casefold()) in (*_KINDS, _ORDINARY):
        kind |= {word: True} if word in _KINDS else {}
        del words[0]
    room = await context.discussions.create(context.person, name, " ".join(words), Charter(**kind))
    context.person.go(room)
    remember_room(context.host, context.person, room)
    return f"(you've created the room {room.name}; type /what {room.name} to see it)"


@command("destroy", group="talk", whole=True)
async def destroy(context: Context, name: str) -> str:
    """Close one of your rooms."""
    room = context.host.lookup.room(name, context.person)
    await context.discussions.destroy(context.person, room)
    return f"(you've closed the room {room.name})"


@command("retitle", group="talk", says="anything")
async def retitle(context: Context, name: str, title: Rest) -> Line:
    """Change the title of your room: /retitle cafe tea and cards."""
    room = context.host.lookup.room(name, context.person)
    await context.discussions.retitle(context.person, room, title)
    return Line(f"(the title of {room.name} is now “{room.title}”)", by=context.person.name)


@command("drename", group="talk", says="anything")
async def drename(context: Context, room: str, name: str) -> Line:
    """Rename your room: /drename cafe den. Its old name still leads there."""
    renamed = context.host.lookup.room(room, context.person)
    old = renamed.name
    await context.discussions.rename(context.person, renamed, name)
    return Line(f"(the room {old} is now called {renamed.name})", by=context.person.name)


@command("permit", group="talk")
async def permit(context: Context, room: str, names: str) -> str:
    """Let people into a private room, or back into any room: /permit cafe bob,ann."""
    kept, people = _kept(context, room), [_somebody(context, name) for name in names.split(",") if name]
    folded = frozenset(fold(person.name) for person in people)
    charter = {
        "permitted": kept.charter.permitted | folded,
        "barred": kept.charter.barred - folded,
        "until": {name: at for name, at in kept.charter.until.items() if name not in folded},
    }
    await context.discussions.change(kept, _news(context, "permit", kept, people), people, **charter)
    return f"({listing(person.name for person in people)} can join {kept.name} now)"


@command("depermit", group="talk")
async def depermit(context: Context, room: str, names: str, time: str = "") -> str:
    """Remove people from a room until you /permit them again: /depermit cafe bob; for two hours: /depermit cafe bob 2h.

    A time is a number of minutes, hours, days or weeks: 30m, 2h, 1d, 1w.
    """
    kept, people = _kept(context, room), [_somebody(context, name) for name in names.split(",") if name]
    folded = frozenset(fold(person.name) for person in people)
    if kept.charter.owner in folded or fold(context.person.name) in folded:
        raise UserError(f"you can't remove yourself or the owner. Type /quit {kept.name} to leave.")
    seconds = span(time) if time else None
    if time and seconds is None:
        raise UserError("type a time like 30m, 2h, 1d or 1w, as in /depermit cafe bob 2h.")
    ended = {name: at for name, at in kept.charter.until.items() if name not in folded}
    until = ended if seconds is None else ended | dict.fromkeys(folded, context.host.clock() + seconds)
    charter: dict[str, Any] = {"permitted": kept.charter.permitted - folded, "barred": kept.charter.barred | folded}
    charter |= {"until": until}
    charter |= {"moderators": kept.charter.moderators - folded, "speakers": kept.charter.speakers - folded}
    charter |= {"floor": ""} if kept.charter.floor in folded else {}
    news = _news(context, "depermit", kept, people, f" for {time.casefold()}" if time else "")
    await context.discussions.change(kept, news, **charter)
    for person in people:
        present = kept.people.pop(fold(person.name), None)
        if present:
            forget_room(context.host, present, kept)
            if present.room is kept:
                present.speak_in(context.host.lobbies.of(present))
    how_long = f"for {time.casefold()}" if time else "any more"
    return f"({listing(person.name for person in people)} can't join {kept.name} {how_long})"


def _news(context: Context, kind: Kind, room: Room, people: list[Person], text: str = "") -> ChatEvent:
    return context.person.did(kind, rooms=(room.name,), to=tuple(person.name for person in people), text=text)


_ROLES = {"moderator": "moderators", "speaker": "speakers"}
_ROLE_WORDS = {"moderator": "moderator", "speaker": "speaker", "owner": "owner", "author": "speaker"}
"""The roles by the words for them. Lily's authors write the texts of a room, which rooms don't have here."""


def _role(word: str) -> str:
    for typed, role in _ROLE_WORDS.items():
        if word and typed.startswith(word.casefold()):
            return role
    raise UserError("the role must be owner, moderator or speaker, as in /appoint cafe bob speaker.")


@command("appoint", group="talk")
async def appoint(context: Context, room: str, name: str, role: str) -> str:
    """Give someone a role in a room: /appoint cafe bob moderator (or speaker, or author, which is the same).

    /appoint cafe bob owner offers bob the room. To accept, bob types
    /appoint cafe me owner. /unappoint cafe bob owner takes the offer back.
    """
    role = _role(role)
    if role == "owner" and fold(name.removeprefix("~")) in ("me", fold(context.person.name)):
        return await _accepted(context, context.host.lookup.room(room, context.person))
    kept, person = _kept(context, room), _somebody(context, name)
    if role == "owner":
        return await _offered(context, kept, person)
    charter: dict[str, Any] = {_ROLES[role]: getattr(kept.charter, _ROLES[role]) | {fold(person.name)}}
    await context.discussions.change(kept, _news(context, "appoint", kept, [person], role), **charter)
    return f"({person.name} is now {role} of {kept.name})"


async def _offered(context: Context, room: Room, person: Person) -> str:
    """Offer a room to someone, who is told; raises `UserError`."""
    context.discussions.owned(context.person, room)
    context.discussions.may_own(person)
    await context.discussions.change(room, None, offered=fold(person.name))
    context.host.tell(_news(context, "appoint", room, [person], "owner"), [person])
    return f"({room.name} is offered to {person.name}, who can type /appoint {room.name} me owner)"


async def _accepted(context: Context, room: Room) -> str:
    """Take over a room that was offered; raises `UserError`."""
    name = fold(context.person.name)
    if room.charter.owner == name:
        raise UserError(f"{room.name} is yours already. Type /appoint {room.name} NAME owner to offer it to someone.")
    if room.charter.offered != name:
        raise UserError(f"nobody has offered you {room.name}. Type /what {room.name} to see its owner.")
    context.discussions.may_own(context.person)
    await context.discussions.change(room, _news(context, "appoint", room, [], "owner"), owner=name, offered="")
    return f"(you are now the owner of {room.name})"


@command("unappoint", group="talk")
async def unappoint(context: Context, room: str, name: str, role: str) -> str:
    """Take a role away: /unappoint cafe bob speaker."""
    kept, person, role = _kept(context, room), _somebody(context, name), _role(role)
    if role == "owner" and kept.charter.offered == fold(person.name):
        context.discussions.owned(context.person, kept)
        await context.discussions.change(kept, None, offered="")
        context.host.tell(_news(context, "unappoint", kept, [person], "owner"), [person])
        return f"({kept.name} is no longer offered to {person.name})"
    if role == "owner":
        raise UserError(f"{kept.name} needs an owner. Type /appoint {kept.name} NAME owner to offer it to someone.")
    charter = {_ROLES[role]: getattr(kept.charter, _ROLES[role]) - {fold(person.name)}}
    await context.discussions.change(kept, _news(context, "unappoint", kept, [person], role), **charter)
    return f"({person.name} is no longer {role} of {kept.name})"


@command("ask", group="talk", says="anything")
def ask(context: Context, room: str, question: Rest = "") -> str:
    """Ask to speak in a moderated room: /ask talk what is trump? Anyone who can speak there can /allow you."""
    asked, host = context.host.lookup.room(room, context.person), context.host
    if fold(context.person.name) not in asked.people:
        raise NotFound(f"you aren't in {asked.name}. Type /join {asked.name} first.")
    if asked.may_speak(context.person):
        raise UserError(f"you can already speak in {asked.name}. Type -{asked.name};TEXT to say something.")
    asked.asking[fold(context.person.name)] = None
    voices = [other for key, other in asked.people.items() if key in asked.charter.voices and other.here]
    text = f"{context.person.name} asks to speak in {asked.name}: type /allow {asked.name} {context.person.name}"
    host.tell(context.person.did("sysmsg", rooms=(asked.name,), text=text), voices)
    if question and voices:
        talk.send(host, context.person, [f"~{other.name}" for other in voices[: talk.MOST]], question)
    number = [*asked.asking].index(fold(context.person.name)) + 1
    return f"(you've asked to speak in {asked.name}; you're number {number} in the queue)"


@command("allow", group="talk")
async def allow(context: Context, room: str, name: str = "") -> str:
    """Let someone speak in a moderated room: /allow talk bob. /allow talk lets the first person who asked.

    /allow talk off stops that, and nobody is told.
    """
    kept = context.host.lookup.room(room, context.person)
    if fold(context.person.name) not in kept.charter.voices or not kept.charter.moderated:
        raise UserError(
            f"{kept.name} isn't moderated, or you aren't a speaker there. Type /what {kept.name} to see who is."
        )
    if name.casefold() == "off":
        await context.discussions.change(kept, None, floor="")
        return f"(only the owner, moderators and speakers can speak in {kept.name} now)"
    waiting = [key for key in kept.asking if key in kept.people]
    if not (name or waiting):
        raise UserError(f"nobody has asked to speak in {kept.name}. Type /allow {kept.name} NAME to let someone speak.")
    person = _somebody(context, name) if name else kept.people[waiting[0]]
    if fold(person.name) not in kept.people:
        raise UserError(f"{person.name} isn't in {kept.name}. Type /what {kept.name} to see who is.")
    kept.asking.pop(fold(person.name), None)
    await context.discussions.change(
        kept, _news(context, "appoint", kept, [person], "speaker"), floor=fold(person.name)
    )
    return f"({person.name} can speak in {kept.name} now)"
