"""The `/learn` command: learn a game by playing it."""

from __future__ import annotations

from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Reader
from lilygames.lesson import Lesson
from lilygames.tables.commands.joining.seats import leave_lesson
from lilygames.tables.log.acts import HOUSE, Seated, Sitter, Start
from lilygames.tables.log.options import Frame
from lilygames.tables.open.opening import Plan
from lilygames.tables.room.bot import TableBot
from lilygames.tables.room.welcome import show_way_back
from lilygames.tables.visits.table_context import GameName, TableContext
from lilygames.text import Line, count, listing

LEVEL = "lesson"
"""The level of bots in a lesson."""


@command("learn", group="start")
async def learn(at: TableContext, game: GameName = "") -> list[str] | None:
    """Learn a game by playing it: /learn ohell. A coach explains each step and asks you to make the move.

    You play against bots, and the game doesn't count. /learn lists the lessons,
    and /leave ends one.
    """
    if not game:
        return _listed(at)
    kind = at.tables.game(game)
    if kind.lesson is None:
        raise UserError(
            f"{kind.title} has no lesson yet. Type /help {kind.name} for the rules, or /learn to list the lessons."
        )
    for bot in [bot for bot in at.tables.seating(at.person.name) if bot.table.lesson and bot in at.person.seats]:
        if bot.table.game is kind and bot.table.started:
            at.person.go(bot.room)
            at.person.show(*bot.remind(at.person))
            return None
        await leave_lesson(at, bot)
    plan = Plan(
        kind, kind.lesson.options, Frame(sealed=kind.sealed, private=True, rated=False), lesson=kind.lesson.version
    )
    await at.do(await at.tables.opening.new(plan, at.person), _begin, at.person, kind.lesson)
    return None


def _listed(at: TableContext) -> list[str]:
    """Return the list of lessons with their lengths, and numbers that the person may type next."""
    taught = [(game, game.lesson) for game in at.tables.games.values() if game.lesson]
    if not taught:
        raise UserError("no lessons are installed here. Type /games to list the games.")
    numbered = enumerate(taught, 1)
    rows = [f"{number}. {game.title}, {count(lesson.minutes, 'minute')}" for number, (game, lesson) in numbered]
    shown = ["Type a number to start a lesson. You play, and a coach explains the game.", *rows]
    at.person.focus.offer((f"/learn {game.name}" for game, _ in taught), rows=map(Line, shown))
    return shown


async def _begin(bot: TableBot, person: Person, lesson: Lesson) -> None:
    """Seat the learner and the bots of a lesson, and start."""
    bots = [Sitter(name, LEVEL) for name in HOUSE[: lesson.seats - 1]]
    for seat, who in enumerate([*bots[: lesson.learner], Sitter(person.name), *bots[lesson.learner :]]):
        await bot.runner.act(person.name, Seated(seat, who))
    person.seats.append(bot)
    person.go(bot.room)
    bot.room.watch(person)
    await show_way_back(bot.services.players, person)
    with_whom = listing(who.name for who in bots)
    title, minutes = bot.table.game.title, count(lesson.minutes, "minute")

    def begins(_: Reader) -> str:
        return f"Lesson: {title}, with {with_whom}. It takes about {minutes}. /leave ends it."

    await bot.runner.act(person.name, Start(lesson.purses), begins)
    await bot.go_on()
