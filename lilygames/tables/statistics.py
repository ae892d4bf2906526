"""Running totals of each person at each game: added once for each finished table, and filled in for older tables.

A log for each person and game names the tables that have been added; the totals are a record that is written in the
same transaction. So a table that is added again, after a crash or by another node, changes nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs
import structlog

from lilygames import codec
from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.store import Conflict, Draft, Effect, Entry, Store, StoreUnavailable
from lilygames.tables import visible
from lilygames.tables.archive import INDEX, Archive
from lilygames.tables.log import Body, Expired, Header, Moved
from lilygames.tables.ratings import Ratings, size_of
from lilygames.tables.results import Part, parts, places
from lilygames.tables.table import Table
from lilygames.unreadable import UnreadableRows
from rules.kit import Event

log = structlog.get_logger()
KIND = "stats"
RECENT, RIVALS = 10, 100
"""Games that are kept one by one, and opponents that are kept of each person at each game: the latest ones."""
_FILLED = "filled"
"""The record that says up to which table older ones have been added, and which was the last of them."""
_SHARE = 4
"""Filling in older tables rests this many times as long as it worked, so that it takes a fifth of a core at most."""

Ratio = tuple[int, int]
"""How often something was brought off, and how often it was tried."""


@attrs.frozen
class Rival:
    """How somebody has fared against another: in how many games each was placed before the other."""

    name: str
    ahead: int = 0
    behind: int = 0
    at: float = 0.0
    """When they played last."""


@attrs.frozen
class OneGame:
    """What a finished table was for one person; `attempts` by what was tried."""

    table: int
    at: float
    place: int
    seats: int
    score: int
    won: bool = False
    attempts: dict[str, Ratio] = attrs.field(factory=dict)
    rating: float | None = None
    """The rating after the game; None where they have none."""


@attrs.frozen
class Totals:
    """What somebody's finished games of one kind come to. `attempts` are by what was tried, `bids made/bid 0` too."""

    games: int = 0
    wins: int = 0
    places: int = 0
    seats: int = 0
    score: int = 0
    best: int | None = None
    attempts: dict[str, Ratio] = attrs.field(factory=dict)
    rivals: dict[str, Rival] = attrs.field(factory=dict)
    recent: tuple[OneGame, ...] = ()
    """The latest games, the latest last, without the kinds of what was tried."""


@attrs.frozen
class Share:
    """What one person has of a finished table: their name, the game, and how they fared against each opponent."""

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
    """Return opponents with those just met; who has not been met for longest is let go if they are too many."""
    rivals = dict(before)
    for key, one in met.items():
        had = rivals.get(key, Rival(one.name))
        rivals[key] = Rival(one.name, had.ahead + one.ahead, had.behind + one.behind, max(had.at, one.at))
    latest = sorted(rivals, key=lambda key: -rivals[key].at)[:RIVALS]
    return {key: rivals[key] for key in latest}


