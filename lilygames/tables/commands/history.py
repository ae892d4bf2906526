"""Commands about finished games: standings, games played, and replays."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.chat.cooperative import run_in_slices
from lilygames.chat.names import fold
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables import fairness, narrate, seating, visible
from lilygames.tables.commands import seats
from lilygames.tables.log import Header
from lilygames.tables.options import Frame
from lilygames.tables.ratings import size_of
from lilygames.tables.replay import Step, replayed
from lilygames.tables.results import WITH_HOUSE, Played, Results, level_name, shown_name
from lilygames.tables.table import Diverged, Table
from lilygames.tables.table_context import TableContext, TableNumber
from lilygames.tables.tables import Plan
from lilygames.text import Line, count, listing
from rules.kit import Seat

_ROWS = 18


@attrs.frozen
class Replay:
    """A replay on someone's screen: the game, the point of view, and the current step."""

    number: int
    step: int = 0
    by: str = ""


@command("played", group="afterwards")
async def played(at: TableContext, name: str = "me") -> list[str]:
    """List somebody's last games: /played bob. /replay NUMBER shows one again."""
    return await games_of(at, at.person.name if fold(name) == "me" else name)


async def games_of(at: TableContext, name: str) -> list[str]:
    """Return the rows of a player's last games; private ones are listed only for their players."""
    key = at.tables.host.accounts.key
    mine = {one.table for one in await at.tables.results.played(at.person.name)}
    games = [one for one in await at.tables.results.played(name) if not one.private or one.table in mine]
    if not games and key(name) == key(at.person.name):
        return ["(you have finished no game here yet)"]
    if not games:
        return ["(nobody of that name has finished a game here)"]
    counted = [one for one in games if one.counted]
    told = f"{count(len(counted), 'game')}; {_finished(counted)}" if counted else "no game that counts"
    return [*map(_row, games[:_ROWS]), f"({told})"]


def _row(one: Played) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime(one.at))
    how = "left" if one.left else f"place {one.place} of {one.seats}"
    why = ", doesn't count" if not one.counted else "" if one.rated else ", unrated"
    return f"#{one.table:<6} {day}  {one.game:<11} {how}, {one.score} points{why}"


def _finished(games: Sequence[Played]) -> str:
    left = sum(one.left for one in games)
    return f"finished {100 * (len(games) - left) // len(games)} %"


async def facts(results: Results, name: str) -> list[str]:
    """Return what `/finger` says about a player's games, leaving out private ones."""
    games = [one for one in await results.played(name) if one.counted and not one.private]
    rated = [f"{kind}: {rating} ({count(rating.games, 'game')})" for kind, rating in results.ratings.of(name).items()]
    return [*([f"{count(len(games), 'game')} played, {_finished(games)}"] if games else []), *rated]


@command("standings", group="afterwards")
def standings(at: TableContext, game: str = "") -> list[str]:
    """List the best at a game, by the number of seats: those first who are surely strong."""
    kind = at.tables.game(game or at.person.room.name.partition("-")[0])
    best = at.tables.results.ratings.standings(kind.name)
    rows = []
    for played, order in best.items():
        _, size, *house = played.split()
        rows.append(f"{kind.title}, {size} seats{', people and bots' if house else ''}:")
        for place, (name, rating) in enumerate(order, 1):
            rows.append(f"{place:>4}. {shown_name(name):<16} {rating}  {count(rating.games, 'game')}")
    return rows or [f"(nobody has played a rated game of {kind.title} yet: two people make one, or a person and a bot)"]


@command("assess", group="afterwards")
def assess(at: TableContext, table: str = "") -> list[Line]:
    """Say how likely each is to win at a table, before you sit: /assess ohell-2. Alone, with each level that sits."""
    bot = at.find(table) if table else at.bot
    people = [who.name for who in bot.table.seats.people]
    names = people if at.person.name in people else [*people, at.person.name]
    kind = f"{bot.table.game.name} {size_of(max(len(bot.table.seats), len(names)))}"
    among = "the people here"
    if len(names) == 1:
        names += dict.fromkeys(level_name(who.level) for who in bot.table.seats if who.house)
        kind, among = f"{kind} {WITH_HOUSE}", "one of each"
    if len(names) == 1:
        raise UserError("there is nobody to measure yourself with yet; /house adds a bot.")
    ratings = at.tables.results.ratings
    chances = ratings.expected(kind, names)
    return [
        bot.line(f"{shown_name(name)}: {ratings.one(kind, name)}, wins {100 * chance:.0f} % among {among}.")
        for name, chance in zip(names, chances, strict=True)
    ]


@command("dicetest", group="afterwards")
async def dicetest(at: TableContext) -> list[str]:
    """Say whether the luck of this host looks like luck: how often what was drawn in all finished games."""
    told = fairness.rows(await at.tables.fairness.total())
    return told or ["(too little has been drawn yet to say anything)"]


