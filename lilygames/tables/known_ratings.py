"""The ratings that a server holds in memory, and how a record is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import attrs

from lilygames import codec
from lilygames.chat.identity import Identity
from lilygames.store import Effect
from lilygames.tables.best_players import BestPlayers
from lilygames.tables.latest_players import LatestPlayers
from lilygames.tables.past_rankings import SPANS, Latest, PastRanking, final
from lilygames.tables.rankings import Calendar, Span, has_played_enough, is_idle, missing
from lilygames.tables.rating_model import Rating

RECORD = "rating"
"""Kind of the records with a player's rating in a class of game and size."""


@attrs.frozen
class PlayerRating:
    """A player's rating in a class of game and size, stored under their account key."""

    kind: str
    key: str
    name: str
    rating: Rating

    @property
    def effect(self) -> Effect:
        """The record to write."""
        return Effect(RECORD, f"{self.kind}/{self.key}", codec.to_text(self))


class KnownRatings:
    """The ratings that have been read: everyone's, or those of a few people until all are."""

    def __init__(self) -> None:
        self.read: int | None = None
        """The last entry of the log of ratings that was read; None until all records are."""
        self.by_kind: dict[str, dict[str, Rating]] = {}
        """Ratings after the last game, by game and size (`ohell 3-4`), then by account key."""
        self.best: dict[str, BestPlayers] = {}
        self._enough: dict[str, BestPlayers] = {}
        """Those of them who have played enough for the list of all time, unless they were idle when it was shown."""
        self._played: dict[str, Mapping[Span, LatestPlayers]] = {}
        """Those who have played in the latest week and month."""
        self.latest: dict[str, Latest] = {}
        """The week and month of the latest game, by game and size."""
        self.names: dict[str, str] = {}
        """The name that each player used last, by account key."""
        self._deleted: list[Identity] = []
        """People who were deleted before all records were read, which may name them."""

    def learn_records(self, records: Mapping[str, str], now: float) -> Iterator[str]:
        """Learn stored records, by their keys, one at each step.

        Yield the key of each that can't be read, and else "".
        """
        for key, body in records.items():
            try:
                one: PlayerRating = codec.from_text(body, PlayerRating)
            except ValueError:
                yield key
            else:
                self.learn(self._without_deleted(one), now)
                yield ""

    def all_read(self, read: int) -> None:
        """Record that all records were read: they have what the log says up to an entry."""
        self.read = read
        self._deleted.clear()

    def _without_deleted(self, one: PlayerRating) -> Iterator[PlayerRating]:
        """Yield a rating without the people who were deleted since its record was read; nothing if it is theirs."""
        if any(who.key == one.key for who in self._deleted):
            return
        rating = one.rating
        for who in self._deleted:
            rating = rating.with_met(who.key, who.shown)
        yield attrs.evolve(one, rating=rating) if self._deleted else one

    def find(self, kind: str, key: str) -> Rating | None:
        """Return a player's rating, or None."""
        return self.by_kind.get(kind, {}).get(key)

    def learn(self, ratings: Iterable[PlayerRating], now: float) -> None:
        """Learn ratings, new or changed."""
        for one in ratings:
            known = self.by_kind.setdefault(one.kind, {})
            known[one.key] = one.rating
            self.best.setdefault(one.kind, BestPlayers(known)).put(one.key, now)
            enough = self._enough.setdefault(one.kind, BestPlayers(known))
            if has_played_enough(one.rating):
                enough.put(one.key, now)
            else:
                enough.drop(one.key)
            played = self._played.setdefault(one.kind, {span: LatestPlayers(known, span) for span in SPANS})
            for players in played.values():
                players.put(one.key)
            self.latest[one.kind] = self.latest.get(one.kind, Latest()).after(one.rating)
            self.names[one.key] = one.name

    def all_time(self, kind: str, most: int, calendar: Calendar) -> list[str]:
        """Return the keys of the players in the list of all time, the best first, at most so many.

        It looks at the best ones only: `ranked` looks at everyone, for the same list. It takes a thousandth of the time
        for 23,000 players. To remove it, call `ranked`.
        """
        known, enough, now = self.by_kind[kind], self._enough[kind], calendar.now
        idle = list[str]()

        def is_listed(key: str) -> bool:
            if is_idle(known[key], now):
                idle.append(key)
            return not missing(known[key], "all", calendar)

        found = enough.first(most, now, is_listed)
        for key in idle:
            enough.drop(key)
        return found

    def played_in(self, kind: str, span: Span, name: str) -> Collection[str]:
        """Return the keys of those who may have played in a week or month, such as `2026-W46`."""
        return self._played[kind][span].of(name)

    def ranking(self, kind: str, span: Span, name: str) -> PastRanking:
        """Return the ranking of a week or month from the ratings as they are now."""
        return final(self.by_kind[kind], span, name, self.played_in(kind, span, name))

    def learn_entry(self, seq: int, ratings: Iterable[PlayerRating], now: float) -> None:
        """Learn the ratings in an entry of the log."""
        self.learn(ratings, now)
        self.read = seq

    def distrust_records(self) -> None:
        """Count no entry of the log as read, because some records can't be read."""
        self.read = 0

    def drop(self, kind: str, key: str) -> None:
        """Drop a player's rating in a class."""
        if self.by_kind.get(kind, {}).pop(key, None):
            self.best[kind].drop(key)
            self._enough[kind].drop(key)
            for players in self._played[kind].values():
                players.drop(key)

    def forget_person(self, who: Identity) -> None:
        """Drop the ratings of a deleted account, and its key in those of others."""
        self._drop_all(who.key)
        for known in self.by_kind.values():
            for key, rating in known.items():
                known[key] = rating.with_met(who.key, who.shown)
        if self.read is None:
            self._deleted.append(who)

    def _drop_all(self, key: str) -> None:
        self.names.pop(key, None)
        for kind in self.by_kind:
            self.drop(kind, key)
