"""Commands for spectators: list them, and talk with or without the players."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.chat.people.events import ChatEvent, message
from lilygames.chat.people.observers import Said
from lilygames.chat.people.people import Person
from lilygames.chat.talk.talk import LONGEST, MOST
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.tables.open.table_index import spectators
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, clean, listing


@command("watchers", group="table")
def list_watchers(at: TableContext) -> Line:
    """List the spectators."""
    names = [person.name for person in spectators(at.bot)]
    return at.bot.line(f"Spectators: {listing(names) or 'none'}.")


def _text(text: str) -> str:
    """Return the cleaned text of a comment; raises `UserError` if it is empty."""
    body = clean(text).strip()[:LONGEST]
    if not body:
        raise UserError("type /kibitz TEXT to talk to everyone here, or /whisper TEXT to talk to the spectators.")
    return body


def _show(at: TableContext, said: ChatEvent, hearers: Iterable[Person], header: str) -> None:
    """Store a comment as talk is stored, for reviews and reports, and show it to those who want to hear it."""
    host = at.tables.host
    said = attrs.evolve(said, at=host.clock())
    host.publish(Said(said, (), ()))
    for person in hearers:
        if person.wants(at.person.did("public", rooms=(at.bot.room.name,), text=said.text)).shown:
            person.show(*message(header, said.by, said.text))


@command("kibitz", group="table", says="anything")
def kibitz(at: TableContext, text: Rest) -> str:
    """Comment on the game to everyone in the room. The comment is marked as a player's or a spectator's."""
    bot, name, text = at.bot, at.person.name, _text(text)
    role = "a player" if bot.seat_of(name) is not None else "a spectator"
    hearers = [person for person in bot.room.people.values() if person is not at.person]
    said = at.person.did("public", rooms=(bot.room.name,), text=text)
    _show(at, said, hearers, f" -> From {name}, {role}, to {bot.room.name}:")
    return f"(kibitzed to {bot.room.name})"


@command("whisper", group="table", says="anything", private=True)
def whisper(at: TableContext, text: Rest) -> str:
    """Talk to the other spectators. The players don't see it."""
    bot, name, text = at.bot, at.person.name, _text(text)
    if bot.seat_of(name) is not None and not bot.over:
        raise UserError("players can't whisper before the game is over. Type /kibitz TEXT to talk to everyone.")
    hearers = [person for person in spectators(bot) if person is not at.person]
    if not hearers:
        return "(nobody else is watching)"
    # Players may review the room's talk, so this is stored as a private message, in the logs of its first hearers.
    said = at.person.did("private", to=tuple(person.name for person in hearers[:MOST]), text=text)
    _show(at, said, hearers, f" -> From {name}, to the spectators at {bot.room.name}:")
    return f"(whispered to {listing(person.name for person in hearers)})"
