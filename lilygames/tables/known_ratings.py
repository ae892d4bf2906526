"""All ratings as they are stored, and what a server holds in memory of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

import attrs

from lilygames import codec
from lilygames.chat.identity import Identity
from lilygames.store import Effect
from lilygames.tables.best_players import BestPlayers
from lilygames.tables.latest_players import LatestPlayers
from lilygames.tables.past_rankings import SPANS, Latest, PastRanking, final
from lilygames.tables.rankings import Calendar, Span, has_played_enough, is_idle, missing
from lilygames.tables.rating_model import Rating

_STEP = 500
"""Records that are added in one step of some."""
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
    """The ratings that have been read, and texts of records that nobody has needed yet.

    Parsing 70,000 records takes 2 seconds, so a start leaves that for later. They are parsed one by one when someone
    needs them, and all of them in the background.
    """

    def __init__(self) -> None:
        self.read: int | None = None
        """The last entry of the log of ratings that was read; None before any."""
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
        self._texts: dict[str, dict[str, str]] = {}
        """Records that haven't been parsed, by game and size, then by account key."""
        self._deleted: list[Identity] = []
        """People who were deleted while some records hadn't been parsed, which may name them."""

    def add_all(self, records: Mapping[str, str], read: int) -> None:
        """Add all stored records, by their keys; they have what the log says up to an entry."""
        for _ in self.adding(records, read):
            pass

    def adding(self, records: Mapping[str, str], read: int) -> Iterator[None]:
        """Do the same in steps. Accounts that are deleted meanwhile are left out; the last step counts all as read."""
        keys = iter(records)
        while some := [*islice(keys, _STEP)]:
            self.add_texts({key: records[key] for key in some})
            yield
        for who in self._deleted:
            self._drop_all(who.key)
        self.read = read

    def add_texts(self, records: Mapping[str, str]) -> None:
        """Add stored records, by their keys."""
        for key, body in records.items():
            kind, _, player = key.partition("/")
            self._texts.setdefault(kind, {})[player] = body

    @property
    def kinds(self) -> list[str]:
        """All classes of game and size in which someone has a rating."""
        return sorted(self.by_kind.keys() | self._texts.keys())

    def find(self, kind: str, key: str, now: float) -> Rating | None:
        """Return a player's rating, or None. Raises `ValueError` once if its record can't be read."""
        if text := self._take(kind, key):
            self._parse(text, now)
        return self.by_kind.get(kind, {}).get(key)

    def parse_all(self, now: float) -> Iterator[str]:
        """Parse all records, one at each step; yield the key of each that can't be read, and else ""."""
        while self._texts:
            kind, texts = next(iter(self._texts.items()))
            key, text = texts.popitem()
            if not texts:
                del self._texts[kind]
            try:
                self._parse(text, now)
            except ValueError:
                yield f"{kind}/{key}"
            else:
                yield ""
        self._deleted.clear()

    def _parse(self, text: str, now: float) -> None:
        one: PlayerRating = codec.from_text(text, PlayerRating)
        rating = one.rating
        for who in self._deleted:
            rating = rating.with_met(who.key, who.shown)
        self.learn([attrs.evolve(one, rating=rating)], now)

    def _take(self, kind: str, key: str) -> str:
        """Return the text of a record that hasn't been parsed, and remove it; empty if there is none."""
        texts = self._texts.get(kind, {})
        text = texts.pop(key, "")
        if text and not texts:
            del self._texts[kind]
        return text

    def learn(self, ratings: Iterable[PlayerRating], now: float) -> None:
        """Learn ratings, new or changed."""
        for one in ratings:
            self._take(one.kind, one.key)
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
        self._take(kind, key)
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
        if self._texts or self.read is None:
            self._deleted.append(who)

    def _drop_all(self, key: str) -> None:
        self.names.pop(key, None)
        for kind in self.kinds:
            self.drop(kind, key)
