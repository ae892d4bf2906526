"""Strength of two hole cards in hold'em, by Bill Chen's formula.

The higher card counts 10 for an ace, 8, 7 and 6 for king, queen and jack, and half its rank below. A pair counts twice
that and at least 5, suited cards 2 more. A gap costs up to 5; small gaps below a queen get 1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import combinations

from lilygames_rules.cards import DECK, QUEEN, Card

_HIGH = {14: 10.0, 13: 8.0, 12: 7.0, 11: 6.0}
_SMALLEST_PAIR = 5.0
_SUITED = 2.0
_GAPS = (0.0, 1.0, 2.0, 4.0, 5.0)


def points(two: Sequence[Card]) -> float:
    """Return Chen's points, unrounded."""
    low, high = sorted(card.rank for card in two)
    score = _HIGH.get(high, high / 2)
    if low == high:
        return max(_SMALLEST_PAIR, 2 * score)
    gap = min(high - low - 1, len(_GAPS) - 1)
    near = gap <= 1 and high < QUEEN
    return score + _SUITED * (two[0].suit is two[1].suit) - _GAPS[gap] + near


@cache
def _all() -> tuple[float, ...]:
    return tuple(sorted(points(two) for two in combinations(DECK, 2)))


@cache
def among_all(score: float) -> float:
    """Return the share of hole cards with fewer points, plus half of those with equal points."""
    return (bisect_left(_all(), score) + bisect_right(_all(), score)) / 2 / len(_all())


@cache
def good(two: tuple[Card, ...]) -> float:
    """Return the share of worse hands before the flop."""
    return among_all(points(two))
