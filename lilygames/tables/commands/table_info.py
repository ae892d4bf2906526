"""Commands that work in every game: moves, hand, score and history."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person, Room
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.commands import command
from lilygames.errors import DealShut, UserError
from lilygames.game import Game
from lilygames.help import RULES
from lilygames.tables.commands import notes
from lilygames.tables.commands.finished import history as afterwards
from lilygames.tables.open.tables import Tables
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight import replay
from lilygames.tables.state.table import Diverged
from lilygames.tables.visits.table_context import GameName, TableContext, TableNumber, game_here
from lilygames.text import Line, count
from lilygames_rules.kit import Seat

_SHOWN = 20
"""Rows of a list shown at once."""


async def _seat(at: TableContext) -> tuple[TableBot, Seat]:
    bot = await at.seat()
    seat = bot.seat_of(at.person.name)
    if seat is None:
        raise UserError(
            f"you don't have a seat at {bot.room.name}. Type /sit to take one, or /quick to play elsewhere."
        )
    if not bot.table.started:
        raise UserError(f"{bot.screens.waiting(at.person)}.")
    return bot, seat


@command("moves", group="every game")
async def moves(at: TableContext, first: int = 0) -> Sequence[str | Line]:
    """List your moves by number; type a number to make that move. /moves 21 lists them from number 21."""
    bot, seat = await _seat(at)
    with bot.runner.bugs_stop_this_table:
        menu = bot.questions.menu(seat)
        kinds = await run_in_slices(menu.kinds(), at.person.origin)
    asked = bot.turn(at.person)
    if not asked:
        return [bot.screens.waits(at.person)]
    with bot.runner.bugs_stop_this_table:
        now = bot.questions.menu(seat)  # the table may have moved on meanwhile
        rows = [*now.rows(first, kinds if now is menu else None)]
    bot.typed.show_numbers(at.person, [number for number, _ in rows if number is not None])
    return [*(row for _, row in rows), *(() if at.person.voice.spoken else asked)]


@command("pick", group="every game")
async def pick(at: TableContext, number: int) -> None:
    """Make the move with this number in /moves: /pick 3."""
    bot, _ = await _seat(at)
    await bot.typed.number(at.person, str(number), named=bot is at.named)


@command("hand", group="every game")
async def hand(at: TableContext) -> Sequence[Line]:
    """Show your cards or dice, and your notes."""
    bot, seat = await _seat(at)
    with bot.runner.bugs_stop_this_table:
        reader = bot.publisher.reader_of(bot.table, at.person)
        held = [bot.line(row) for row in bot.table.game.hand(bot.table.view(seat), reader)]
    return [*held, *await notes.noted(at, bot)]


@command("score", group="every game")
async def score(at: TableContext) -> Sequence[Line]:
    """Show the score."""
    bot = await at.shown()
    if not bot.table.started:
        raise UserError(f"{bot.screens.waiting(at.person)}.")
    reader = bot.publisher.reader_of(bot.table, at.person)
    with bot.runner.bugs_stop_this_table:
        return [bot.line(row) for row in bot.table.game.score(bot.table.view(reader.seat), reader)]


@command("status", group="every game")
async def status(at: TableContext) -> Line:
    """Show in one line what your table is waiting for."""
    bot = await at.shown()
    head = f"Table #{bot.table.header.number}, {bot.table.game.title}, {count(len(bot.table.names), 'player')}"
    return bot.line(f"{head}; {bot.screens.waiting(at.person)}. {bot.clock.hint(at.person)}".rstrip())


@command("history", group="every game")
async def history(at: TableContext, name: str = "") -> Sequence[str | Line]:
    """Show the last lines of the game again. /history bob lists bob's finished games."""
    if name:
        return await afterwards.games_of(at, name)
    bot = await at.shown()
    rows = [line for _, line in await _told(at, bot.table.header.number)]
    return rows[-_SHOWN:] or [bot.line("Nothing has happened yet.")]


@command("log", group="every game")
async def show_log(at: TableContext, number: TableNumber = 0) -> Sequence[Line]:
    """Show the whole game: /log, /log 12. Hidden cards are shown only after the end."""
    number = number or (await at.shown()).table.header.number
    told = [line for _, line in await _told(at, number)]
    return told or [Line(f"(Table #{number} hasn't started yet, so there is nothing to show.)")]


async def tale(tables: Tables, person: Person, room: Room) -> Sequence[ChatEvent]:
    """Return the story of a room's table as the person may see it, for reviewing the talk there."""
    if not isinstance(room.bot, TableBot):
        return ()
    try:
        told = await _told(TableContext(person, tables), room.bot.table.header.number)
    except DealShut:
        return ()
    return [ChatEvent("game", "", (room.name,), text=line.text, at=at) for at, line in told]


async def _told(at: TableContext, number: int) -> list[tuple[float, Line]]:
    header, entries = await at.read(number)
    game = header.game_in(at.tables.games)
    if game is None:
        raise UserError(f"{header.game} version {header.version} isn't installed here, so you can't see its log.")
    secret = await at.tables.archive.secret(number, entries)
    try:
        name, voice, key = at.person.name, at.person.voice, at.tables.host.accounts.key
        steps = replay.told(header, game, entries, secret, name=name, voice=voice, key=key)
        return [line for some in await run_in_slices(steps, at.person.origin) for line in some]
    except Diverged as damage:
        raise UserError(
            f"the log of table #{number} can't be read: {damage}. Type /feedback TEXT to tell the sysop."
        ) from None


def _game_played(at: TableContext) -> Game | None:
    """Return the game a person plays: that of the question they are asked, or of their only table."""
    bot = at.person.focus.table() or at.person.focus.at_hand()
    return bot.table.game if isinstance(bot, TableBot) else None


@command("rules", group="every game")
def rules(at: TableContext, game: GameName = "") -> Sequence[Line]:
    """Show the rules of a game: /rules ohell. At a table or in a game's room, /rules shows that game's.

    /options shows the options of your table.
    """
    pages = at.tables.host.pages
    played = at.tables.game(game) if game else game_here(at) or _game_played(at)
    if played is None:
        return pages.lines(RULES)
    if not pages.has(played.name):
        raise UserError(f"{played.title} has no rules page. Type /options {played.name} to list its options.")
    return pages.lines(pages.find(played.name))
