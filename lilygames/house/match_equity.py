"""Match equity, the probability of winning a match from its standings, for bots that play for the win.

The word is backgammon's. The points that seats score until the end are taken as independent and normal, and alike for
all. With `spread`, their standard deviation, a standing x wins against the others y₁, y₂, … with probability

    ∫ φ(z) · Φ((x - y₁) / spread + z) · Φ((x - y₂) / spread + z) · … dz

where φ is the density of the normal distribution and Φ its distribution function. When nothing is left to play, the
highest standing wins, and those who share it have equal shares of the win.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist, fmean

_FINE = 15
"""Equally likely values of z that stand for the integral."""
_LUCK = tuple(NormalDist().inv_cdf((number + 1 / 2) / _FINE) for number in range(_FINE))


@lru_cache(maxsize=4096)
def match_equity(mine: float, others: tuple[float, ...], spread: float) -> float:
    """Return the probability of winning against the others' standings; at the end (spread 0), the share of the win."""
    if not spread:
        return 0.0 if mine < max(others) else 1 / (1 + others.count(mine))
    apart = [(mine - other) / spread for other in others]
    return fmean([math.prod([_below(ahead + luck) for ahead in apart]) for luck in _LUCK])


def _below(value: float) -> float:
    """Return the probability that a standard normal number is below a value."""
    return math.erfc(-value / math.sqrt(2)) / 2
