"""The ratings that a server holds in memory: those of people who are here, and of others it has met since."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import attrs

from lilygames import codec
from lilygames.chat.accounts.identity import Identity
from lilygames.store import Effect
from lilygames.tables.ratings.rating_model import Rating

RECORD = "rating"
"""Kind of the records with a player's rating in a class of game and size."""
WITH_HOUSE = "house"
"""Suffix of the classes in which people and bots are rated together."""


def has_house(kind: str) -> bool:
    """Return whether people and bots are rated together in a class."""
    return kind.endswith(f" {WITH_HOUSE}")


@attrs.frozen
class PlayerRating:
    """A player's rating in a class of game and size, stored under their account key."""

    kind: str
    key: str
    name: str
    rating: Rating

    @property
    def record(self) -> str:
        """The key of the record."""
        return f"{self.kind}/{self.key}"

    @property
    def effect(self) -> Effect:
        """The record to write."""
        return Effect(RECORD, self.record, codec.to_text(self))

    @property
    def with_house(self) -> bool:
        """Whether people and bots are rated together in the class."""
        return has_house(self.kind)


@attrs.frozen
class AfterGame:
    """The ratings after a game; none if its entry couldn't be used."""

    now: tuple[PlayerRating, ...]


class KnownRatings:
    """The ratings of some people after their last games, as far as the log of ratings was read."""

    def __init__(self) -> None:
        self.read: int | None = None
        """The last entry of the log of ratings that was read; None before the first."""
        self.by_kind: dict[str, dict[str, Rating]] = {}
        """Ratings after the last game, by game and size (`ohell 3-4`), then by account key."""
        self.people: set[str] = set()
        """The account keys of those whose ratings are all known."""
        self._kept = 0
        """The number of people and ratings that were kept when others were dropped last."""

    def read_up_to(self, entry: int) -> None:
        """Count the log as read up to an entry: records that are read from now on have what it says."""
        self.read = entry

    def find(self, kind: str, key: str) -> Rating | None:
        """Return a player's rating, or None."""
        return self.by_kind.get(kind, {}).get(key)

    def learn(self, ratings: Iterable[PlayerRating]) -> None:
        """Learn ratings, new or changed. A rating after fewer games than the known one was read earlier."""
        for one in ratings:
            known = self.by_kind.setdefault(one.kind, {})
            if one.key not in known or known[one.key].games <= one.rating.games:
                known[one.key] = one.rating

    def forget_person(self, who: Identity) -> None:
        """Drop the ratings of a deleted account, and its key in those of others."""
        for known in self.by_kind.values():
            known.pop(who.key, None)
            for key, rating in known.items():
                known[key] = rating.with_met(who.key, who.shown)

    def has_grown(self, most: int) -> bool:
        """Return whether there are so many more people and ratings than twice those that were kept last."""
        return self._number() > 2 * self._kept + most

    def _number(self) -> int:
        return len(self.people) + sum(map(len, self.by_kind.values()))

    def keep_only(self, people: Collection[str]) -> None:
        """Drop the ratings of everyone but the people with these keys."""
        self.people &= {*people}
        for kind, known in self.by_kind.items():
            self.by_kind[kind] = {key: rating for key, rating in known.items() if key in self.people}
        self._kept = self._number()