def shares(table: Table, entries: Sequence[Entry], key: Callable[[str], str]) -> list[Share]:
    """Return what a finished table is for each person who played there from the start. It is replayed for that.

    What was tried counts for who played to the end without a bot in their seat.
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
    """Return under what an opponent is kept: bots by name, which no person has."""
    return key(part.name) if part.name else f"*{part.bot}"


def attempts(table: Table, entries: Iterable[Entry]) -> list[tuple[int, str, bool]]:
    """Return what each seat tried, and whether it came off; a kind of it stands behind a slash.

    Moves that were taken back don't count. Of a game whose seal stays closed only what everybody saw is counted.
    """
    told: list[tuple[bool, tuple[Event, ...]]] = []
    again = Table(table.header, table.game, table.secret)
    for entry in entries:
        again, events = again.read(entry)
        for _ in range(again.undone):
            while told and not told.pop()[0]:
                pass
        is_move = isinstance(codec.from_text(entry.body, Body).act, Moved | Expired)
        told.append((is_move, visible.told(table.header, events, None, over=True)))
    events = tuple(event for _, some in told for event in some)
    return [
        (one.seat, what, one.success)
        for one in table.game.attempts(events, table.options)
        for what in (one.what, *([f"{one.what}/{one.detail}"] if one.detail else []))
    ]


def _of_seats(tried: Iterable[tuple[int, str, bool]], seats: set[int]) -> dict[str, Ratio]:
    """Return how often some seats tried each thing and brought it off."""
    of, hits = Counter[str](), Counter[str]()
    for seat, what, success in tried:
        if seat in seats:
            of[what] += 1
            hits[what] += success
    return {what: (hits[what], of[what]) for what in of}


class Statistics:
    """Everybody's totals, in the store."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        ratings: Ratings,
        games: Mapping[str, Game],
        unreadable: UnreadableRows,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._ratings = ratings
        self._games = games
        self._unreadable = unreadable
        self._archive = Archive(store)

    async def finished(self, table: Table) -> None:
        """Add a finished table to the totals of each who has an account; however often it is asked, once."""
        if _counts(table):
            await self._add(table, await self._archive.entries(table.header.number), self._has_account)

    def _has_account(self, name: str) -> bool:
        return fold(self._accounts.now(name)) in self._accounts.names

    async def _add(self, table: Table, entries: Sequence[Entry], belongs: Callable[[str], bool]) -> None:
        """Add a table to the totals of those of its people to whom it `belongs`, once."""
        for share in await asyncio.to_thread(shares, table, entries, self._accounts.key):  # the game is replayed
            if belongs(share.name):
                kind = f"{table.game.name} {size_of(share.game.seats)}"
                rated = table.header.rated and self._accounts.key(share.name) in self._ratings.known.get(kind, {})
                rating = self._ratings.one(kind, share.name).mu if rated else None
                game = attrs.evolve(share.game, rating=rating)
                await self._book(table.game.name, attrs.evolve(share, game=game))

    async def _book(self, game: str, share: Share) -> None:
        """Add a share to the totals of whose it is, with the table's place in the log of those that were added."""
        key = f"{game} {self._accounts.key(share.name)}"
        record, cmd = f"{KIND}/{key}", f"table/{share.game.table}"
        while True:
            head = (await self._store.heads([record]))[record]
            after = added(await self._totals(key), share)
            try:
                draft = Draft("table", codec.to_text({"table": share.game.table}))
                effects = [Effect(KIND, key, codec.to_text(after))]
                await self._store.append(record, head, [draft], cmd=cmd, effects=effects)
            except Conflict:
                continue
            return

    async def _totals(self, key: str) -> Totals:
        body = await self._store.find(KIND, key)
        try:
            totals: Totals = codec.from_text(body, Totals) if body else Totals()
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            await self._store.keep("unreadable", f"{KIND}/{key}", body or "")
            return Totals()
        return totals

    async def of(self, name: str) -> dict[str, Totals]:
        """Return somebody's totals by game; nothing of a game that they have not finished."""
        key = self._accounts.key(name)
        found = {game: await self._totals(f"{game} {key}") for game in self._games}
        return {game: totals for game, totals in found.items() if totals.games}

    # older tables

    async def fill(self) -> None:
        """Add the tables that ended before there were totals, one after the other; what was added before stays so.

        Raises `StoreUnavailable`; it goes on from there when it is asked again.
        """
        done, last = await self._filled()
        known: dict[str, frozenset[int]] = {}
        while done < last:
            began = time.monotonic()
            try:
                await self._fill_in(done + 1, known)
            except StoreUnavailable:
                raise
            except Exception as problem:  # noqa: BLE001 - an old log may be of any kind, and the next one counts
                log.warning("an older table is left out of the statistics", table=done + 1, why=type(problem).__name__)
            done += 1
            await self._store.keep(KIND, _FILLED, f"{done} {last}")
            await asyncio.sleep(_SHARE * (time.monotonic() - began))

    async def _filled(self) -> tuple[int, int]:
        """Return up to which table older ones have been added, and which is the last of them."""
        if said := await self._store.find(KIND, _FILLED):
            done, _, last = said.partition(" ")
            return int(done), int(last)
        return 0, (await self._store.heads([INDEX]))[INDEX]

    async def _fill_in(self, number: int, known: dict[str, frozenset[int]]) -> None:
        """Add one older table; `known` are the tables that people have played, as far as they have been looked up."""
        try:
            header = await self._archive.header(number)
        except UserError:
            return
        table = await self._replayed(header)
        if table and _counts(table):
            entries = await self._archive.entries(number)
            people = {who.name for who in table.seats if not who.house} | {one.by for one in entries}
            if len(known) > RIVALS:
                known.clear()
            for name in people - known.keys():
                known[name] = await self._played(name)
            await self._add(table, entries, lambda name: number in known.get(name, ()))

    async def _replayed(self, header: Header) -> Table | None:
        """Return a table that is over, None where it is not, or cannot be played here."""
        game = header.game_in(self._games)
        entries = await self._archive.entries(header.number)
        if game is None or (visible.secret_in(entries) is None and not header.sealed):
            return None
        table = Table(header, game, await self._archive.secret(header.number, entries))
        return await asyncio.to_thread(_read, table, entries)

    async def _played(self, name: str) -> frozenset[int]:
        """Return the tables that somebody with an account now has played: a guest of their name may have been there."""
        if not self._has_account(name):
            return frozenset()
        record, tables, after = f"played/{self._accounts.key(name)}", set[int](), 0
        while (page := await self._store.read(record, after)).entries:
            tables |= {int(entry.cmd.rpartition("/")[2]) for entry in page.entries}
            after = page.entries[-1].seq
        return frozenset(tables)


def _read(table: Table, entries: Iterable[Entry]) -> Table:
    for entry in entries:
        table, _ = table.read(entry)
    return table


def _counts(table: Table) -> bool:
    """Whether a table counts: a game that came to its end, was not private, and had no moves taken back at will."""
    return table.closed and table.outcome is not None and table.counted and not table.header.private
