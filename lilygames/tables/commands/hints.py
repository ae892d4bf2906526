"""The `/hint` command: ask for the move of the strongest bot."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import structlog

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Advice, Thinker
from lilygames.tables.log.acts import Hinted
from lilygames.tables.play.answers import Question
from lilygames.tables.play.coach import comment
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight.move_list import as_typed, in_words
from lilygames.tables.state.table import Table
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, Packet
from lilygames_rules.kit import Seat

log = structlog.get_logger()
_QUESTION = "If you see a hint, this game no longer counts for ratings and statistics."
_CONFIRM = "Type /hint yes to see it."
_CHIPS = " You can't win anything then, and you still lose what you have lost so far."
_THINKING = "The strongest bot is thinking; the hint follows."
_ON = "Hints are on. Type /hint on your turn to see one. This game no longer counts."


@command("hint", group="table")
async def hint(at: TableContext, word: str = "") -> Sequence[Line]:
    """See what the strongest bot would do on your turn, and why.

    The bot sees only what you see. The game no longer counts after a hint, so you
    are asked once: /hint yes shows it. If you play with other people, everyone
    has to agree. In a lesson, the coach tells you what to type.
    """
    if word.casefold() not in ("", "yes"):
        raise UserError("type /hint, or /hint yes to confirm.")
    bot = await at.seat()
    if bot.table.lesson:
        return _coached(bot, at.person)
    adviser = _adviser(bot)
    if not bot.table.hints and not await _allowed(at, bot, sure=bool(word)):
        return []
    table, seat = bot.table, _asked(bot, at.person)

    async def found() -> Sequence[Line]:
        advice = await _advice(bot, table, seat, adviser)
        if not bot.question(at.person):
            return []
        if table.seq != bot.table.seq:
            raise UserError("the game has just moved on. Type /hint again on your turn.")
        said = f"{in_words(table, seat, advice.move, at.person.voice)}. {advice.sentence}"
        _tell_page(at.person, table, {"move": as_typed(table.game, advice.move), "text": said})
        return [bot.line(f"Hint: {said}")]

    question = Question("/hint", (table.header.number, table.seq))
    return await at.tables.hints.answer(at.person, question, found, partial(bot.line, _THINKING))


def _adviser(bot: TableBot) -> Thinker:
    """Return the bot that gives hints at a table; raises `UserError` if there is none."""
    game = bot.table.game
    if bot.over:
        raise UserError("this game is over. Type /review game to see your costliest moves.")
    if bot.table.header.duplicate:
        raise UserError("you can't get hints here: others play these cards without them.")
    if game.advise is None:
        raise UserError(f"{game.title} has no hints yet. Type /help {game.name} for the rules.")
    return game.advise


def _coached(bot: TableBot, person: Person) -> Sequence[Line]:
    """Return what the coach of a lesson says to a learner who doesn't know what to do; raises `UserError`."""
    _asked(bot, person)
    return comment(bot.table, None, person.voice)


def _asked(bot: TableBot, person: Person) -> Seat:
    """Return the person's seat if it is their turn; raises `UserError`."""
    seat = bot.seat_of(person.name)
    if seat is None or not bot.question(person):
        raise UserError("you can only get a hint on your own turn. Type /status to see whose turn it is.")
    return seat


def _tell_page(person: Person, table: Table, told: Mapping[str, str]) -> None:
    """Send a page a hint or its price, which it shows beside the choices of that turn."""
    if person.takes_picture:
        person.packet(Packet("hint", {"number": table.header.number, "seq": table.seq, **told}))


async def _allowed(at: TableContext, bot: TableBot, *, sure: bool) -> bool:
    """Return whether hints are on: a person alone with bots decides, otherwise everyone has to agree."""
    alone = bot.table.seats.owners == {fold(at.person.name)}
    if alone:
        seat = _asked(bot, at.person)
    if alone and not sure:
        _warm_up(bot, seat)
        price = _QUESTION + (_CHIPS if bot.table.game.purse else "")
        at.person.show(bot.line(f"{price} {_CONFIRM}"))
        _tell_page(at.person, bot.table, {"price": price})
        return False

    async def wish(bot: TableBot) -> None:
        await bot.proposals.wish(at.person, "hint", Hinted(), _ON)

    await at.do(bot, wish)
    return bot.table.hints and bot.question(at.person) is not None


_WARMING: set[asyncio.Task[Any]] = set()
"""Warm-up tasks, kept here because unreferenced tasks may be garbage-collected."""


def _warm_up(bot: TableBot, seat: Seat) -> None:
    """Compute a hint that nobody sees while the person decides, because a new worker takes seconds to start."""

    async def thought() -> None:
        with suppress(UserError):
            await _advice(bot, bot.table, seat, _adviser(bot))

    task = asyncio.get_running_loop().create_task(thought())
    _WARMING.add(task)
    task.add_done_callback(_WARMING.discard)


async def _advice(bot: TableBot, table: Table, seat: Seat, adviser: Thinker) -> Advice:
    """Return the strongest bot's advice for a seat, computed where bots think; raises `UserError`."""
    moves = table.moves(seat)
    if len(moves) == 1:
        return Advice(moves[0], "It's your only legal move.")
    luck = table.luck.of_hint(seat)
    try:
        advice: Advice = await bot.services.bots.think(adviser, table.view(seat), moves, luck)
    except Exception:
        log.exception("no hint can be given", log=bot.runner.log, seat=seat)
        raise UserError("the strongest bot can't find a move here. Type /moves to list yours.") from None
    return advice
