"""Commands that end a game early: `/abort` and `/tie`, if everyone agrees, and `/resign` in a game of two."""

from __future__ import annotations

from functools import partial

from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import EarlyEnd
from lilygames.tables.log.acts import Adjudicated
from lilygames.tables.room.bot import TableBot
from lilygames.tables.visits.table_context import TableContext
from lilygames_rules.kit import Outcome, Seat

_TWO = 2


@command("abort", group="time", whole=True)
async def abort(at: TableContext) -> None:
    """End the game without a result, if all players agree. It counts for nobody."""
    await at.do(await at.table(), partial(_aborted, person=at.person))


async def _aborted(bot: TableBot, person: Person) -> None:
    _check(bot, person, "abort")
    if bot.table.header.tournament:
        raise UserError("a tournament needs a result here. Type /leave to leave, and a bot takes over your seat.")
    if len(bot.table.seats.people) < _TWO:
        raise UserError("only bots play with you here. Type /leave to leave.")
    act = Adjudicated("The players", "they agreed to abort it", None)
    await bot.proposals.wish(person, wish="abort", act=act, done="")


@command("tie", group="time", whole=True)
async def tie(at: TableContext) -> None:
    """End the game with a tie, if all players agree: everyone shares the first place.

    You can't if bots play, or before everyone has moved.
    """
    await at.do(await at.table(), partial(_tied, person=at.person))


async def _tied(bot: TableBot, person: Person) -> None:
    _check(bot, person, "tie")
    table = bot.table
    seats = range(len(table.seats))
    if len(table.seats.people) < len(table.seats):
        raise UserError("there's no tie in a game with bots. Type /leave to leave.")
    if len(table.moved) < len(seats) or not all(table.moved):
        raise UserError("there's no tie before everyone has moved. Type /abort to end the game without a result.")
    act = Adjudicated("The players", "they agreed to a tie", Outcome((0,) * len(seats), tuple(seats), "tie"))
    await bot.proposals.wish(person, wish="tie", act=act, done="")


@command("resign", group="time", whole=True)
async def resign(at: TableContext, word: str = "") -> None:
    """Give up a game of two: /resign yes. The other player wins."""
    if word.casefold() not in ("", "yes"):
        raise UserError("type /resign yes to give up this game.")
    await at.do(await at.table(), partial(_resigned, person=at.person, sure=bool(word)))


async def _resigned(bot: TableBot, person: Person, *, sure: bool) -> None:
    mine = _check(bot, person, "resign")
    if len(bot.table.seats) != _TWO:
        raise UserError("you can only resign in a game of two. Type /leave, and a bot takes over your seat.")
    if not sure:
        person.show(bot.line("If you resign, you lose this game. Type /resign yes to do it."))
        return
    scores = tuple(int(seat != mine) for seat in range(_TWO))
    result = Outcome(scores, (1 - mine,), "resigned")
    await bot.runner.act(person.name, Adjudicated(person.name, "they resigned", result))
    await bot.go_on()


def _check(bot: TableBot, person: Person, end: EarlyEnd) -> Seat:
    """Return the person's seat; raises `UserError` if the game can't be ended this way now."""
    seat = bot.seat_of(person.name)
    if seat is None:
        raise UserError(f"only players at {bot.room.name} can do that.")
    if not bot.table.going or bot.table.lesson:
        raise UserError("there's no game to end here. Type /leave to leave.")
    if end not in bot.table.game.early_ends:
        raise UserError(f"{bot.table.game.title} can't be ended this way. Type /leave to leave.")
    return seat
