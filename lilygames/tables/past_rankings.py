"""Final rankings of weeks and months, which are kept. The first game after a week or month fixes its ranking.

The ranking is written in the same transaction as the ratings after that game. Games of releases that didn't keep them
are gone through once, in the background.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import tzinfo

import attrs

from lilygames import codec
from lilygames.store import Effect, Store
from lilygames.tables.rankings import Calendar, Span, ranked
from lilygames.tables.rating_model import Period, Rating, month_of, week_of
from lilygames.unreadable import UnreadableRows

KIND = "ranking"
KEPT = 50
"""Players of a ranking that are kept, at most."""
_FILLED = "filled"
_PAGE = 100
"""Log entries that are read at once in the background."""
_SHARE = 4
"""After each page, the task rests this many times as long as it worked: at most a fifth of a core."""
SPANS: tuple[Span, ...] = ("week", "month")


@attrs.frozen
class Place:
    """A player's place in a final ranking, stored under their account key."""

    key: str
    period: Period


@attrs.frozen
class PastRanking:
    """The final ranking of a week or month, the best first."""

    places: tuple[Place, ...]


@attrs.frozen
class Latest:
    """The week and the month of the latest game of a kind, such as `2026-W47` and `2026-11`."""

    week: str = ""
    month: str = ""

    def after(self, *ratings: Rating) -> Latest:
        """Return the latest of them and those of some ratings."""
        weeks, months = (rating.week.name for rating in ratings), (rating.month.name for rating in ratings)
        return Latest(max(self.week, *weeks), max(self.month, *months))

    def ended(self, at: float, zone: tzinfo) -> Iterator[tuple[Span, str]]:
        """Yield the week and the month that are over because a game ended at a time."""
        if self.week and week_of(at, zone) > self.week:
            yield "week", self.week
        if self.month and month_of(at, zone) > self.month:
            yield "month", self.month


def final(ratings: Mapping[str, Rating], span: Span, name: str) -> PastRanking:
    """Return the ranking of a week or month from the ratings after its last game."""
    calendar = Calendar(0.0, name, name)
    keys = ranked(ratings, span, calendar, KEPT)
    return PastRanking(tuple(Place(key, calendar.period(ratings[key], span)) for key in keys))


def effect(kind: str, name: str, ranking: PastRanking) -> Effect:
    """Return the record of the final ranking of a kind of game in a week or month."""
    return Effect(KIND, f"{kind}/{name}", codec.to_text(ranking))


async def find(store: Store, kind: str, name: str, unreadable: UnreadableRows) -> PastRanking | None:
    """Return the final ranking of a kind of game in a week or month, or None. Raises `StoreUnavailable`."""
    body = await store.find(KIND, f"{kind}/{name}")
    try:
        ranking: PastRanking | None = codec.from_text(body, PastRanking) if body else None
    except ValueError as problem:
        unreadable.report(KIND, f"{kind}/{name}", problem)
        return None
    return ranking


@attrs.frozen
class OlderRankings:
    """Adds the rankings of the weeks and months before they were kept, in the background."""

    store: Store
    log: str
    """The log of the ratings after each game."""
    zone: tzinfo
    ratings_in: Callable[[str], tuple[str, Mapping[str, Rating]]]
    """Returns the kind of game and the ratings by account key in the body of an entry; none if it doesn't count."""

    async def fill(self) -> None:
        """Go through the log once, and write each ranking that is missing. Raises `StoreUnavailable`."""
        if await self.store.find(KIND, _FILLED):
            return
        known: dict[str, dict[str, Rating]] = {}
        latest: dict[str, Latest] = {}
        after, last = 0, (await self.store.heads([self.log]))[self.log]
        while after < last:
            began = time.monotonic()
            for entry in (await self.store.read(self.log, after, _PAGE)).entries:
                kind, ratings = self.ratings_in(entry.body)
                if ratings:
                    await self._add(kind, ratings, known.setdefault(kind, {}), latest)
                after = entry.seq
            await asyncio.sleep(_SHARE * (time.monotonic() - began))
        await self.store.keep(KIND, _FILLED, "{}")

    async def _add(
        self, kind: str, ratings: Mapping[str, Rating], known: dict[str, Rating], latest: dict[str, Latest]
    ) -> None:
        """Add the ratings after a game to those known, and write the rankings that it ends."""
        before, at = latest.get(kind, Latest()), max(rating.at for rating in ratings.values())
        for span, name in before.ended(at, self.zone):
            record = effect(kind, name, final(known, span, name))
            await self.store.swap(record.kind, record.key, None, record.body)
        known.update(ratings)
        latest[kind] = before.after(*ratings.values())
