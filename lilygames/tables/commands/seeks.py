"""Commands to find players: seeks, invitations and formulas."""

from __future__ import annotations

from typing import Any

import attrs

from lilygames.chat.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.tables import game_names, options, seating
from lilygames.tables.bot import TableBot
from lilygames.tables.commands import seats as verbs
from lilygames.tables.seeks import WORDS, declines
from lilygames.tables.table_context import TableContext
from lilygames.tables.tables import Plan
from lilygames.text import count, listing


@command("seek", group="start", syntax="GAME [NUMBER] [OPTION=VALUE...]")
async def seek(at: TableContext, game: str, *words: str) -> str:
    """Look for players: /seek ohell 4 max=5 opens a table that starts when four have sat down.

    Everyone is told. /unseek stops looking. /notify game ohell off hides seeks
    from you.
    """
    kind, words = game_names.split(at.tables.games, (game, *words))
    frame, words = options.frame(kind, words)
    chosen, rest = options.read(kind, words)
    wanted = _players(rest, kind.rules.SEATS)
    if frame.private:
        raise UserError("everyone can join a seek. For a private game, type /new GAME private=on NAMES.")
    if sought := _sought(at):
        raise UserError(f"you're already looking for players at {sought.room.name}. Type /unseek to stop.")
    chosen = await at.tables.filled(kind, chosen)
    verbs.check(kind, chosen)
    bot = await at.opened(Plan(kind, chosen, frame, wanted=wanted))
    _tell(
        at, bot, f"is looking for {count(wanted - 1, 'player')} for {kind.title}{_said(chosen, kind.rules.Options())}"
    )
    return f"(everyone has been told; the game starts when {wanted} players have joined {bot.room.name})"


def _tell(at: TableContext, bot: TableBot, text: str) -> None:
    """Announce a seek to everyone whose formula wouldn't decline it."""
    host, game, rated = at.tables.host, bot.table.game.name, bot.table.header.rated
    asked = [
        person
        for person in host.people.values()
        if not declines(person.profile.formula, game, guest=at.person.guest, rated=rated)
    ]
    host.tell(at.person.did("game", rooms=(game,), text=f"{text}: /sit {bot.room.name}"), asked, but=at.person)


def _sought(at: TableContext) -> TableBot | None:
    """Return the table of the person's seek, or None."""
    mine = (bot for bot in at.tables.open.values() if fold(bot.table.header.host) == fold(at.person.name))
    seeks = (bot for bot in mine if bot.table.header.wanted and not bot.table.started)
    return next((bot for bot in seeks if bot.seat_of(at.person.name) is not None), None)


@command("unseek", group="start")
async def unseek(at: TableContext) -> str:
    """Stop looking for players, and leave the table that you opened for it."""
    bot = _sought(at)
    if bot is None:
        raise UserError("you aren't looking for players. Type /seek GAME to look for some.")
    return await verbs.leave_table(at, bot)


def _players(words: list[str], seats: range) -> int:
    """Return the number of players that a table waits for; raises `UserError`."""
    numbers = [int(word[:3]) for word in words if word.isascii() and word.isdigit()]
    names = [word for word in words if not (word.isascii() and word.isdigit())]
    if names:
        raise UserError(f"everyone can join a seek. Type /new GAME {' '.join(names)} to invite people.")
    wanted = numbers[0] if numbers else max(2, seats.start)
    if wanted not in seats or wanted < 2:  # noqa: PLR2004 - a single player needs no seek
        raise UserError(f"that game is for {seats.start} to {seats.stop - 1} players.")
    return wanted


def _said(chosen: Any, default: Any) -> str:
    """Return the options that differ from their defaults, in brackets."""
    own, plain = attrs.asdict(chosen, recurse=False), attrs.asdict(default, recurse=False)
    said = [f"{options.typed(name)}={options.said(value)}" for name, value in own.items() if value != plain[name]]
    return f" ({', '.join(said)})" if said else ""


@command("seeks", group="start")
def seeks(at: TableContext) -> list[str]:
    """List the tables that need players. Type /sit TABLE to join one."""
    waiting = [bot for bot in at.tables.open.values() if bot.open_to_all and bot.room.may_see(at.person)]
    rows = [f"#{bot.table.header.number} {bot.room.name}: {bot.summary}{_missing(bot)}." for bot in waiting]
    return rows or ["(nobody is looking for players; type /seek GAME to look for some)"]


def _missing(bot: TableBot) -> str:
    left = bot.table.header.wanted - len(bot.table.seats)
    return f", starts with {left} more" if left > 0 else ""


@command("invite", group="table")
async def invite(at: TableContext, *names: str) -> str:
    """Invite people to your table, even to a private one: /invite bob cat.

    After the start, they can take over the seat of someone who left. If everyone
    who plays invites them, they can take over any bot's seat.
    """
    bot = await at.table()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"only players at {bot.room.name} can invite people. Type /sit to take a seat.")
    if not names:
        raise UserError("type /invite and the names of the people you want to invite.")
    guests = [at.tables.host.person(name) for name in names]
    if at.person in guests:
        raise UserError("you already have a seat. Type /invite and the names of others.")
    for guest in guests:
        await at.do(bot, seating.note, "invited", guest.name, at.person.name)
        if bot.invitations.asks(guest.name) and guest.here and not seating.not_agreed(bot, guest.name):
            await at.do(bot, seating.sit, guest)
        else:
            await verbs.invite_to(at, bot, guest.name)
    return f"(you invited {listing(guest.name for guest in guests)} to {bot.room.name})"


@command("formula", group="you", syntax="[decline GAME... | clear]")
def formula(at: TableContext, verb: str = "", *words: str) -> str:
    """Decline invitations automatically: /formula decline guests ohell declines guests and games of Ohell.

    You can decline games by name, guests, rated, unrated or all. /formula clear
    lets everyone invite you again.
    """
    person, known = at.person, (*WORDS, *at.tables.games)
    chosen = tuple(word.casefold() for word in words)
    if verb.casefold() == "clear":
        person.update_profile(formula=())
    elif verb:
        if verb.casefold() != "decline" or not chosen or not set(chosen) <= set(known):
            raise UserError(f"type /formula clear, or /formula decline and one or more of {listing(known, 'or')}.")
        person.update_profile(formula=chosen)
    at.tables.host.keep(person)
    return f"(you automatically decline: {listing(person.profile.formula) or 'nothing'})"
