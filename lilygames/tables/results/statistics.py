"""Running totals for each person and game: updated after each finished table, and filled in for older ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import attrs

from lilygames import codec
from lilygames.chat.accounts.accounts import Accounts
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Entry, Store
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.log.acts import Body, Expired, Moved
from lilygames.tables.results.booked_once import BookedOnce
from lilygames.tables.results.results import Part, Played, counts, has_account, parts, places
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Event

KIND = "stats"
RECENT, RIVALS = 10, 100
"""Limits per person and game: latest games kept one by one, and latest opponents kept."""

Ratio = tuple[int, int]
"""Successes and attempts."""


@attrs.frozen
class Rival:
    """A player's record against one opponent: how many games each of them finished ahead."""

    name: str
    ahead: int = 0
    behind: int = 0
    at: float = 0.0
    """The time of their last game."""


@attrs.frozen
class OneGame:
    """One person's result at a finished table; `attempts` are grouped by kind."""

    table: int
    at: float
    place: int
    seats: int
    score: int
    won: bool = False
    attempts: dict[str, Ratio] = attrs.field(factory=dict)
    rating: float | None = None
    """Nothing: ratings have their own history. The records of release 0.2 have this field."""


@attrs.frozen
class Totals:
    """A person's totals for one game. `attempts` are grouped by kind, including subkinds such as `bids made/bid 0`."""

    games: int = 0
    wins: int = 0
    places: int = 0
    seats: int = 0
    score: int = 0
    best: int | None = None
    attempts: dict[str, Ratio] = attrs.field(factory=dict)
    rivals: dict[str, Rival] = attrs.field(factory=dict)
    recent: tuple[OneGame, ...] = ()
    """The latest games, the last one last, without the kinds of attempts."""


@attrs.frozen
class Share:
    """One person's share of a finished table: their name, the game, and the result against each opponent."""

    name: str
    game: OneGame
    rivals: dict[str, Rival]


def added(totals: Totals, share: Share) -> Totals:
    """Return the totals with one more game."""
    game = share.game
    attempts = dict(totals.attempts)
    for what, (hits, of) in game.attempts.items():
        had = attempts.get(what, (0, 0))
        attempts[what] = (had[0] + hits, had[1] + of)
    brief = attrs.evolve(game, attempts={what: n for what, n in game.attempts.items() if "/" not in what})
    return Totals(
        games=totals.games + 1,
        wins=totals.wins + game.won,
        places=totals.places + game.place,
        seats=totals.seats + game.seats,
        score=totals.score + game.score,
        best=game.score if totals.best is None else max(totals.best, game.score),
        attempts=attempts,
        rivals=_with_rivals(totals.rivals, share.rivals),
        recent=tuple(sorted((*totals.recent, brief), key=lambda one: (one.at, one.table))[-RECENT:]),
    )


def _with_rivals(before: Mapping[str, Rival], met: Mapping[str, Rival]) -> dict[str, Rival]:
    """Return the opponents updated with `met`; over the limit, drop those not met for longest."""
    rivals = dict(before)
    for key, one in met.items():
        had = rivals.get(key, Rival(one.name))
        rivals[key] = Rival(one.name, had.ahead + one.ahead, had.behind + one.behind, max(had.at, one.at))
    latest = sorted(rivals, key=lambda key: -rivals[key].at)[:RIVALS]
    return {key: rivals[key] for key in latest}


def shares(table: Table, entries: Sequence[Entry], key: Callable[[str], str]) -> list[Share]:
    """Return the share of each person who played a finished table from the start, by replaying it.

    Attempts count only for people who played to the end without a bot in their seat.
    """
    everybody = parts(table, entries, key)
    placed = [*zip(everybody, places(everybody), strict=True)]
    tried, at = attempts(table, entries), entries[-1].at
    winners = set(table.outcome.winners) if table.outcome else set()
    found = []
    for part, place in placed:
        if not part.name:
            continue
        seats = {n for n, who in enumerate(table.seats) if not who.house and key(who.name) == key(part.name)}
        game = OneGame(
            table=table.header.number,
            at=at,
            place=place,
            seats=len(everybody),
            score=part.score,
            won=not part.left and not seats.isdisjoint(winners),
            attempts={} if part.left or part.helped else _of_seats(tried, seats),
        )
        rivals = {
            _rival_key(other, key): Rival(other.name or other.bot, int(place < theirs), int(theirs < place), at)
            for other, theirs in placed
            if other is not part and (other.name or other.bot)
        }
        found.append(Share(part.name, game, rivals))
    return found


