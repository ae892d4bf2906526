"""Lookups for programs: what a request such as `{"get": "replay", "table": 12}` sends from the store, as one packet.

People type other commands for the same facts: `/replay`, `/export`, `/note`, `/played`, `/stats` and `/daily`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import accumulate, groupby

import attrs

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.commands import command
from lilygames.errors import NotFound, UserError
from lilygames.game import Reader
from lilygames.tables.commands import notes
from lilygames.tables.commands.finished.replays import Recording, recording_of
from lilygames.tables.commands.finished.verify import export_of
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_deals import DailyDeals
from lilygames.tables.duplicate.duplicate_set import DuplicateSet
from lilygames.tables.ratings.known_ratings import WITH_HOUSE
from lilygames.tables.results.results import Played
from lilygames.tables.results.statistics import Rival, Totals
from lilygames.tables.sight import narrate, positions
from lilygames.tables.sight.move_list import SIGNS
from lilygames.tables.sight.positions import Viewpoint
from lilygames.tables.state.table import SPOKEN
from lilygames.tables.visits.table_context import TableContext, TableNumber
from lilygames.text import Packet, shortened

PAGE = 25
"""Maximum steps of a replay in one packet."""
PART = 250_000
"""Maximum characters of an exported log in one packet, far below what an outbox holds for a slow reader."""
LATELY = 4 * 24 * 3600.0
"""Seconds after which no game of a daily deal is shut any more."""
GAMES = 30
"""Maximum finished games in a list."""
RIVALS = 6
"""Maximum opponents in the statistics of a game, most frequent first."""
Value = Mapping[str, object]


def _send(at: TableContext, packet: Packet) -> None:
    """Send a packet; raises `UserError` if the person isn't a program."""
    if not at.person.takes_packets:
        raise UserError(f"/get:{packet.name} is for programs. Type /{packet.name} instead.")
    at.person.packet(packet)


@command("get:replay", rare=True)
async def get_replay(at: TableContext, number: TableNumber, first: int = 1) -> None:
    """Send the positions of a finished game from a step on, as this person may see them now."""
    recording = await recording_of(at, number)
    _send(at, Packet("replay", await replay_page(recording, first, at.person.origin)))


async def replay_page(recording: Recording, first: int, origin: str) -> Value:
    """Return the positions of a recorded game from a step on; `origin` is who waits for them."""
    own = recording.own
    viewpoint = Viewpoint(narrate.reader(recording.table, own, SIGNS), recording.seats)
    first = max(1, min(first, len(recording.steps)))
    shown = range(first, min(first + PAGE, len(recording.steps) + 1))
    steps = await run_in_slices((_step(recording, one, viewpoint) for one in shown), origin)
    return {
        "number": recording.header.number,
        "game": recording.header.game,
        "names": [*recording.table.seats.starred],
        "roster": [
            {"seat": seat, "name": who.name, "bot": who.level, "me": seat == own}
            for seat, who in enumerate(recording.table.seats)
        ],
        "seat": own,
        "count": len(recording.steps),
        "parts": await run_in_slices(_parts(recording), origin) if first == 1 else None,
        "ending": [*narrate.ending(recording.table, viewpoint.reader)],
        "steps": steps,
    }


def _step(recording: Recording, number: int, viewpoint: Viewpoint) -> Value:
    """Return a step: its events in words, for viewpoint and ears, and the table after it."""
    step, reader = recording.steps[number - 1], viewpoint.reader
    picture, hands = positions.pictured(step, viewpoint)
    return {
        "step": number,
        "text": positions.told(step, reader),
        "say": positions.told(step, Reader(reader.seat, reader.names, SPOKEN)),
        "picture": codec.dump(picture) if picture else None,
        "hands": [{"seat": seat, "cards": [*cards]} for seat, cards in hands.items() if cards],
    }


def _parts(recording: Recording) -> Iterator[Value]:
    """Yield the first step of each round or trick, with their names: `round 3`, `trick 2`."""
    named = ((number, positions.part_of(step, "trick")) for number, step in enumerate(recording.steps, 1))
    for names, steps in groupby(named, lambda one: one[1]):
        yield {"step": next(steps)[0], "names": [name for name in names if name]}


@command("get:export", rare=True)
async def get_export(at: TableContext, number: TableNumber, first: int = 1) -> None:
    """Send the log of a finished game from a row on, as `/export` shows it: a long one is too much for one packet."""
    rows = await export_of(at, await at.finished(number))
    first = max(1, min(first, len(rows)))
    part = rows[first - 1 : first - 1 + _fitting(rows[first - 1 :])]
    _send(at, Packet("export", {"number": number, "from": first, "count": len(rows), "rows": [*part]}))


def _fitting(rows: Sequence[str]) -> int:
    """Return how many rows fit in one packet, at least one."""
    ends = accumulate(map(len, rows))
    return max(1, sum(end <= PART for end in ends))


@command("get:notes", rare=True)
async def get_notes(at: TableContext, number: TableNumber) -> None:
    """Send the notes that someone has written at an open table where they have a seat."""
    bot = at.find(str(number))
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"you need a seat at {bot.room.name} to take notes. Type /sit to take one.")
    _send(at, notes.packet(bot, await notes.kept_at(at, bot)))


