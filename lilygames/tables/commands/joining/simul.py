"""The `/simul` command: one person plays at several tables at once, each with another player."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.tables.commands.joining import seats as verbs
from lilygames.tables.log import options
from lilygames.tables.open import game_names
from lilygames.tables.open.opening import Plan
from lilygames.tables.open.simuls import totals
from lilygames.tables.room.bot import TableBot
from lilygames.tables.seeks.seeks import hearers
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import count, listing

_SEATS = 2
_FEWEST, _MOST = 2, 8
"""Tables of a simul."""


@command("simul", group="start", syntax="[GAME NUMBER [OPTION=VALUE...] | stop]")
async def simul(at: TableContext, *words: str) -> list[str]:
    """Play at several tables at once: /simul ohell 5 opens five tables for two.

    Everyone is told, and each table starts when someone sits down. /next takes
    you to the next table that waits for you. /simul lists your tables and the
    results so far, and /simul stop closes those that nobody has joined. After
    the last game you see how all of them ended.
    """
    if not words:
        return await _listed(at)
    if fold(words[0]) == "stop" and len(words) == 1:
        return await _stopped(at)
    kind, rest = game_names.split(at.tables.games, words)
    frame, rest = options.frame(kind, rest)
    chosen, names = options.read(kind, rest)
    if _SEATS not in kind.rules.SEATS:
        raise UserError(f"{kind.title} needs at least {kind.rules.SEATS.start} players. Choose a game for two.")
    if frame.private:
        raise UserError("everyone can join a simul. For private games, type /new GAME private=on NAME.")
    if _waiting(at):
        raise UserError("your tables already wait for players. Type /simul to list them, or /simul stop.")
    number = _number(names)
    chosen = await at.tables.texts.filled(kind, chosen)
    verbs.check(kind, chosen)
    plan = Plan(kind, chosen, frame, wanted=_SEATS, simul=int(at.tables.host.now()))
    at.tables.opening.check_may_open(attrs.evolve(plan, simul=0), at.person)
    opened = [await at.opened(plan) for _ in range(number)]
    rooms = listing((bot.room.name for bot in opened), "or")
    told, far = await hearers(at.tables.host.people, at.person, opened[0].table, at.tables.results.ratings)
    text = f"plays {kind.title} at {count(number, 'table')} at once: /sit {rooms}"
    at.tables.host.tell(at.person.did("game", rooms=(kind.name,), text=text), told, far=far)
    return [f"(everyone has been told; each table starts when someone joins {rooms}; /next goes round)"]


def _number(words: Sequence[str]) -> int:
    """Return the number of tables; raises `UserError`."""
    digits = words[0] if len(words) == 1 else ""
    if not (digits.isascii() and digits.isdigit() and _FEWEST <= int(digits[:3]) <= _MOST):
        raise UserError(f"type /simul GAME and a number of tables from {_FEWEST} to {_MOST}: /simul ohell 5.")
    return int(digits)


def _mine(at: TableContext) -> list[TableBot]:
    """Return the open tables of the person's simuls, oldest first."""
    seats = (bot for bot in at.tables.seating(at.person.name) if bot.seat_of(at.person.name) is not None)
    return [bot for bot in seats if bot.table.header.simul and fold(bot.table.header.host) == fold(at.person.name)]


def _waiting(at: TableContext) -> list[TableBot]:
    return [bot for bot in _mine(at) if not bot.table.started]


async def _listed(at: TableContext) -> list[str]:
    """Return a row for each table that isn't over, and the games that are; of a simul that is over, the totals."""
    going = [bot for bot in _mine(at) if not bot.over]
    latest = await at.tables.simuls.of(at.person.name)
    if not going:
        if latest.games and not at.person.guest:  # another guest may have had the name
            return totals(latest)
        return ["(you have no simul; /simul GAME 5 opens five tables for two)"]
    own = latest.opened == going[-1].table.header.simul
    return [*(_row(at, bot) for bot in going), *(str(game) for game in (latest.games if own else ()))]


def _row(at: TableContext, bot: TableBot) -> str:
    others = [who.starred for who in bot.table.seats if fold(who.name) != fold(at.person.name)]
    seat = bot.seat_of(at.person.name)
    asked = bot.table.going and seat is not None and bool(bot.table.moves(seat))
    state = "your turn" if asked else "their turn" if bot.table.started else "waiting for a player"
    return f"#{bot.table.header.number} {bot.room.name}: {listing(others) or 'nobody yet'}, {state}"


async def _stopped(at: TableContext) -> list[str]:
    waiting = _waiting(at)
    if not waiting:
        raise UserError("none of your tables waits for a player. Type /simul to list them.")
    opened = waiting[-1].table.header.simul
    for bot in waiting:
        await verbs.leave_table(at, bot)
    closed = f"({count(len(waiting), 'table')} closed)"
    latest = await at.tables.simuls.of(at.person.name)
    over = latest.opened == opened and not at.tables.simuls.going(at.person.name, opened)
    return [closed, *(totals(latest) if over else ())]
