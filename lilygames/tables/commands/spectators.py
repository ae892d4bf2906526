"""Commands for spectators: list them, and talk with or without the players."""

from __future__ import annotations

from lilygames.chat.events import message
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.tables.table_context import TableContext
from lilygames.tables.table_index import spectators
from lilygames.text import Line, clean, listing


@command("watchers", group="table")
def list_watchers(at: TableContext) -> Line:
    """List the spectators."""
    names = [person.name for person in spectators(at.bot)]
    return at.bot.line(f"Spectators: {listing(names) or 'none'}.")


def _said(header: str, name: str, text: str) -> tuple[Line, ...]:
    body = clean(text).strip()[:2000]
    if not body:
        raise UserError("type /kibitz TEXT to talk to everyone here, or /whisper TEXT to talk to the spectators.")
    return message(header, name, body)


@command("kibitz", group="table", says="anything")
def kibitz(at: TableContext, text: Rest) -> str:
    """Comment on the game to everyone in the room. The comment is marked as a player's or a spectator's."""
    bot, name = at.bot, at.person.name
    role = "a player" if bot.seat_of(name) is not None else "a spectator"
    for person in bot.room.people.values():
        if person is not at.person and person.wants(at.person.did("public", rooms=(bot.room.name,), text=text)).shown:
            person.show(*_said(f" -> From {name}, {role}, to {bot.room.name}:", name, text))
    return f"(kibitzed to {bot.room.name})"


@command("whisper", group="table", says="anything", private=True)
def whisper(at: TableContext, text: Rest) -> str:
    """Talk to the other spectators. The players don't see it."""
    bot, name = at.bot, at.person.name
    if bot.seat_of(name) is not None and not bot.over:
        raise UserError("players can't whisper before the game is over. Type /kibitz TEXT to talk to everyone.")
    hearers = [person for person in spectators(bot) if person is not at.person]
    for person in hearers:
        if person.wants(at.person.did("public", rooms=(bot.room.name,), text=text)).shown:
            person.show(*_said(f" -> From {name}, to the spectators at {bot.room.name}:", name, text))
    return f"(whispered to {listing(person.name for person in hearers)})" if hearers else "(nobody else is watching)"
