"""The top of one ranking for the lobby: that of the game with the most ranked people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lilygames.chat.tasks.periodic import regularly
from lilygames.tables.ratings.known_ratings import has_house
from lilygames.tables.ratings.ratings import Ratings

KEPT = 60.0
"""Seconds for which it is kept."""
ROWS, LEAST = 5, 3
"""Most rows, and the fewest people that make a ranking worth showing."""


class TopRanks:
    """The best players of one game, as they were a minute ago at most."""

    def __init__(self, games: Iterable[str], ratings: Ratings) -> None:
        self._games = [*games]
        self._ratings = ratings
        self.facts: Mapping[str, object] | None = None
        """The game, its number of seats and the best players; None if too few are ranked."""

    async def watch(self) -> None:
        """Look each minute until cancelled."""
        await regularly(KEPT, self.look, "cannot read the rankings for the lobby", first=1.0)

    async def look(self) -> None:
        """Read the rankings; raises `StoreUnavailable`."""
        best: Mapping[str, object] | None = None
        most = LEAST - 1
        for game in self._games:
            for kind, rows in (await self._ratings.standings(game, ROWS)).items():
                if has_house(kind):
                    continue
                people = [[name, round(rating.mu, 1)] for name, rating in rows]
                if len(people) > most:
                    most, best = len(people), {"game": game, "seats": kind.partition(" ")[2], "rows": people}
        self.facts = best