def _rival_key(part: Part, key: Callable[[str], str]) -> str:
    """Return the key under which an opponent is stored; bots use a name that no person can have."""
    return key(part.name) if part.name else f"*{part.bot}"


def attempts(table: Table, entries: Iterable[Entry]) -> list[tuple[int, str, bool]]:
    """Return each seat's attempts and whether they succeeded; subkinds follow a slash."""
    events = told(table, entries)
    return [
        (one.seat, what, one.success)
        for one in table.game.attempts(events, table.options)
        for what in (one.what, *([f"{one.what}/{one.detail}"] if one.detail else []))
    ]


def told(table: Table, entries: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events of a finished game that everyone may know.

    Moves that were taken back don't count. If the seal stays closed, only public events count.
    """
    found: list[tuple[bool, tuple[Event, ...]]] = []
    again = Table(table.header, table.game, table.secret)
    for entry in entries:
        again, events = again.read(entry)
        take_back(found, again.undone)
        is_move = isinstance(codec.from_text(entry.body, Body).act, Moved | Expired)
        found.append((is_move, visible.told(table.header, events, None, over=True)))
    return tuple(event for _, some in found for event in some)


def take_back(found: list[tuple[bool, tuple[Event, ...]]], moves: int) -> None:
    """Remove the last moves, and what followed each of them, from events that say whether they are a move's."""
    for _ in range(moves):
        while found and not found.pop()[0]:
            pass


def _of_seats(tried: Iterable[tuple[int, str, bool]], seats: set[int]) -> dict[str, Ratio]:
    """Return how often `seats` tried each kind of thing, and how often they succeeded."""
    of, hits = Counter[str](), Counter[str]()
    for seat, what, success in tried:
        if seat in seats:
            of[what] += 1
            hits[what] += success
    return {what: (hits[what], of[what]) for what in of}


class Statistics:
    """Everyone's totals, in the store."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        finished_tables: FinishedTables,
        unreadable: UnreadableRows,
    ) -> None:
        self._accounts = accounts
        self._totals = BookedOnce(store, unreadable, KIND, Totals)
        self._games = finished_tables.games
        self._archive = finished_tables.archive

    async def finished(self, table: Table) -> None:
        """Add a finished table to the totals of everyone with an account; calling it again changes nothing."""
        for share in await self._shares(table):
            if has_account(self._accounts, share.name):
                await self._add(table, self._accounts.key(share.name), share)

    async def registered(self, table: Table, played: Played, key: str) -> str:
        """Add a table at which the person with a key was a guest to their totals, once; return their name there.

        The log has the name that they had then. It is the one with their result, unless several guests have it: then
        nothing is added, and the name is empty.
        """
        found = await self._shares(table)
        mine = [share for share in found if self._accounts.key(share.name) == key] or [
            share
            for share in found
            if not has_account(self._accounts, share.name)
            and (share.game.place, share.game.score) == (played.place, played.score)
        ]
        if len(mine) != 1:
            return ""
        await self._add(table, key, mine[0])
        return mine[0].name

    async def _shares(self, table: Table) -> Sequence[Share]:
        """Return the shares of a table that counts; none if it doesn't."""
        if not counts(table):
            return ()
        entries = await self._archive.entries(table.header.number)
        return await asyncio.to_thread(shares, table, entries, self._accounts.key)  # replays the game

    async def _add(self, table: Table, key: str, share: Share) -> None:
        await self._totals.add(f"{table.game.name} {key}", share.game.table, partial(added, share=share))

    async def of(self, name: str) -> dict[str, Totals]:
        """Return a person's totals by game, for games they have finished."""
        key = self._accounts.key(name)
        found = {game: await self._totals.find(f"{game} {key}") for game in self._games}
        return {game: totals for game, totals in found.items() if totals.games}
