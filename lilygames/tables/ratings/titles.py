"""Titles for strong players: Expert, Master and Grandmaster. Pure.

You get a title when the lower bound of your rating has stayed at or above a number for 20 games in a row. It also takes
50 games and 15 different opponents. You keep it for life, with the year.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Title:
    """A title, and the lower bound of a rating that it takes."""

    name: str
    bound: float


TITLES = (Title("Expert", 21.0), Title("Master", 24.0), Title("Grandmaster", 27.0))
"""The titles, lowest first. The bounds were the best 25, 10 and 1 % of a simulation."""
HELD, GAMES, OPPONENTS = 20, 50, 15
"""Games in a row at the bound, games in all, and different opponents that a title takes."""


@attrs.frozen
class Held:
    """A player's title and its year, and for how many games in a row each title's bound has been held."""

    title: str = ""
    year: int = 0
    streaks: tuple[int, ...] = (0,) * len(TITLES)

    def __str__(self) -> str:
        return f"{self.title} ({self.year})" if self.title else ""


def after_game(before: Held, bound: float, games: int, opponents: int, year: int) -> Held:
    """Return a player's title after a game in a year, given the lower bound of their rating after it."""
    streaks = tuple(
        min(streak + 1, HELD) if bound >= title.bound else 0
        for title, streak in zip(TITLES, before.streaks, strict=True)
    )
    known = _rank(before.title)
    earned = max((n for n, streak in enumerate(streaks) if streak >= HELD), default=-1)
    if earned > known and games >= GAMES and opponents >= OPPONENTS:
        return Held(TITLES[earned].name, year, streaks)
    return Held(before.title, before.year, streaks)


def _rank(name: str) -> int:
    return next((n for n, title in enumerate(TITLES) if title.name == name), -1)
