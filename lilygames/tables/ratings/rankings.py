"""Rankings of a game: who qualifies for a list, and in which order. Pure.

The list of all time goes by the lower bound of the rating. The lists of the week and the month go by the share of
opponents beaten at rated tables. So playing more doesn't help by itself.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Literal

import attrs

from lilygames.tables.ratings.rating_model import Period, Rating
from lilygames.text import count, listing

Span = Literal["week", "month", "all"]


@attrs.frozen
class Needs:
    """The games and different opponents that a list takes."""

    games: int
    opponents: int


NEEDS: Mapping[Span, Needs] = {"all": Needs(30, 8), "month": Needs(10, 5), "week": Needs(5, 3)}
DAYS = 30
"""The list of all time takes a game within this many days."""
_DAY = 86400


@attrs.frozen
class Calendar:
    """The time now in seconds since 1970, and the names of the present week and month."""

    now: float
    week: str
    month: str

    def period(self, rating: Rating, span: Span) -> Period:
        """Return a player's results in the present week or month; empty if they haven't played."""
        period, name = (rating.week, self.week) if span == "week" else (rating.month, self.month)
        return period if period.name == name else Period()


def missing(rating: Rating, span: Span, calendar: Calendar) -> str:
    """Return what a player needs to be listed, in words; empty if they are listed."""
    period, needs = calendar.period(rating, span), NEEDS[span]
    games, met = (rating.games, rating.met) if span == "all" else (period.games, period.met)
    wanted = []
    if games < needs.games:
        wanted.append(count(needs.games - games, "more rated game"))
    if len(met) < needs.opponents:
        wanted.append(count(needs.opponents - len(met), "more opponent"))
    if span == "all" and not wanted:
        if is_idle(rating, calendar.now):
            wanted.append(f"a game in the last {DAYS} days")
        elif rating.idle_until(calendar.now).provisional:
            wanted.append("a rating without a question mark")
    return listing(wanted)


def ranked(ratings: Mapping[str, Rating], span: Span, calendar: Calendar, most: int) -> list[str]:
    """Return the keys of the listed players, the best first, at most so many."""
    listed = (key for key, rating in ratings.items() if not missing(rating, span, calendar))
    if span == "all":
        return heapq.nlargest(most, listed, key=lambda key: ratings[key].sure_at(calendar.now))
    return heapq.nlargest(most, listed, key=lambda key: _by_share(calendar.period(ratings[key], span)))


def has_played_enough(rating: Rating) -> bool:
    """Return whether a player has the games and opponents that the list of all time takes."""
    return rating.games >= NEEDS["all"].games and len(rating.met) >= NEEDS["all"].opponents


def is_idle(rating: Rating, now: float) -> bool:
    """Return whether the list of all time leaves a player out until they play again."""
    return now - rating.at > DAYS * _DAY


def _by_share(period: Period) -> tuple[float, int]:
    return period.share, period.games
