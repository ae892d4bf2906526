"""Commands for private notes, passing automatically, and purses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from lilygames.chat.names.names import fold
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, Packet, clean, count, listing

MOST, LONGEST = 100, 200
"""Maximum notes per person and table, and maximum characters per note."""


def _key(bot: TableBot, name: str) -> str:
    return f"{bot.table.header.number}/{fold(name)}"


async def kept_at(at: TableContext, bot: TableBot) -> dict[str, str]:
    """Return the person's notes at a table by subject."""
    kept: dict[str, str] = json.loads(await at.tables.store.find("note", _key(bot, at.person.name)) or "{}")
    return kept


def packet(bot: TableBot, kept: Mapping[str, str]) -> Packet:
    """Return someone's notes at a table for their own page."""
    return Packet("notes", {"number": bot.table.header.number, "notes": kept})


async def noted(at: TableContext, bot: TableBot) -> list[Line]:
    """Return the person's notes at a table as lines."""
    return [_line(bot, at.person.name, about, text) for about, text in (await kept_at(at, bot)).items()]


def _line(bot: TableBot, name: str, about: str, text: str) -> Line:
    return bot.line(f"Note on {about}: {text}" if text else f"You deleted the note on {about}.", by=name)


@command("note", "notes", group="every game", private=True)
async def note(at: TableContext, about: str = "", text: Rest = "") -> Sequence[Line]:
    """Write a note that only you see: /note 12 surely a lie. /note 12 deletes it, /note lists your notes."""
    bot = await at.seat()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"you need a seat at {bot.room.name} to take notes. Type /sit to take one.")
    if not about:
        return await noted(at, bot) or [bot.line("You don't have any notes. Type /note CARD TEXT to write one.")]
    about, text = clean(about)[:16], clean(text).strip()[:LONGEST]
    kept = await kept_at(at, bot)
    if text and about not in kept and len(kept) >= MOST:
        raise UserError(f"you already have {MOST} notes here. Type /note CARD to delete one.")
    if not text and about not in kept:
        raise UserError(f"you don't have a note on {about}. Type /note {about} TEXT to write one.")
    after = {key: value for key, value in kept.items() if key != about} | ({about: text} if text else {})
    await at.tables.store.keep("note", _key(bot, at.person.name), json.dumps(after))
    if at.person.takes_picture:
        at.person.packet(packet(bot, after))
    return [_line(bot, at.person.name, about, text)]


@command("autopass", group="every game")
async def autopass(at: TableContext) -> Line:
    """Pass automatically whenever you can. Type it again to turn this off."""
    bot = await at.seat()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"you don't have a seat at {bot.room.name}. Type /sit to take one.")
    passes = bot.autopass.passes(at.person.name)
    await at.do(bot, seating.note, "plays" if passes else "passes", at.person.name)
    if passes:
        return bot.line("Autopass is off. You'll be asked again.")
    bot.room.post(bot.autopass.pass_for_all)
    return bot.line("Autopass is on: you pass whenever you can. Type /autopass again to turn it off.")


@command("purse", group="every game")
async def purse(at: TableContext) -> str:
    """Show how many chips and units your account has."""
    if at.person.guest:
        raise UserError("guests don't have a purse. Type /register to keep your name and what you win.")
    held = [
        f"{count(await at.tables.purses.held(game, at.person.name), game.purse.unit)} ({game.title})"
        for game in at.tables.games.values()
        if game.purse
    ]
    return f"You have {listing(held)}. You get back what is left of a stake when you leave the table."
