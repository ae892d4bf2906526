"""A player's rating as a value, and how a game changes it. Pure.

The model is Bradley-Terry with full pairing (Weng and Lin, 2011), from the openskill package. Unlike its Plackett-Luce
model, it is right for ties at tables of three or more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, tzinfo

import attrs
from openskill.models import BradleyTerryPart

from lilygames import codec
from lilygames.tables.ratings import titles
from lilygames.tables.ratings.titles import Held

_EVERYONE = 64
"""Neighbours in order of place that a player is compared with: more than any table has, so that seats don't matter."""
MODEL = BradleyTerryPart(window_size=_EVERYONE)
UNSURE, FEW = 5.0, 10
"""A rating is provisional above this uncertainty, or before this many games."""
GROWTH = 0.03
"""Growth of the square of the uncertainty on each idle day."""
RECENT = 10
"""Latest ratings kept for `/stats`."""
_MET = titles.OPPONENTS
"""Different opponents kept: no rule needs more."""
_DAY = 86400


@attrs.frozen
class Period:
    """A player's results in one week or month: rated games, opponents beaten, and who they were."""

    name: str = ""
    """The week or month, such as `2026-W47`; empty before the first game."""
    games: int = 0
    beaten: int = 0
    """Twice the number of opponents finished ahead of, plus the number tied with."""
    opponents: int = 0
    """The number of opponents at all tables, the same person counted again at each."""
    met: tuple[str, ...] = ()
    """Different opponents by key, up to a limit."""

    @property
    def share(self) -> float:
        """The share of opponents beaten; a tie counts half."""
        return self.beaten / (2 * self.opponents) if self.opponents else 0.0


@attrs.frozen
class Rating:
    """A player's rating at a game: the mean, its uncertainty after the last game, and the number of rated games."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    games: int = 0
    at: float = attrs.field(default=0.0, metadata={codec.LATER: True})
    """The time of the last game in seconds since 1970."""
    met: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """Different opponents by key, up to a limit."""
    recent: tuple[float, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """The means after the latest games, the last one last."""
    week: Period = attrs.field(default=Period(), metadata={codec.LATER: True})
    month: Period = attrs.field(default=Period(), metadata={codec.LATER: True})
    held: Held = attrs.field(default=Held(), metadata={codec.LATER: True})
    """The title, and how long the ratings for titles have been held."""

    def __str__(self) -> str:
        return f"{self.mu:.1f}{'?' if self.provisional else ''} +- {2 * self.sigma:.1f}"

    @property
    def sure(self) -> float:
        """The lower bound of the rating, by which standings are sorted."""
        return self.mu - 3 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether the rating is still too uncertain to compare; shown as a question mark."""
        return self.sigma > UNSURE or self.games < FEW

    def sigma_at(self, now: float) -> float:
        """Return the uncertainty at a time: it grows with each whole day without a game."""
        days = max(0, int((now - self.at) // _DAY)) if self.games else 0
        return min(MODEL.sigma, math.sqrt(self.sigma**2 + GROWTH * days)) if days else self.sigma

    def sure_at(self, now: float) -> float:
        """Return the lower bound at a time."""
        return self.mu - 3 * self.sigma_at(now)

    def idle_until(self, now: float) -> Rating:
        """Return the rating as it is at a time."""
        return attrs.evolve(self, sigma=self.sigma_at(now))

    def with_met(self, key: str, shown: str) -> Rating:
        """Return the rating with another text in place of the key of an opponent who was deleted."""
        if not any(key in met for met in (self.met, self.week.met, self.month.met)):
            return self

        def without(met: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(shown if one == key else one for one in met)

        week, month = (attrs.evolve(period, met=without(period.met)) for period in (self.week, self.month))
        return attrs.evolve(self, met=without(self.met), week=week, month=month)


NEW = Rating()
"""The rating of a new player."""


def week_of(at: float, zone: tzinfo) -> str:
    """Return the week of a time, from Monday to Sunday: `2026-W47`."""
    year, week, _ = _date(at, zone).isocalendar()
    return f"{year}-W{week:02}"


def month_of(at: float, zone: tzinfo) -> str:
    """Return the month of a time: `2026-11`."""
    return f"{_date(at, zone):%Y-%m}"


def _date(at: float, zone: tzinfo) -> date:
    return datetime.fromtimestamp(at, zone).date()


def predicted(ratings: Sequence[Rating]) -> list[float]:
    """Return each player's probability of winning against the others."""
    return MODEL.predict_win([[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings])


def after_game(
    before: Mapping[str, Rating], places: Mapping[str, int], at: float, zone: tzinfo, *, titled: bool
) -> dict[str, Rating]:
    """Return the players' ratings, by key, after a game that ended at a time with these places.

    `before` has their ratings after their last games, and none for new players. Only `titled` games count for titles.
    """
    rested = {key: before.get(key, NEW).idle_until(at) for key in places}
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in rested.values()]
    rated = MODEL.rate(teams, ranks=[float(place) for place in places.values()])
    found = {}
    for (key, old), [new] in zip(rested.items(), rated, strict=True):
        others = {other: place for other, place in places.items() if other != key}
        now = attrs.evolve(
            old,
            mu=new.mu,
            sigma=new.sigma,
            games=old.games + 1,
            at=at,
            met=_met(old.met, others),
            recent=(*old.recent, round(new.mu, 2))[-RECENT:],
            week=_with_game(old.week, week_of(at, zone), places[key], others),
            month=_with_game(old.month, month_of(at, zone), places[key], others),
        )
        year = _date(at, zone).year
        held = titles.after_game(old.held, now.sure, now.games, len(now.met), year) if titled else old.held
        found[key] = attrs.evolve(now, held=held)
    return found


def _met(before: tuple[str, ...], others: Mapping[str, int]) -> tuple[str, ...]:
    return (*before, *(key for key in sorted(others) if key not in before))[:_MET]


def _with_game(period: Period, name: str, place: int, others: Mapping[str, int]) -> Period:
    """Return the results of a week or month after one more game; a new one begins empty."""
    before = period if period.name == name else Period(name)
    return Period(
        name=name,
        games=before.games + 1,
        beaten=before.beaten + sum(2 * (place < theirs) + (place == theirs) for theirs in others.values()),
        opponents=before.opponents + len(others),
        met=_met(before.met, others),
    )
