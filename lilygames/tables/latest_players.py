"""The players of one kind of game in its latest week or month, so that a list of it needn't look at everyone."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lilygames.tables.rankings import Span
from lilygames.tables.rating_model import Rating


class LatestPlayers:
    """The players of the latest week or month in which someone has played.

    For 300 players of a week among 100,000, a list takes a hundredth of the time. To remove it, let `of` return all.
    """

    def __init__(self, ratings: Mapping[str, Rating], span: Span) -> None:
        self._ratings, self._span = ratings, span
        self._name = ""
        """The week or month, such as `2026-W47`; empty before any game."""
        self._keys: dict[str, None] = {}

    def put(self, key: str) -> None:
        """Learn when a player has played last."""
        rating = self._ratings[key]
        name = (rating.week if self._span == "week" else rating.month).name
        if name > self._name:
            self._name, self._keys = name, {}
        if name and name == self._name:
            self._keys[key] = None

    def drop(self, key: str) -> None:
        """Leave out a player from now on."""
        self._keys.pop(key, None)

    def of(self, name: str) -> Collection[str]:
        """Return the keys of those who may have played in a week or month; of everyone if a later one has begun."""
        if name < self._name:
            return self._ratings.keys()
        return self._keys.keys() if name == self._name else ()
