"""Commands about finished games: games played, standings and rematches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.finished.replays import recording_of
from lilygames.tables.commands.joining import seats
from lilygames.tables.log.options import Frame
from lilygames.tables.open.opening import Plan
from lilygames.tables.ratings.known_ratings import WITH_HOUSE
from lilygames.tables.ratings.rating_model import Rating
from lilygames.tables.ratings.ratings import size_of
from lilygames.tables.results.results import Played, Results, level_name, shown_name
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.state.table import Table
from lilygames.tables.verify import fairness
from lilygames.tables.visits.table_context import TableContext, TableNumber
from lilygames.text import NARROW, Line, count

_ROWS = 18


@command("played", group="afterwards")
async def played(at: TableContext, name: str = "me") -> list[str]:
    """List your finished games, or someone else's: /played, /played bob. /replay NUMBER shows one again."""
    return await games_of(at, at.person.name if fold(name) == "me" else name)


async def games_of(at: TableContext, name: str) -> list[str]:
    """Return the rows of a player's last games; private ones are listed only for their players."""
    key = at.tables.host.accounts.key
    mine = {one.table for one in await at.tables.results.played(at.person.name)}
    games = [one for one in await at.tables.results.played(name) if not one.private or one.table in mine]
    if not games and key(name) == key(at.person.name):
        return ["(you haven't finished a game here yet)"]
    if not games:
        return ["(nobody by that name has finished a game here)"]
    counted = [one for one in games if one.counted]
    told = f"{count(len(counted), 'game')}; {_finished(counted)}" if counted else "none of these games count"
    narrow = at.person.width < NARROW
    return [*(_row(one, at.person.profile.zone, narrow=narrow) for one in games[:_ROWS]), f"({told})"]


def _row(one: Played, zone: ZoneInfo, *, narrow: bool) -> str:
    day = f"{datetime.fromtimestamp(one.at, zone):%Y-%m-%d}"
    how = "left" if one.left else f"place {one.place} of {one.seats}"
    why = ", doesn't count" if not one.counted else "" if one.rated else ", unrated"
    game = f"#{one.table} {day} {one.game}:" if narrow else f"#{one.table:<6} {day}  {one.game:<11}"
    return f"{game} {how}, {one.score} points{why}"


def _finished(games: Sequence[Played]) -> str:
    left = sum(one.left for one in games)
    return f"{100 * (len(games) - left) // len(games)} % finished"


async def facts(results: Results, name: str) -> list[str]:
    """Return what `/finger` says about a player's games, leaving out private ones."""
    games = [one for one in await results.played(name) if one.counted and not one.private]
    await results.ratings.read_of(name)
    rated = [_rated(kind, rating) for kind, rating in results.ratings.of(name).items()]
    return [*([f"{count(len(games), 'game')} played, {_finished(games)}"] if games else []), *rated]


def _rated(kind: str, rating: Rating) -> str:
    """Return a player's rating, number of games and title in a class of game and size."""
    return f"{kind}: {rating} ({count(rating.games, 'game')}){_titled(rating)}"


def _titled(rating: Rating) -> str:
    return f", {rating.held}" if rating.held.title else ""


@command("standings", group="afterwards")
async def standings(at: TableContext, game: str = "") -> list[str]:
    """List the best players of a game: /standings ohell. Each number of players has its own list."""
    kind = at.tables.game(game or at.person.room.name.partition("-")[0])
    best = await at.tables.results.ratings.standings(kind.name)
    rows = []
    for played, order in best.items():
        _, size, *house = played.split()
        rows.append(f"{kind.title}, {size} seats{', people and bots' if house else ''}:")
        for place, (name, rating) in enumerate(order, 1):
            rows.append(f"{place:>4}. {shown_name(name):<16} {rating}  {count(rating.games, 'game')}{_titled(rating)}")
    rows = rows or [f"(nobody has played a rated game of {kind.title} yet; it takes two people, or a person and a bot)"]
    return [*rows, *await still_waiting(at)]


async def still_waiting(at: TableContext) -> list[str]:
    """Return a row that says how many games aren't rated yet, if there are any."""
    number = await at.tables.results.ratings.waiting()
    return [f"({count(number, 'game')} still being rated)"] if number else []


