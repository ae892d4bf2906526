"""How house players think of five dice: how likely some of them fall well, and which are best rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from rules.dice.cup import DICE, SIDES, Place, others, subsets

Good = Callable[[tuple[int, ...]], bool]
"""Whether five dice, from the lowest to the highest, are good enough."""


@cache
def falls(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return what so many dice can show, the order aside, each with the number of ways it falls."""
    every = combinations_with_replacement(range(1, SIDES + 1), dice)
    return tuple((fall, factorial(dice) // prod(map(factorial, Counter(fall).values()))) for fall in every)


def chance(kept: Sequence[int], good: Good) -> float:
    """Return how likely the dice are good when those not kept are rolled."""
    rolled = DICE - len(kept)
    ways = sum(ways for fall, ways in falls(rolled) if good(tuple(sorted((*kept, *fall)))))
    return float(ways / SIDES**rolled)


def best_roll(dice: Sequence[int], good: Good) -> tuple[Place, ...]:
    """Return the places of the dice to roll so that they are good most likely, as many of them as does no harm."""
    kept: dict[tuple[int, ...], tuple[Place, ...]] = {}
    for places in subsets():
        kept.setdefault(tuple(sorted(dice[place - 1] for place in others(places))), places)
    return kept[max(kept, key=lambda keep: (chance(keep, good), -len(keep)))]
