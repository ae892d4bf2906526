"""The `/daily` and `/duplicate` commands: the same cards for everyone, and the results by seat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import timedelta

from lilygames import codec
from lilygames.chat.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game, Reader
from lilygames.tables import daily as days
from lilygames.tables import seating
from lilygames.tables.bot import TableBot
from lilygames.tables.dailies import Dailies, shown_day
from lilygames.tables.duplicates import DuplicateSet, Ended
from lilygames.tables.log import Seated, Sitter, Start
from lilygames.tables.matchpoints import Placed
from lilygames.tables.options import Frame
from lilygames.tables.seal import shown
from lilygames.tables.table_context import GameName, TableContext
from lilygames.tables.tables import Plan
from lilygames.text import Line, count, listing
from rules.kit import Refused

_ROWS = 10
"""Maximum players in a list of standings."""


@command("daily", group="start")
async def daily(at: TableContext, game: GameName = "") -> Sequence[str] | None:
    """Play today's deal, with the same cards and bots for everyone: /daily ohell. /daily lists the games.

    You can play each deal once, within 24 hours, and nobody can watch. Then
    /daily ohell shows how you compare with the others.
    """
    if not game:
        return [row async for row in _listed(at)]
    kind, dailies = at.tables.game(game), at.tables.dailies
    if kind not in dailies.games:
        names = listing((one.name for one in dailies.games), "or")
        raise UserError(f"{kind.title} has no daily deal. Type /daily {names}.")
    day = dailies.today
    found = await dailies.deal(kind, day)
    mine = dailies.game_of(found, at.person.name)
    if mine is None:
        await _play(at, kind, found)
        return None
    if mine.finished is None:
        await _go_on(at, mine.added.table, found)
        return None
    return await _standings(at, kind, mine.added.table)


async def _listed(at: TableContext) -> AsyncIterator[str]:
    """Yield the list of today's deals with the person's results, and tomorrow's seals."""
    dailies = at.tables.dailies
    today = dailies.today
    tomorrow = today + timedelta(days=1)
    yield f"Daily deals for {shown_day(today)}:"
    for game in dailies.games:
        found = await dailies.deal(game, today)
        yield f"  {game.name:<12} {_status(dailies, found, game, at.person)}"
    streak = (await dailies.streak(at.person.name)).on(today)
    if streak:
        yield f"You have played {count(streak, 'day')} in a row."
    yield f"Seals for {shown_day(tomorrow)}:"
    for game in dailies.games:
        found = await dailies.deal(game, tomorrow)
        yield f"  {game.name:<12} {shown(found.header.seal)}"


def _status(dailies: Dailies, found: DuplicateSet, game: Game, person: Person) -> str:
    """Return how a deal stands for a person."""
    mine = dailies.game_of(found, person.name)
    if mine is None:
        return f"not played yet: type /daily {game.name}"
    if mine.finished is None:
        return f"you're playing at table #{mine.added.table}: type /daily {game.name}"
    placed = days.day_standings(dailies.entrants(found)).of(mine.added.table)
    return _result(placed) if placed else "you didn't finish this game"


def _result(placed: Placed) -> str:
    better = f", better than {100 * placed.beaten // placed.others}% of {placed.others}" if placed.others else ""
    return f"{placed.result.total} points{better}"


# play


async def _play(at: TableContext, game: Game, found: DuplicateSet) -> None:
    """Open a table for a person's game of a deal, and start it; raises `UserError`."""
    dailies, person = at.tables.dailies, at.person
    bot = await at.tables.new(await _plan(at, game, found), person)
    try:
        await dailies.begin(found, bot.table.header.number, person.name)
    except Refused:
        at.tables.close(bot)
        raise UserError(f"you have already begun this deal. Type /daily {game.name} to go on with it.") from None
    await at.do(bot, _begin, person, found)
    await dailies.played(person.name, dailies.today)


async def _plan(at: TableContext, game: Game, found: DuplicateSet) -> Plan:
    """Return the plan for another table of a sealed set; raises `UserError` if its rules aren't installed any more."""
    kind = game.by_version(found.header.version)
    if kind is None:
        raise UserError(f"the rules of {game.title} have changed since these cards were sealed. Choose other cards.")
    options = codec.load(found.header.options, kind.rules.Options)
    key = await at.tables.duplicates.key(found)
    return Plan(kind, options, Frame(private=True, rated=False), duplicate=found.header.name, key=key)


