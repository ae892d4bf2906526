"""Ratings per game and size.

One log has the places of each rated game, in the order in which the games ended. A second log has the ratings after
each of these games, entry by entry. A record for each player is written in the same transaction. So a game is rated
exactly once, whichever node does it. A start reads one record for each player, not every game. That is done in the
background. Until then, a login reads its own ratings by their keys, and games that end wait to be rated.

Entries of the first release have ratings of an earlier model instead of places. `lilygames.tables.rerating` finds their
places in the tables' logs. Games that end meanwhile wait for their turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import tzinfo
from functools import partial
from itertools import islice

import attrs

from lilygames import codec
from lilygames.chat.accounts import Accounts
from lilygames.chat.cooperative import run_in_slices
from lilygames.chat.identity import Identity
from lilygames.errors import UserError
from lilygames.foreground import Foreground
from lilygames.store import Conflict, Damaged, Draft, Effect, Entry, Store
from lilygames.tables import past_rankings
from lilygames.tables.known_ratings import RECORD, KnownRatings, PlayerRating
from lilygames.tables.past_rankings import Latest, OlderRankings, PastRanking
from lilygames.tables.rankings import Calendar, Span, best, looked_at
from lilygames.tables.rating_model import NEW, Rating, after_game, predicted
from lilygames.tables.seat_ids import FORMER
from lilygames.unreadable import UnreadableRows

GAMES = "ratings"
"""The log of rated games. It has had this name since ratings exist."""
STANDINGS = "ratings/2"
"""The log of the ratings after each of these games, by the second model."""
_AT_ONCE = 10
"""Games that are rated at the end of a game, at most: that game, and others that end at the same time."""
_PAGE = 500
"""Records that are read at once in the background. Others read in between."""
_PARSED = 40
"""Records that are parsed before what people have typed goes first; they take a millisecond."""
_PEOPLE = 20
"""People whose ratings are read at once."""
FEW = 100
"""Rated games of a place whose ratings are read while people wait for them: that takes 10 milliseconds, not 100."""
SIZES = ("2", "3-4", "5+")
WITH_HOUSE = "house"
"""Suffix of the classes in which people and bots are rated together."""


def size_of(seats: int) -> str:
    """Return the size class of a game with `seats` seats; each class has its own ratings."""
    return "2" if seats == 2 else "3-4" if seats <= 4 else "5+"  # noqa: PLR2004 - the numbers are the class names


def _with_house(kind: str) -> bool:
    """Return whether people and bots are rated together in a class."""
    return kind.endswith(f" {WITH_HOUSE}")


@attrs.frozen
class Since:
    """A player's rating by the first model after a game, stored under their account key."""

    key: str
    name: str
    rating: Rating


@attrs.frozen
class Rated:
    """A game rated by the first model, without its places."""

    kind: str
    table: int
    now: tuple[Since, ...]


@attrs.frozen
class RatedPlayer:
    """A player's place in a rated game: their account key, and the name they used."""

    key: str
    name: str
    place: int


@attrs.frozen
class RatedGame:
    """The places of a game, in its class of game and size."""

    kind: str
    table: int
    players: tuple[RatedPlayer, ...]


@attrs.frozen
class AfterGame:
    """The ratings after a game; none if its entry couldn't be used."""

    now: tuple[PlayerRating, ...]


PlacesOf = Callable[[Rated], Awaitable[RatedGame | None]]
"""Finds the places of a game that the first model rated; None if they can't be found any more."""