@command("assess", group="afterwards")
async def assess(at: TableContext, table: str = "") -> list[Line]:
    """Show each player's chances at a table, and yours if you joined: /assess ohell-2.

    If no other people have a seat there, it compares you with the bots.
    """
    bot = at.find(table) if table else at.bot
    people = [who.name for who in bot.table.seats.people]
    names = people if at.person.name in people else [*people, at.person.name]
    kind = f"{bot.table.game.name} {size_of(max(len(bot.table.seats), len(names)))}"
    among = "the people here"
    if len(names) == 1:
        names += dict.fromkeys(level_name(who.level) for who in bot.table.seats if who.house)
        kind, among = f"{kind} {WITH_HOUSE}", "one of each"
    if len(names) == 1:
        raise UserError("nobody else has a seat at this table yet. Type /house to add a bot.")
    ratings = at.tables.results.ratings
    await ratings.read_of(*names)
    chances = ratings.expected(kind, names)
    return [
        bot.line(f"{shown_name(name)}: {ratings.one(kind, name)}, wins {100 * chance:.0f} % among {among}.")
        for name, chance in zip(names, chances, strict=True)
    ]


@command("dicetest", group="afterwards")
async def dicetest(at: TableContext) -> list[str]:
    """Show whether cards and dice look random: how often each result came up in all finished games."""
    told = fairness.rows(await at.tables.fairness.total())
    return told or ["(too few games have been finished to tell yet)"]


@command("rematch", group="afterwards")
async def rematch(at: TableContext, number: TableNumber = 0) -> None:
    """Play again: open a table with the same game and options, invite the same people and add the same bots.

    /rematch 12 plays game 12 again. If another player has already asked for
    a rematch, you take your seat there.
    """
    if not number and at.bot in at.tables.inviting(at.person):  # the rematch has taken the room already
        await at.do(at.bot, seating.sit, at.person)
        return seats.accept_invitation(at, at.bot)
    table = await _finished_table(at, number)
    if asked := _asked_already(at, table):
        await at.do(asked, seating.sit, at.person)
        return seats.accept_invitation(at, asked)
    others = [who.name for who in table.seats.people if fold(who.name) != fold(at.person.name)]
    header = table.header
    frame = Frame(
        header.sealed,
        header.clock,
        header.late,
        private=header.private,
        rated=header.rated,
        soft=header.soft,
        open_seats=header.open_seats,
    )
    game, chosen = _newest(at, table)
    plan = Plan(game, chosen, frame, tuple(others), party=_free_code(at, table))
    at.tables.opening.check_may_open(plan, at.person)
    at.tables.host.quotas.invite(at.person, others)
    again = await at.opened(plan)
    at.tables.televisions.move(header.number, again.table.header.number)
    houses = [who.level for who in table.seats if who.house and not who.stands_in]
    for level in dict.fromkeys(houses):
        await at.do(again, seating.house, level, houses.count(level))
    for name in others:
        await seats.invite_to(at, again, name)
    if not others:
        await at.do(again, seating.start, at.person)
    return None


def _free_code(at: TableContext, table: Table) -> str:
    """Return the code of the party that a game belonged to, unless others have it by now; empty for none."""
    return "" if table.header.party in at.tables.parties else table.header.party


async def _finished_table(at: TableContext, number: int) -> Table:
    """Return the finished table of this number, or of this room (0); raises `UserError`."""
    here = at.person.room.bot
    if number and not (isinstance(here, TableBot) and here.over and here.table.header.number == number):
        return (await recording_of(at, number)).table
    if not at.bot.table.started:
        raise UserError("this game hasn't begun yet. Type /start to begin it.")
    if not at.bot.over:
        raise UserError("this game isn't over yet. Type /adjourn to stop for now.")
    return at.bot.table


def _asked_already(at: TableContext, table: Table) -> TableBot | None:
    """Return the table to which one of the same players has invited this person, None if there is none."""
    players = set(map(fold, table.seats.owners))
    for bot in at.tables.inviting(at.person):
        same = bot.table.game.name == table.game.name and fold(bot.table.header.host) in players
        if same and not bot.table.started:
            return bot
    return None


def _newest(at: TableContext, table: Table) -> tuple[Game, Any]:
    """Return the latest version of a table's game, and its options as that reads them; raises `UserError`."""
    game = at.tables.game(table.game.name)
    try:
        return game, codec.load(table.header.options, game.rules.Options)
    except ValueError:
        raise UserError(
            f"the rules of {game.title} have changed since then. Type /new {game.name} to open a new table."
        ) from None
