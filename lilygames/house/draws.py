"""Draw one of several choices with given probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from lilygames_rules.kit import Luck

T = TypeVar("T")
_FINE = 10**6
"""Probabilities are drawn to this fraction."""


def drawn(shares: Mapping[T, float], luck: Luck) -> T:
    """Draw one of these keys with probability proportional to its share."""
    left, found = luck.roll(_FINE) / _FINE * sum(shares.values()), next(iter(shares))
    for thing, share in shares.items():
        if left > 0:
            found = thing
        left -= share
    return found