@command("rematch", group="afterwards")
async def rematch(at: TableContext) -> None:
    """Play the game of this room again: the same people are invited, the same house players sit down."""
    bot = at.bot
    if not bot.over:
        raise UserError("this game is not over; /adjourn puts it off.")
    table = bot.table
    others = [who.name for who in table.seats.people if fold(who.name) != fold(at.person.name)]
    header = table.header
    frame = Frame(header.sealed, header.clock, header.late, private=header.private, rated=header.rated)
    game, chosen = _newest(at, table)
    again = await at.tables.new(Plan(game, chosen, frame, tuple(others)), at.person)
    await at.do(again, seating.sit, at.person)
    houses = [who.level for who in table.seats if who.house and not who.stands_in]
    for level in dict.fromkeys(houses):
        await at.do(again, seating.house, level, houses.count(level))
    for name in others:
        await seats.invite_to(at, again, name)
    if not others:
        await at.do(again, seating.start, at.person)


def _newest(at: TableContext, table: Table) -> tuple[Game, Any]:
    """Return the latest version of a table's game, and its options as that reads them; raises `UserError`."""
    game = at.tables.game(table.game.name)
    try:
        return game, codec.load(table.header.options, game.rules.Options)
    except ValueError:
        raise UserError(f"the rules of {game.title} have changed since; /new {game.name} opens a table.") from None


@command("replay", group="afterwards")
async def replay(at: TableContext, number: TableNumber = 0, how: Rest = "") -> Sequence[Line]:
    """Show a finished game again, step by step: /replay 12, then /replay for the next step.

    /replay 12 as bob shows it by bob's eyes, where the seal is open.
    /replay 12 back and /replay 12 30 go elsewhere in it.
    """
    shown = at.tables.replays.get(fold(at.person.name), Replay(number))
    shown = shown if number in (0, shown.number) else Replay(number)
    if not shown.number:
        raise UserError("which game? /replay NUMBER; /played lists yours.")
    header, steps, table = await _steps(at, shown.number)
    shown = _moved(shown, how.split(), len(steps))
    at.tables.replays[fold(at.person.name)] = shown
    seat = _eyes(at, header, table, shown.by)
    reader = narrate.reader(table, seat, at.person.voice)
    step = steps[shown.step - 1]
    told = visible.all_seen(step.events, seat) if shown.by else visible.told(header, step.events, seat, over=True)
    back = narrate.taken_back(step.table)
    more = "/replay goes on" if shown.step < len(steps) else "that was the end"
    return [
        *([narrate.line(header.tag, back)] if back else []),
        *narrate.told(header.tag, table.game, told, reader),
        Line(f"(step {shown.step} of {len(steps)} of game #{shown.number}; {more})"),
    ]


def _moved(shown: Replay, words: Sequence[str], steps: int) -> Replay:
    """Return the replay after the typed words: forward by default, `back`, a step's number, or `as NAME`."""
    step, by = shown.step + 1, shown.by
    match [word.casefold() for word in words]:
        case ["as", name]:
            step, by = max(shown.step, 1), name
        case ["back"]:
            step = shown.step - 1
        case [digits] if digits.isascii() and digits.isdigit():
            step = int(digits[:9])
        case [] | ["next"]:
            pass
        case _:
            raise UserError(
                "/replay NUMBER, then /replay, /replay NUMBER back, /replay NUMBER 30, /replay NUMBER as bob."
            )
    return Replay(shown.number, max(1, min(steps, step)), by)


async def _steps(at: TableContext, number: int) -> tuple[Header, list[Step], Table]:
    """Return the header, the steps with events, and the final table; raises `UserError`."""
    header, entries = await at.read(number)
    game = header.game_in(at.tables.games)
    if game is None:
        raise UserError(f"{header.game} version {header.version} is not installed here, so it cannot be shown.")
    table = Table(header, game, await at.tables.archive.secret(number, entries))
    try:
        steps = await run_in_slices(replayed(table, entries), at.person.origin)
    except Diverged as damage:
        raise UserError(
            f"the log of table #{number} cannot be read: {damage}. Type /feedback TEXT to tell the sysop."
        ) from None
    if not (steps and steps[-1].table.closed):
        raise UserError(f"table #{number} is not over; /log {number} shows what you may know of it so far.")
    return header, [step for step in steps if step.events or step.table.undone], steps[-1].table


def _eyes(at: TableContext, header: Header, table: Table, name: str) -> Seat | None:
    """Return the seat whose view a replay shows; raises `UserError` for another's if the seal stays closed."""
    key, me = at.tables.host.accounts.key, at.person.name
    wanted = key(name or me)
    seat = next((seat for seat, who in enumerate(table.seats) if key(who.name) == wanted), None)
    if name and seat is None:
        raise UserError(f"nobody called “{name[:20]}” played there; {listing(who.starred for who in table.seats)} did.")
    if name and not visible.is_open(header, over=True) and wanted != key(me):
        raise UserError("the seal of that game stays closed, so you see it by your own eyes only.")
    return seat
