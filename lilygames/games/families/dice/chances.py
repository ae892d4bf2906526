"""Probabilities of five dice: how likely a roll is good enough, and which dice are best rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from lilygames_rules.dice.cup import DICE, SIDES, Place, others, subsets

Good = Callable[[tuple[int, ...]], bool]
"""Tells whether five dice, sorted from low to high, are good enough."""
Worth = Callable[[tuple[int, ...]], int]
"""Returns the value of five dice, sorted from low to high."""


@cache
def falls(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return every result of rolling that many dice, sorted, with the number of ways to get it."""
    every = combinations_with_replacement(range(1, SIDES + 1), dice)
    return tuple((fall, factorial(dice) // prod(map(factorial, Counter(fall).values()))) for fall in every)


@cache
def _outcomes(kept: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return what five dice can be when those not kept are rolled, each with the number of ways."""
    return tuple((tuple(sorted((*kept, *fall))), ways) for fall, ways in falls(DICE - len(kept)))


def chance(kept: Sequence[int], good: Good) -> float:
    """Return the probability that the dice are good after rolling all but `kept`."""
    ways = sum(ways for dice, ways in _outcomes(tuple(sorted(kept))) if good(dice))
    return float(ways / SIDES ** (DICE - len(kept)))


def best_roll(dice: Sequence[int], good: Good) -> tuple[Place, ...]:
    """Return the places to roll for the best chance of good dice; of equal choices, the one with the most dice."""
    kept: dict[tuple[int, ...], tuple[Place, ...]] = {}
    for places in subsets():
        kept.setdefault(tuple(sorted(dice[place - 1] for place in others(places))), places)
    return kept[max(kept, key=lambda keep: (chance(keep, good), -len(keep)))]


def best_rolls(dice: Sequence[int], worth: Worth, least: int, most: int = 2) -> list[tuple[int, ...]]:
    """Return the faces to roll, at most `most` choices, likeliest first, to make five dice worth at least `least`.

    Of two equally likely choices, the one that rolls fewer dice comes first. Hopeless choices are left out.
    """
    chances: dict[tuple[int, ...], float] = {}
    for size in range(1, DICE + 1):
        for rolled in combinations(sorted(dice, reverse=True), size):
            if rolled not in chances:
                kept = Counter(dice) - Counter(rolled)
                chances[rolled] = chance(tuple(kept.elements()), lambda fall: worth(fall) >= least)
    order = sorted(chances, key=lambda rolled: (-chances[rolled], len(rolled)))
    return [rolled for rolled in order if chances[rolled]][:most]
