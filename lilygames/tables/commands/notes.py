"""Commands for private notes, passing automatically, and purses."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lilygames.chat.names import fold
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.tables import seating
from lilygames.tables.bot import TableBot
from lilygames.tables.table_context import TableContext
from lilygames.text import Line, clean, count, listing

MOST, LONGEST = 100, 200
"""Maximum notes per person and table, and maximum characters per note."""


def _key(bot: TableBot, name: str) -> str:
    return f"{bot.table.header.number}/{fold(name)}"


async def _kept(at: TableContext, bot: TableBot) -> dict[str, str]:
    """Return the person's notes at a table by subject."""
    kept: dict[str, str] = json.loads(await at.tables.store.find("note", _key(bot, at.person.name)) or "{}")
    return kept


async def noted(at: TableContext, bot: TableBot) -> list[Line]:
    """Return the person's notes at a table as lines."""
    return [_line(bot, at.person.name, about, text) for about, text in (await _kept(at, bot)).items()]


def _line(bot: TableBot, name: str, about: str, text: str) -> Line:
    return bot.line(f"Note on {about}: {text}" if text else f"The note on {about} is wiped out.", by=name)


@command("note", group="every game")
async def note(at: TableContext, about: str = "", text: Rest = "") -> Sequence[Line]:
    """Note something that only you see: /note 12 surely a lie. /note 12 wipes it out, /note lists your notes."""
    bot = await at.seat()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"you have no seat at {bot.room.name}, and notes are kept by seats; /sit takes one.")
    if not about:
        return await noted(at, bot) or [bot.line("You have noted nothing; /note CARD TEXT does.")]
    about, text = clean(about)[:16], clean(text).strip()[:LONGEST]
    kept = await _kept(at, bot)
    if text and about not in kept and len(kept) >= MOST:
        raise UserError(f"{MOST} notes are the most; /note CARD alone wipes one out.")
    if not text and about not in kept:
        raise UserError(f"nothing is noted on {about}; /note {about} TEXT does.")
    after = {key: value for key, value in kept.items() if key != about} | ({about: text} if text else {})
    await at.tables.store.keep("note", _key(bot, at.person.name), json.dumps(after))
    return [_line(bot, at.person.name, about, text)]


@command("autopass", group="every game")
async def autopass(at: TableContext) -> Line:
    """Pass by itself whenever passing is possible, or stop doing so."""
    bot = await at.seat()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"you have no seat at {bot.room.name}; /sit takes one.")
    passes = bot.autopass.passes(at.person.name)
    await at.do(bot, seating.note, "plays" if passes else "passes", at.person.name)
    if passes:
        return bot.line("You are asked again whether you pass.")
    bot.room.post(bot.autopass.pass_for_all)
    return bot.line("You pass whenever you can, until you type /autopass again.")


@command("purse", group="every game")
async def purse(at: TableContext) -> str:
    """Say what your account holds: chips, and lifetime balances."""
    if at.person.guest:
        raise UserError("a guest's purse is not kept; /register keeps name and purse.")
    held = [
        f"{count(await at.tables.purses.held(game, at.person.name), game.purse.unit)} ({game.title})"
        for game in at.tables.games.values()
        if game.purse
    ]
    return f"You hold {listing(held)}; what is on a table comes back when you get up."
