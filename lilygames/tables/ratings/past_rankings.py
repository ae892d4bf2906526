"""Final rankings of weeks and months, which are kept. The first game after a week or month fixes its ranking.

The ranking is written in the same transaction as the ratings after that game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import tzinfo

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Effect, Store
from lilygames.tables.ratings.rankings import Calendar, Span, ranked
from lilygames.tables.ratings.rating_model import Period, Rating, month_of, week_of

KIND = "ranking"
KEPT = 50
"""Players of a ranking that are kept, at most."""
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
