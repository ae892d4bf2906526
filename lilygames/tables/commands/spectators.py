"""Commands for spectators: list them, and talk with or without the players."""

from __future__ import annotations

from lilygames.chat.events import message
from lilygames.chat.people import Person
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.tables.bot import TableBot
from lilygames.tables.table_context import TableContext
from lilygames.text import Line, clean, listing


def watchers(bot: TableBot) -> list[Person]:
    """Return the spectators of a table: the people there without a seat."""
    return [person for person in bot.room.watching if person.here and bot.seat_of(person.name) is None]


@command("watchers", group="table")
def list_watchers(at: TableContext) -> Line:
    """Say who looks on."""
    names = [person.name for person in watchers(at.bot)]
    return at.bot.line(f"Looking on: {listing(names) or 'nobody'}.")


def _said(header: str, name: str, text: str) -> tuple[Line, ...]:
    body = clean(text).strip()[:2000]
    if not body:
        raise UserError("say something: /kibitz TEXT to all, /whisper TEXT to who looks on.")
    return message(header, name, body)


@command("kibitz", group="table")
def kibitz(at: TableContext, text: Rest) -> str:
    """Say something about the game to all at the table; it is marked, so that players may mind it or not."""
    bot, name = at.bot, at.person.name
    role = "at the table" if bot.seat_of(name) is not None else "looking on"
    for person in bot.room.people.values():
        if person is not at.person and person.wants(at.person.did("public", rooms=(bot.room.name,), text=text)).shown:
            person.show(*_said(f" -> From {name}, {role}, to {bot.room.name}:", name, text))
    return f"(kibitzed to {bot.room.name})"


@command("whisper", group="table")
def whisper(at: TableContext, text: Rest) -> str:
    """Say something to those who look on; no seat hears it before the game is over."""
    bot, name = at.bot, at.person.name
    if bot.seat_of(name) is not None and not bot.over:
        raise UserError("whispers are for those who look on, until the game is over; /kibitz speaks to all.")
    hearers = [person for person in watchers(bot) if person is not at.person]
    for person in hearers:
        if person.wants(at.person.did("public", rooms=(bot.room.name,), text=text)).shown:
            person.show(*_said(f" -> From {name}, to who looks on at {bot.room.name}:", name, text))
    return f"(whispered to {listing(person.name for person in hearers) or 'nobody: nobody else looks on'})"
