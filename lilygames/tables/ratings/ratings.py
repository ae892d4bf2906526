"""Ratings per game and size.

One log has the places of each rated game, in the order in which the games ended. A second log has the ratings after
each of these games, entry by entry. A record for each player is written in the same transaction, and so are the entries
of the lists that they are in (`lilygames.tables.ratings.rank_index`). So a game is rated exactly once, whichever node
does it.
Nobody reads everyone's ratings: a login reads its own by their keys, a game those of its players, and a list a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import tzinfo

import attrs

from lilygames import codec
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.identity import Identity
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.scheduling.foreground import Foreground
from lilygames.store import Conflict, Draft, Effect, Entry, Store
from lilygames.tables.log.seat_ids import FORMER
from lilygames.tables.ratings import past_rankings, rank_index, rating_records
from lilygames.tables.ratings.curves import Curves
from lilygames.tables.ratings.known_ratings import WITH_HOUSE, AfterGame, KnownRatings, PlayerRating, has_house
from lilygames.tables.ratings.past_rankings import KEPT, PastRanking, Place
from lilygames.tables.ratings.rank_index import ALL_TIME, EVERYONE, RankIndex
from lilygames.tables.ratings.rankings import Calendar, Span, missing
from lilygames.tables.ratings.rating_model import NEW, Rating, after_game, predicted
from lilygames.tables.ratings.rating_records import RatingRecords

GAMES = "ratings"
"""The log of rated games. It has had this name since ratings exist."""
STANDINGS = rating_records.LOG
"""The log of the ratings after each of these games, by the second model."""
_AT_ONCE = 10
"""Games that are rated at the end of a game, at most: that game, and others that end at the same time."""
_PEOPLE = 20
"""People whose ratings are read at once."""
_MORE = 1000
"""People and ratings that are kept in memory for a while, besides twice those of the people who are here."""
SIZES = ("2", "3-4", "5+")


def kinds_of(game: str) -> list[str]:
    """Return the classes of a game, in order: `ohell 2`, `ohell 2 house`, `ohell 3-4`, ..."""
    return [f"{game} {size}{house}" for size in SIZES for house in ("", f" {WITH_HOUSE}")]


def size_of(seats: int) -> str:
    """Return the size class of a game with `seats` seats; each class has its own ratings."""
    return "2" if seats == 2 else "3-4" if seats <= 4 else "5+"  # noqa: PLR2004 - the numbers are the class names


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


class Ratings:
    """The ratings of everyone in the store. Those of a few people are known."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        *,
        now: Callable[[], float],
        zone: tzinfo,
        unreadable: UnreadableRows | None = None,
        games: Iterable[str] = (),
        here: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._accounts = accounts
        self.now = now
        """The time in seconds since 1970."""
        self.zone = zone
        """The time zone in which weeks and months begin."""
        self._kinds = [kind for game in games for kind in kinds_of(game)]
        """The classes in which someone may have a rating at the installed games."""
        self._here = here
        """Returns the names of the people who are here."""
        self._known = KnownRatings()
        self._records = RatingRecords(store, self._unreadable)
        self._index = RankIndex(store, self._records, now)
        self.curves = Curves(store, self._records, self._unreadable, zone)
        """How the ratings of each player have changed, day by day."""

    @property
    def known(self) -> Mapping[str, Mapping[str, Rating]]:
        """The ratings in memory after the last game, by game and size (`ohell 3-4`), then by account key."""
        return self._known.by_kind

    # read

    async def read_of(self, *names: str) -> None:
        """Read the ratings of some people, bot levels included, unless they are known. Raises `StoreUnavailable`."""
        known = self._known
        wanted = [key for key in dict.fromkeys(map(self._accounts.key, names)) if key not in known.people]
        if known.read is None:  # first: later entries of the log are newer than the records
            known.read_up_to((await self._store.heads([STANDINGS]))[STANDINGS])
        self._drop_absent()
        for first in range(0, len(wanted), _PEOPLE):
            people = wanted[first : first + _PEOPLE]
            found = await self._records.read([f"{kind}/{key}" for kind in self._kinds for key in people])
            known.learn(found.values())
            known.people.update(people)

    def _drop_absent(self) -> None:
        """Drop the ratings of people who aren't here, if there are too many."""
        if self._known.has_grown(_MORE):
            self._known.keep_only({self._accounts.key(name) for name in self._here()})

    async def among(self, kind: str, names: Iterable[str]) -> Callable[[str, str], Rating]:
        """Return a function like `one` for people who needn't be here: their ratings in a class are read.

        Raises `StoreUnavailable`.
        """
        keys = {name: self._accounts.key(name) for name in names}
        unknown = {name: f"{kind}/{key}" for name, key in keys.items() if key not in self._known.people}
        found, now = await self._records.read(unknown.values()), self.now()
        read = {(kind, name): found[key].rating.idle_until(now) for name, key in unknown.items() if key in found}
        return lambda kind, name: read.get((kind, name)) or self.one(kind, name)

    async def follow(self) -> None:
        """Learn the games that other nodes have rated. Raises `StoreUnavailable`."""
        if self._known.read is not None:
            await self._learn_newer()
            self._drop_absent()

    async def _learn_newer(self) -> None:
        """Learn what the log has after what was read."""
        known = self._known
        while (page := await self._store.read(STANDINGS, known.read or 0)).entries:
            for entry in page.entries:
                if entry.seq > (known.read or 0):  # a concurrent call may have got further
                    known.learn(self._records.in_entry(entry))
                    known.read_up_to(entry.seq)

    # keep the lists in order

    async def keep_in_order(self, foreground: Foreground) -> None:
        """Refresh the lists when nobody waits for answers: idle players sink. Raises `StoreUnavailable`."""
        for kind in self._kinds:
            await self._index.refresh(kind)
            await foreground.quiet()

    # rate

    async def rate(self, kind: str, table: int, people: Mapping[str, int], *, purpose: str = "table") -> frozenset[str]:
        """Rate people by their places in a game, and return their names. Each table is rated once per purpose."""
        players = tuple(RatedPlayer(self._accounts.key(name), name, place) for name, place in people.items())
        draft = Draft("table", codec.to_text(RatedGame(kind, table, players)))
        (entry,) = await self._store.append(GAMES, None, [draft], cmd=f"{purpose}/{table}")
        for _ in range(_AT_ONCE):
            if not await self.rate_next():
                break
        rated: RatedGame = codec.from_text(entry.body, RatedGame)
        return frozenset(one.name for one in rated.players)

    async def rate_waiting(self) -> None:
        """Rate the games that have waited while the store was away. Raises `StoreUnavailable`."""
        while await self.rate_next():
            pass

    async def rate_next(self) -> bool:
        """Rate the first game that waits, and return whether there was one. Raises `StoreUnavailable`."""
        before = (await self._store.heads([STANDINGS]))[STANDINGS]
        if self._known.read is None:
            self._known.read_up_to(before)
        entries = (await self._store.read(GAMES, before, 1)).entries
        if not entries:
            return False
        game = self._game(entries[0]) if entries[0].seq == before + 1 else None
        await self._save(before, game, entries[0].at)
        return True

    def _game(self, entry: Entry) -> RatedGame | None:
        try:
            game: RatedGame = codec.from_text(entry.body, RatedGame)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{GAMES} {entry.seq}", problem)
            return None
        return game

    async def _save(self, before: int, game: RatedGame | None, at: float) -> None:
        """Write the ratings after a game that ended at a time, and what follows from them, behind so many games."""
        after, effects = (await self._after(game, at)) if game else (AfterGame(()), ())
        draft = Draft("table", codec.to_text(after))
        with suppress(Conflict):  # another node, or another game here, was faster
            await self._store.append(STANDINGS, before, [draft], cmd=f"game/{before + 1}", effects=effects)
        await self._learn_newer()

    async def _after(self, game: RatedGame, at: float) -> tuple[AfterGame, Sequence[Effect]]:
        """Return the ratings after a game, and all records that change with them."""
        kind, places = game.kind, {one.key: one.place for one in game.players}
        found = await self._records.read([f"{kind}/{key}" for key in places])
        before = {one.key: one.rating for one in found.values()}
        rated = after_game(before, places, at, self.zone, titled=not has_house(kind))
        names = {one.key: one.name for one in game.players}
        after = [PlayerRating(kind, key, names[key], rating) for key, rating in rated.items()]
        ended = [] if has_house(kind) else await self._ended(kind, at)
        lists = rank_index.after_game(before, after, self.now())
        curves = await self.curves.effects(after, at)
        return AfterGame(tuple(after)), [*(one.effect for one in after), *curves, *lists, *ended]

    async def _ended(self, kind: str, at: float) -> list[Effect]:
        """Return the records of the rankings that are final because a game ended at a time."""
        over = (await self._index.latest(kind)).ended(at, self.zone)
        return [past_rankings.effect(kind, name, await self.ranking(kind, span, name)) for span, name in over]

    async def waiting(self) -> int:
        """Return the number of games that haven't been rated yet."""
        heads = await self._store.heads([GAMES, STANDINGS])
        return heads[GAMES] - heads[STANDINGS]

    # look up

    def one(self, kind: str, name: str) -> Rating:
        """Return a player's rating for a game and size as it is now. They are here, or it was read."""
        return self.after_last_game(kind, name).idle_until(self.now())

    def after_last_game(self, kind: str, name: str) -> Rating:
        """Return a player's rating as it was after their last game. They are here, or it was read."""
        return self._known.find(kind, self._accounts.key(name)) or NEW

    def of(self, name: str) -> dict[str, Rating]:
        """Return a player's ratings by game and size. They are here, or these were read."""
        key, now = self._accounts.key(name), self.now()
        found = ((kind, self._known.find(kind, key)) for kind in sorted(self.known))
        return {kind: rating.idle_until(now) for kind, rating in found if rating}

    async def kinds(self, game: str) -> list[str]:
        """Return the classes of a game in which someone is rated. Raises `StoreUnavailable`."""
        kinds = kinds_of(game)
        empty = await asyncio.gather(*map(self._index.is_empty, kinds))
        return [kind for kind, nobody in zip(kinds, empty, strict=True) if not nobody]

    def present_name(self, one: PlayerRating) -> str:
        """Return the present name of a rated player."""
        return self._accounts.now(one.name)

    async def names(self, kind: str, keys: Collection[str]) -> dict[str, str]:
        """Return the present names of players who were in a class, by account key. Raises `StoreUnavailable`."""
        found = {one.key: one for one in (await self._records.read([f"{kind}/{key}" for key in keys])).values()}
        return {key: self.present_name(found[key]) if key in found else FORMER for key in keys}

    def forget_person(self, who: Identity) -> None:
        """Drop the ratings of a deleted account."""
        self._known.forget_person(who)

    async def past(self, kind: str, name: str) -> PastRanking | None:
        """Return the final ranking of a week or month, such as `2026-W46`, or None. Raises `StoreUnavailable`."""
        return await past_rankings.find(self._store, kind, name, self._unreadable)

    async def ranking(self, kind: str, span: Span, name: str) -> PastRanking:
        """Return the ranking of the latest week or month, whose last game may not have ended.

        Raises `StoreUnavailable`.
        """
        calendar = Calendar(0.0, name, name)
        found = await self._index.of_period(kind, name, KEPT)
        return PastRanking(tuple(Place(one.key, calendar.period(one.rating, span)) for one in found))

    async def standings(self, game: str, most: int = 15) -> dict[str, list[tuple[str, Rating]]]:
        """Return the best players of a game by size, sorted by the lower bound of their ratings.

        Raises `StoreUnavailable`.
        """
        now, kinds = self.now(), kinds_of(game)
        best = await asyncio.gather(*(self._index.best(kind, EVERYONE, most) for kind in kinds))
        return {
            kind: [(self.present_name(one), one.rating.idle_until(now)) for one in players]
            for kind, players in zip(kinds, best, strict=True)
            if players
        }

    async def listed(self, kind: str, span: Span, calendar: Calendar, most: int) -> list[PlayerRating]:
        """Return the players in a list of today, the best first, at most so many. Raises `StoreUnavailable`."""
        if span == "all":
            return await self._index.best(kind, ALL_TIME, most, lambda rating: not missing(rating, "all", calendar))
        return await self._index.of_period(kind, calendar.week if span == "week" else calendar.month, most)

    def expected(self, kind: str, names: Sequence[str]) -> list[float]:
        """Return each player's probability of winning a game against the others."""
        return predicted([self.one(kind, name) for name in names])