class Ratings:
    """All ratings, up to the last log entry read."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        *,
        now: Callable[[], float],
        zone: tzinfo,
        unreadable: UnreadableRows | None = None,
        known: KnownRatings | None = None,
        games: Iterable[str] = (),
    ) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._accounts = accounts
        self.now = now
        """The time in seconds since 1970."""
        self.zone = zone
        """The time zone in which weeks and months begin."""
        self._known = known or KnownRatings()
        self._kinds = [f"{game} {size}{house}" for game in games for size in SIZES for house in ("", f" {WITH_HOUSE}")]
        """The classes in which someone may have a rating at the installed games."""
        self.known = self._known.by_kind
        """Ratings after the last game, by game and size (`ohell 3-4`), then by account key; all once it is `ready`."""
        self.latest = self._known.latest
        """The week and month of the latest game, by game and size; all once it is `ready`."""
        self._reading = asyncio.Lock()
        """Held while everyone's records are read."""
        self._is_complete = self._known.read is not None
        self._is_wanted = False
        """Whether someone waits until all are read."""
        self._is_damaged = False
        """Whether a record can't be read, and the log hasn't been read in its place."""
        self.older_rankings = OlderRankings(store, STANDINGS, zone, self._ratings_in)

    async def read_of(self, *names: str) -> None:
        """Read the ratings of some people, bot levels included, unless all are read. Raises `StoreUnavailable`."""
        for first in range(0, len(names), _PEOPLE):
            if self._is_complete:
                return
            people = [*map(self._accounts.key, names[first : first + _PEOPLE])]
            keys = [f"{kind}/{key}" for kind in self._kinds for key in people]
            records = await self._undamaged(self._store.find_each(RECORD, keys))
            if not self._is_complete:  # otherwise they are known, and may be newer
                self._learn(self._known.learn_records(records, self.now()))

    async def ready(self) -> None:
        """Return when all ratings are known. Raises `StoreUnavailable`."""
        await self._read_all(lambda: asyncio.sleep(0))

    async def read_at_leisure(self, foreground: Foreground) -> None:
        """Read all ratings after what people type, and rate the games that have waited for it.

        Raises `StoreUnavailable`.
        """
        await self._read_all(partial(foreground.quiet, unless=lambda: self._is_wanted))
        while await self.rate_next():
            pass

    async def _read_all(self, rest: Callable[[], Awaitable[None]]) -> None:
        """Read everyone's records, unless that is done, and rest in between. Raises `StoreUnavailable`."""
        if self._is_complete:
            return
        async with self._reading:
            if self._is_complete:
                return
            (head,) = (await self._store.heads([STANDINGS])).values()  # first: later entries of the log are newer
            first = ""
            while records := await self._undamaged(self._store.every(RECORD, first, _PAGE)):
                first = f"{[*records][-1]}\0"
                learning = self._known.learn_records(records, self.now())
                while parsed := await run_in_slices(islice(learning, _PARSED), "ratings"):
                    self._learn(parsed)
                    await rest()
            self._known.all_read(head)
            await self._learn_newer()
            self._is_complete = True

    async def load_changed(self, keys: Collection[str]) -> None:
        """Read the records with these keys, which may have changed since all were read, and what the log has since.

        Nothing is read if nothing was. Raises `StoreUnavailable`.
        """
        if not self._is_complete:
            return
        for key in sorted(keys):
            kind, _, player = key.partition("/")
            self._known.drop(kind, player)
            self._learn(self._known.learn_records(await self._store.find_each(RECORD, [key]), self.now()))
        await self._learn_newer()

    async def follow(self) -> None:
        """Learn the games that other nodes have rated, if all ratings are known. Raises `StoreUnavailable`."""
        if self._is_complete:
            await self._learn_newer()

    async def _learn_newer(self) -> None:
        """Learn what the log has after what was read; all of it if a record can't be read, because it has the same."""
        known = self._known
        if self._is_damaged:
            known.distrust_records()
            self._is_damaged = False
        while (page := await self._store.read(STANDINGS, known.read or 0)).entries:
            for entry in page.entries:
                if entry.seq > (known.read or 0):  # a concurrent call may have got further
                    known.learn_entry(entry.seq, self._in_entry(entry), self.now())

    async def _takes_long(self) -> bool:
        """Return whether reading all ratings takes so long that nobody may wait for it.

        It doesn't rest any more, in any case. Raises `StoreUnavailable`.
        """
        self._is_wanted = True
        return not self._is_complete and (await self._store.heads([STANDINGS]))[STANDINGS] > FEW

    async def _undamaged(self, reading: Awaitable[dict[str, str]]) -> dict[str, str]:
        """Return records that are being read; none if they are damaged, because the log has the same."""
        try:
            return await reading
        except Damaged as problem:
            self._unreadable.report_damage(RECORD, problem)
            self._is_damaged = True
            return {}

    def _learn(self, learned: Iterable[str]) -> None:
        """Report the records that can't be read, of some that are learned."""
        for key in filter(None, learned):
            self._unreadable.report(RECORD, key, ValueError("not a rating"))
            self._is_damaged = True

    def _in_entry(self, entry: Entry) -> Sequence[PlayerRating]:
        """Return the ratings in an entry of the log; none if it is unreadable."""
        try:
            after: AfterGame = codec.from_text(entry.body, AfterGame)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{STANDINGS} {entry.seq}", problem)
            return ()
        return after.now

    def _ratings_in(self, body: str) -> tuple[str, Mapping[str, Rating]]:
        """Return the kind of game and the ratings in an entry; none if it is unreadable, or has bots."""
        try:
            after = codec.from_text(body, AfterGame)
        except ValueError:
            return "", {}
        kind = next((one.kind for one in after.now), "")
        return kind, {} if _with_house(kind) else {one.key: one.rating for one in after.now}

    # rate

    async def rate(self, kind: str, table: int, people: Mapping[str, int], *, purpose: str = "table") -> frozenset[str]:
        """Rate people by their places in a game, and return their names.

        Each table is rated once per purpose. While older games wait for their places, or many ratings aren't read yet,
        this one waits behind them.
        """
        players = tuple(RatedPlayer(self._accounts.key(name), name, place) for name, place in people.items())
        draft = Draft("table", codec.to_text(RatedGame(kind, table, players)))
        (entry,) = await self._store.append(GAMES, None, [draft], cmd=f"{purpose}/{table}")
        at_once = 0 if await self._takes_long() else _AT_ONCE
        for _ in range(at_once):
            if not await self.rate_next():
                break
        rated: RatedGame | Rated = codec.from_text(entry.body, RatedGame | Rated)
        return frozenset(one.name for one in (rated.players if isinstance(rated, RatedGame) else rated.now))

    async def rate_next(self, places_of: PlacesOf | None = None) -> bool:
        """Rate the first game that waits; return whether there was one, and it could be rated.

        A game of the first model needs `places_of`.
        """
        await self.ready()
        before = self._known.read or 0
        entries = (await self._store.read(GAMES, before, 1)).entries
        if not entries:
            return False
        game = self._game(entries[0]) if entries[0].seq == before + 1 else None
        if isinstance(game, Rated):
            if places_of is None:
                return False
            game = await places_of(game)
        if before == self._known.read:  # otherwise it has been rated meanwhile
            await self._save(before, self._after(game, entries[0].at), self._ended(game, entries[0].at))
        return True

    def _game(self, entry: Entry) -> RatedGame | Rated | None:
        try:
            game: RatedGame | Rated = codec.from_text(entry.body, RatedGame | Rated)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{GAMES} {entry.seq}", problem)
            return None
        return game

    def _after(self, game: RatedGame | None, at: float) -> AfterGame:
        """Return the ratings after a game that ended at a time."""
        if game is None:
            return AfterGame(())
        names = {one.key: one.name for one in game.players}
        places = {one.key: one.place for one in game.players}
        titled = not _with_house(game.kind)
        after = after_game(self.known.get(game.kind, {}), places, at, self.zone, titled=titled)
        return AfterGame(tuple(PlayerRating(game.kind, key, names[key], one) for key, one in after.items()))

    def _ended(self, game: RatedGame | None, at: float) -> list[Effect]:
        """Return the records of the rankings that are final because a game ended at a time."""
        if game is None or _with_house(game.kind):
            return []
        latest = self.latest.get(game.kind, Latest())
        return past_rankings.effects(game.kind, latest, at, self.zone, partial(self._known.ranking, game.kind))

    async def _save(self, before: int, after: AfterGame, ended: Sequence[Effect]) -> None:
        draft, effects = Draft("table", codec.to_text(after)), [*(one.effect for one in after.now), *ended]
        with suppress(Conflict):  # another node, or another game here, was faster
            await self._store.append(STANDINGS, before, [draft], cmd=f"game/{before + 1}", effects=effects)
        await self._learn_newer()

    async def waiting(self) -> int:
        """Return the number of games that haven't been rated yet."""
        heads = await self._store.heads([GAMES, STANDINGS])
        return heads[GAMES] - heads[STANDINGS]

    # look up

    def one(self, kind: str, name: str) -> Rating:
        """Return a player's rating for a game and size as it is now. They are here, or it was read."""
        return (self._known.find(kind, self._accounts.key(name)) or NEW).idle_until(self.now())

    def of(self, name: str) -> dict[str, Rating]:
        """Return a player's ratings by game and size. They are here, or these were read."""
        key, now = self._accounts.key(name), self.now()
        found = ((kind, self._known.find(kind, key)) for kind in sorted(self.known))
        return {kind: rating.idle_until(now) for kind, rating in found if rating}

    async def of_game(self, game: str) -> dict[str, Mapping[str, Rating]]:
        """Return everyone's ratings at a game after their last games, by size and account key.

        Raises `StoreUnavailable`, and `UserError` if they aren't read yet and that takes long.
        """
        if await self._takes_long():
            raise UserError("the server has just started and is still reading all ratings. Try again in a few seconds.")
        await self.ready()
        return {kind: known for kind, known in sorted(self.known.items()) if kind.partition(" ")[0] == game}

    def name(self, key: str) -> str:
        """Return the present name of a rated player."""
        names = self._known.names
        return self._accounts.now(names[key]) if key in names else FORMER

    def forget_person(self, who: Identity) -> None:
        """Drop the ratings of a deleted account."""
        self._known.forget_person(who)

    async def past(self, kind: str, name: str) -> PastRanking | None:
        """Return the final ranking of a week or month, such as `2026-W46`, or None. Raises `StoreUnavailable`."""
        return await past_rankings.find(self._store, kind, name, self._unreadable)

    def ranking(self, kind: str, span: Span, name: str) -> PastRanking:
        """Return the ranking of the latest week or month, whose last game may not have ended."""
        return self._known.ranking(kind, span, name)

    async def standings(self, game: str, most: int = 15) -> dict[str, list[tuple[str, Rating]]]:
        """Return the best players of a game by size, sorted by the lower bound of their ratings.

        Raises `StoreUnavailable`.
        """
        now, best = self.now(), {}
        for kind, known in (await self.of_game(game)).items():
            keys = self._known.best[kind].first(most, now)
            best[kind] = [(self.name(key), known[key].idle_until(now)) for key in keys]
        return best

    async def listed(self, kind: str, span: Span, calendar: Calendar, most: int) -> list[str]:
        """Return the keys of the players in a list of today, the best first, at most so many."""
        known = self.known[kind]
        if span == "all":
            return self._known.all_time(kind, most, calendar)
        keys = self._known.played_in(kind, span, calendar.week if span == "week" else calendar.month)
        found = await run_in_slices(looked_at(keys, known, span, calendar), "rankings")
        return best((key for key in found if key in known), known, span, calendar, most)

    def expected(self, kind: str, names: Sequence[str]) -> list[float]:
        """Return each player's probability of winning a game against the others."""
        return predicted([self.one(kind, name) for name in names])
