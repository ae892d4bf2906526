"""The last rounds of a match of exact bids, in which sharks play for the win and no longer for points.

A leader then avoids risks, and someone who is far behind takes them. Everything here is on the public score sheet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import attrs

from lilygames.house.match_equity import match_equity
from lilygames_rules.kit import Seat

LAST = 2
"""Rounds from the end in which sharks play for the win, with the one in play."""
_HIT = 1 / 32
"""Standing for a bid made, where that breaks ties: less than a point in a match. A power of 2, so sums are exact."""


@attrs.frozen
class Finish:
    """The standings before one of the last rounds, and what they are worth after it."""

    standings: tuple[float, ...]
    """Points by seat (by place in a scene), and a little more for each bid made where that breaks ties."""
    spread: float
    """The standard deviation of a seat's points in the rounds after this one; 0 in the last."""
    hit: float
    """Standing for a bid made in this round; 0 if everyone with the most points has a share of the win."""

    def by_place(self, order: Sequence[Seat]) -> Finish:
        """Return the same with the standings in order of play."""
        return attrs.evolve(self, standings=tuple(self.standings[seat] for seat in order))

    def equity(self, place: int, points: Sequence[int], needs: Sequence[int]) -> float:
        """Return a place's probability of winning the match, given everyone's points for the round.

        `needs` has the bids minus the tricks taken.
        """
        after = [
            before + won + self.hit * (not need)
            for before, won, need in zip(self.standings, points, needs, strict=True)
        ]
        mine = after.pop(place)
        return match_equity(mine, tuple(after), self.spread)


def finish_of(
    scores: Sequence[int], to_come: Sequence[int], variance: Callable[[int], float], hits: Sequence[int] = ()
) -> Finish | None:
    """Return the finish of a match with these scores, None before its last rounds.

    `to_come` has the hand sizes of the later rounds. `variance` returns the variance of a seat's points in a round, by
    the size of hands. `hits` has the number of bids that each seat has made, if the most of them win a tie.
    """
    if len(to_come) >= LAST:
        return None
    hit = _HIT if hits else 0.0
    standings = tuple(score + hit * made for score, made in zip(scores, hits or scores, strict=True))
    return Finish(standings, math.sqrt(sum(map(variance, to_come))), hit)
