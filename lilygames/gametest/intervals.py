"""Confidence intervals of a mean, by Student's t distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import stdev

_WITHIN = 0.95
_STEPS = 60
"""Bisections, more than a float needs."""


def margin(values: Sequence[float]) -> float:
    """Return the half-width of the 95 % interval of the mean of these values; infinite for fewer than two."""
    if len(values) < 2:  # noqa: PLR2004 - one value tells nothing about the spread
        return math.inf
    return t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))


@cache
def t_quantile(freedom: int) -> float:
    """Return the number within which Student's t lies in 95 % of cases, for these degrees of freedom."""
    low, high = 0.0, 20.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < _WITHIN else (low, middle)
    return high


def _within(limit: float, freedom: int) -> float:
    """Return the probability that |t| is below a limit.

    For whole degrees of freedom it is a finite sum: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3
    and 26.7.4.
    """
    angle = math.atan(limit / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine if odd else 1.0), 0.0
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (power - 1) / power
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
