"""The best players of a game without a look at all of them, although everyone's lower bound sinks as days pass.

A bound that was computed earlier is at least as high as it is now. So only the players at the top are looked at again.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping

from lilygames.tables.rating_model import Rating

_STALE = 100
"""Outdated entries that are kept besides one for each player."""


class BestPlayers:
    """The players of one kind of game by the lower bounds of their ratings; equal ones are in order of their keys."""

    def __init__(self, ratings: Mapping[str, Rating]) -> None:
        self._ratings = ratings
        self._bounds: dict[str, float] = {}
        """The bound, below zero, under which each player was put into the heap last."""
        self._heap: list[tuple[float, str]] = []

    def put(self, key: str, now: float) -> None:
        """Put a player where their rating belongs at a time."""
        bound = -self._ratings[key].sure_at(now)
        if self._bounds.get(key) != bound:
            self._bounds[key] = bound
            heapq.heappush(self._heap, (bound, key))
        if len(self._heap) > 2 * len(self._bounds) + _STALE:
            self._heap = [(bound, key) for key, bound in self._bounds.items()]
            heapq.heapify(self._heap)

    def drop(self, key: str) -> None:
        """Leave out a player from now on."""
        self._bounds.pop(key, None)

    def first(self, most: int, now: float, accept: Callable[[str], bool] = lambda _: True) -> list[str]:
        """Return the keys of the best players at a time that are accepted, the best first, at most so many."""
        found, passed_over = list[str](), list[str]()
        while self._heap and len(found) < most:
            bound, key = heapq.heappop(self._heap)
            if self._bounds.get(key) != bound:
                continue
            del self._bounds[key]
            if bound != -self._ratings[key].sure_at(now):
                self.put(key, now)
            else:
                (found if accept(key) else passed_over).append(key)
        for key in (*found, *passed_over):
            self.put(key, now)
        return found