@command("get:played", rare=True)
async def get_played(at: TableContext, name: str = "") -> None:
    """Send someone's latest finished games; private ones only to those who played there."""
    name = name or at.person.name
    mine = {one.table for one in await at.tables.results.played(at.person.name)}
    games = [one for one in await at.tables.results.played(name) if not one.private or one.table in mine]
    shown = games[:GAMES]
    lately = {one.game for one in shown if one.at > at.tables.duplicates.now() - LATELY}
    shut = await at.tables.daily_deals.shut_tables(at.person.name, lately)
    _send(at, Packet("played", {"name": name, "games": [_game(one, shut) for one in shown]}))


def _game(one: Played, shut: Container[int]) -> Value:
    return {
        "number": one.table,
        "game": one.game,
        "at": int(one.at),
        "place": one.place,
        "seats": one.seats,
        "score": one.score,
        "left": one.left,
        "counted": one.counted,
        "shut": one.table in shut,
    }


@command("get:stats", rare=True)
async def get_stats(at: TableContext, name: str = "") -> None:
    """Send someone's statistics for each game that they have finished, as `/stats` shows them."""
    accounts = at.tables.host.accounts
    known = accounts.names.get(fold(accounts.now(name or at.person.name)))
    if known is None and name:
        raise NotFound(f"no account is called “{shortened(name, 20)}”. Type /who to see who is here.")
    totals = await at.tables.statistics.of(known) if known else {}
    await at.tables.results.ratings.read_of(*([known] if known else []))
    games = [_totals(at, known, game, one) for game, one in totals.items() if known]
    _send(at, Packet("stats", {"name": known or at.person.name, "account": bool(known), "games": games}))


@command("get:mistakes", rare=True)
async def get_mistakes(at: TableContext) -> None:
    """Send the costliest moves that the person's reviews have found, as `/review mistakes` shows them."""
    moves = await at.tables.costly_moves.of(at.person.name)
    _send(at, Packet("mistakes", [{**attrs.asdict(one), "cost": one.cost / 100} for one in moves]))


def _totals(at: TableContext, name: str, game: str, totals: Totals) -> Value:
    purse = at.tables.games[game].purse
    kinds = [what for what in totals.attempts if "/" not in what]
    return {
        "game": game,
        "unit": purse.unit if purse else "point",
        "games": totals.games,
        "wins": totals.wins,
        "places": totals.places,
        "seats": totals.seats,
        "score": totals.score,
        "best": totals.best,
        "recent": [
            {"number": one.table, "at": int(one.at), "place": one.place, "seats": one.seats, "score": one.score}
            for one in totals.recent
        ],
        "ratings": [
            {"seats": kind.split()[1], "now": str(rating), "games": rating.games, "recent": [*rating.recent]}
            for kind, rating in at.tables.results.ratings.of(name).items()
            if kind.startswith(f"{game} ") and WITH_HOUSE not in kind
        ],
        "attempts": [
            {
                "what": what,
                "hits": totals.attempts[what][0],
                "of": totals.attempts[what][1],
                "kinds": [
                    {"what": kind.partition("/")[2], "hits": hits, "of": of}
                    for kind, (hits, of) in sorted(totals.attempts.items())
                    if kind.startswith(f"{what}/")
                ],
            }
            for what in kinds
        ],
        "rivals": [_rival(at, key, one) for key, one in _most_met(totals.rivals)],
    }


def _most_met(rivals: Mapping[str, Rival]) -> Sequence[tuple[str, Rival]]:
    return sorted(rivals.items(), key=lambda one: (-(one[1].ahead + one[1].behind), one[1].name))[:RIVALS]


def _rival(at: TableContext, key: str, rival: Rival) -> Value:
    """Return an opponent; a bot's key begins with a star, which no person's does."""
    bot = key.startswith("*")
    name = rival.name if bot else at.tables.host.accounts.now(rival.name)
    return {"name": name, "bot": bot, "ahead": rival.ahead, "behind": rival.behind}


@command("get:daily", rare=True)
async def get_daily(at: TableContext) -> None:
    """Send today's deals and how each stands for this person."""
    deals = at.tables.daily_deals
    found = [(game.name, await deals.deal_for(game, deals.today, at.person.name)) for game in deals.games]
    streak = await deals.streak(at.person.name)
    value = {
        "day": deals.today.isoformat(),
        "streak": streak.on(deals.today),
        "week": [streak.has(deals.today - timedelta(days=ago)) for ago in range(6, -1, -1)],
        "deals": [{"game": game, **_deal(at, deals, one)} for game, one in found],
    }
    _send(at, Packet("daily", value))


def _deal(at: TableContext, deals: DailyDeals, found: DuplicateSet) -> Value:
    """Return whether someone has played a deal, at which table, and their result."""
    mine = deals.game_of(found, at.person.name)
    table = mine.added.table if mine else None
    if mine is None or mine.finished is None:
        playable = found.sealed and found.can_be_played(at.tables.games[found.header.game])
        state = "playing" if mine else "new" if playable else "closed"
        return {"state": state, "table": table, "score": None, "beaten": None, "others": None}
    placed = daily_rules.day_standings(deals.entrants(found)).of(mine.added.table)
    score, beaten, others = (placed.result.total, placed.beaten, placed.others) if placed else (None, None, None)
    return {"state": "played", "table": table, "score": score, "beaten": beaten, "others": others}