async def _begin(bot: TableBot, person: Person, found: DuplicateSet) -> None:
    """Seat the player and the set's bots, and start."""
    for seat, (name, level) in [*enumerate(found.seats)][len(bot.table.seats) :]:
        await bot.runner.act(person.name, Seated(seat, Sitter(name, level) if level else Sitter(person.name)))
    if bot not in person.seats:
        person.seats.append(bot)
    person.go(bot.room)
    bot.room.watch(person)
    if person.guest:
        person.show(Line(await seating.way_back(bot, person), secret=True))
    title, bots = bot.table.game.title, listing(name for name, level in found.seats if level)

    def begins(_: Reader) -> str:
        return f"Daily deal: {title}, with {bots}. The code is {shown(found.rounds.code)}."

    await bot.runner.act(person.name, Start(), begins)
    await bot.go_on()


async def _go_on(at: TableContext, number: int, found: DuplicateSet) -> None:
    """Take a person back to their game; raises `UserError` if it is stopped."""
    bot = at.tables.open.get(number)
    if bot is None:
        raise UserError(f"your game, table #{number}, can't go on now. Type /feedback TEXT to tell the sysop.")
    if not bot.table.started:  # it was interrupted before its first card
        await at.do(bot, _begin, at.person, found)
        return
    at.person.go(bot.room)
    at.person.show(*bot.remind(at.person))


# standings


async def _standings(at: TableContext, game: Game, table: int) -> list[str]:
    """Return the standings of today's deal and of the week, and a line to paste."""
    dailies = at.tables.dailies
    day = dailies.today
    found = await dailies.day(game, day)
    rows = [f"{game.title}, {shown_day(day)}:", *_places(found.listed)]
    if found.apart:
        rows += ["Guests and new accounts:", *_places(found.apart)]
    week = (await dailies.week(game, day))[:_ROWS]
    if week:
        rows.append("This week (the best five days count):")
        now = at.tables.host.accounts.now
        rows += [
            f"{place:>4}. {now(row.key):<16} {100 * float(row.points):.1f}  {count(row.days, 'day')}"
            for place, row in enumerate(week, 1)
        ]
    placed = found.of(table)
    if placed is None:
        return [*rows, "Your game isn't in the standings."]
    streak = (await dailies.streak(at.person.name)).on(day)
    return [*rows, days.line_to_paste(day, game.name, placed, streak)]


def _places(placed: Sequence[Placed]) -> Iterator[str]:
    """Yield a row for each of the best results."""
    for one in placed[:_ROWS]:
        share = f"{100 * float(one.share):.1f}%"
        yield f"{one.place:>4}. {one.result.name:<16} {share:>6}  {one.result.total} points  #{one.result.table}"
    if len(placed) > _ROWS:
        yield f"      and {count(len(placed) - _ROWS, 'more player')}"


@command("duplicate", group="table")
async def duplicate(at: TableContext, name: str, end: str = "") -> list[str]:
    """Compare the tables of a duplicate set by seat: /duplicate daily-ohell-2026-11-22.

    You see the results once your own game is over. When every table is done,
    the secret of the set is published, and everyone sees them.
    """
    sets, key = at.tables.duplicates, at.tables.host.accounts.key(at.person.name)
    found = await sets.find(name.casefold())
    if found is None:
        raise UserError(f"there is no set called “{name[:40]}”. Type /daily to list today's deals.")
    if end:
        return await _ended(at, found, end)
    tables = [*found.tables.values()]
    done = sum(table.finished is not None for table in tables)
    rows = [f"{found.header.name}: {found.header.game}, {count(len(tables), 'table')}, {done} finished."]
    if found.opened:
        rows.append(f"Secret {found.secret}")
    elif not found.has_played(key):
        return [*rows, "You see the results once your own game is over."]
    for seat, placed in found.standings().items():
        rows += [f"Seat {seat + 1}:", *_places(placed)]
    return rows


async def _ended(at: TableContext, found: DuplicateSet, end: str) -> list[str]:
    """End a set for its opener, so that it takes no more tables; raises `UserError`."""
    key = at.tables.host.accounts.key
    if end.casefold() != "end" or key(found.header.by) != key(at.person.name):
        raise UserError(f"only {found.header.by} can end this set, by typing /duplicate {found.header.name} end.")
    await at.tables.duplicates.add(found.header.name, Ended(found.header.by), by=at.person.name)
    await at.tables.duplicates.look()
    return [f"({found.header.name} takes no more tables; its secret is published when the last one is done)"]
