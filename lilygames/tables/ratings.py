"""Ratings per game and size, kept in one log whose entries give each player's new rating after a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
from openskill.models import PlackettLuce

from lilygames import codec
from lilygames.chat.accounts import Accounts
from lilygames.store import Conflict, Draft, Entry, Store
from lilygames.unreadable import UnreadableRows

MODEL = PlackettLuce()
_LOG = "ratings"


@attrs.frozen
class Rating:
    """A player's rating at a game: the mean, its uncertainty, and the number of rated games."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    games: int = 0

    def __str__(self) -> str:
        return f"{self.mu:.1f} +- {2 * self.sigma:.1f}"

    @property
    def sure(self) -> float:
        """The lower bound of the rating, by which standings are sorted."""
        return self.mu - 3 * self.sigma


NEW = Rating()
"""The rating of a new player."""


def size_of(seats: int) -> str:
    """Return the size class of a game with `seats` seats; each class has its own ratings."""
    return "2" if seats == 2 else "3-4" if seats <= 4 else "5+"  # noqa: PLR2004 - the numbers are the class names


@attrs.frozen
class Since:
    """A player's rating after a game, stored under their account key, with the name they used."""

    key: str
    name: str
    rating: Rating


@attrs.frozen
class Rated:
    """The rating changes from one table, in its class of game and size."""

    kind: str
    table: int
    now: tuple[Since, ...]


class Ratings:
    """All ratings, up to the last log entry read."""

    def __init__(self, store: Store, accounts: Accounts, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._accounts = accounts
        self._read = 0
        self.known: dict[str, dict[str, Rating]] = {}
        """Ratings by game and size (`ohell 3-4`), then by account key."""
        self._names: dict[str, str] = {}

    async def load(self) -> None:
        """Read the entries appended since the last load; skip unreadable ones."""
        while (page := await self._store.read(_LOG, self._read)).entries:
            for entry in page.entries:
                if entry.seq > self._read:  # a concurrent load may have got further
                    self._learn_entry(entry)
                    self._read = entry.seq

    def _learn_entry(self, entry: Entry) -> None:
        try:
            self._learn(codec.from_text(entry.body, Rated))
        except ValueError as problem:
            self._unreadable.report("log entry", f"{_LOG} {entry.seq}", problem)

    def _learn(self, rated: Rated) -> None:
        known = self.known.setdefault(rated.kind, {})
        for one in rated.now:
            known[one.key] = one.rating
            self._names[one.key] = one.name

    async def rate(self, kind: str, table: int, people: Mapping[str, int], *, purpose: str = "table") -> frozenset[str]:
        """Rate people by their places in a game and return their new ratings.

        Each table is rated once per purpose. The new ratings are computed from the log as it is when the result is
        appended.
        """
        while True:
            draft = Draft("table", codec.to_text(Rated(kind, table, self._after(kind, people))))
            try:
                (entry,) = await self._store.append(_LOG, self._read, [draft], cmd=f"{purpose}/{table}")
            except Conflict:
                await self.load()
                continue
            await self.load()
            return frozenset(one.name for one in codec.from_text(entry.body, Rated).now)

    def _after(self, kind: str, people: Mapping[str, int]) -> tuple[Since, ...]:
        """Return the ratings after a game with these places (Plackett-Luce, Weng and Lin 2011)."""
        before = [self.one(kind, name) for name in people]
        teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
        after = MODEL.rate(teams, ranks=[float(place) for place in people.values()])
        return tuple(
            Since(self._accounts.key(name), name, Rating(new.mu, new.sigma, old.games + 1))
            for name, [new], old in zip(people, after, before, strict=True)
        )

    def one(self, kind: str, name: str) -> Rating:
        """Return a player's rating for a game and size."""
        return self.known.get(kind, {}).get(self._accounts.key(name), NEW)

    def of(self, name: str) -> dict[str, Rating]:
        """Return a player's ratings by game and size."""
        key = self._accounts.key(name)
        return {kind: known[key] for kind, known in sorted(self.known.items()) if key in known}

    def standings(self, game: str, most: int = 15) -> dict[str, list[tuple[str, Rating]]]:
        """Return the best players of a game by size, sorted by the lower bound of their ratings."""
        best = {}
        for kind, known in sorted(self.known.items()):
            if kind.partition(" ")[0] == game:
                order = sorted(known.items(), key=lambda one: -one[1].sure)[:most]
                best[kind] = [(self._accounts.now(self._names[key]), rating) for key, rating in order]
        return best

    def expected(self, kind: str, names: Sequence[str]) -> list[float]:
        """Return each player's probability of winning a game against the others."""
        ratings = [self.one(kind, name) for name in names]
        return MODEL.predict_win([[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings])
