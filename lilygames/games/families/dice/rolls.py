"""Which dice are worth rolling: for the short lists of moves in the games of five dice under a cup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from rules.dice.cup import DICE, SIDES

Worth = Callable[[tuple[int, ...]], int]
"""How much five dice are worth, given from the lowest to the highest."""


def best_rolls(dice: Sequence[int], worth: Worth, least: int, most: int = 2) -> list[tuple[int, ...]]:
    """Return the faces to roll, at most `most` choices, likeliest first, to make five dice worth at least `least`.

    Of two choices that are equally likely to do it, the one that rolls fewer dice comes first; hopeless ones are left
    out.
    """
    chances: dict[tuple[int, ...], float] = {}
    for size in range(1, DICE + 1):
        for rolled in combinations(sorted(dice, reverse=True), size):
            if rolled not in chances:
                kept = Counter(dice) - Counter(rolled)
                chances[rolled] = _chance(tuple(kept.elements()), worth, least)
    order = sorted(chances, key=lambda rolled: (-chances[rolled], len(rolled)))
    return [rolled for rolled in order if chances[rolled]][:most]


def _chance(kept: Sequence[int], worth: Worth, least: int) -> float:
    """Return how likely the dice are worth enough when all but those kept are rolled."""
    rolled = DICE - len(kept)
    ways = sum(ways for fall, ways in _falls(rolled) if worth(tuple(sorted((*kept, *fall)))) >= least)
    return float(ways / SIDES**rolled)


@cache
def _falls(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return what so many dice can show, in any order, each with the number of ways it falls."""
    every = combinations_with_replacement(range(1, SIDES + 1), dice)
    return tuple((fall, factorial(dice) // prod(map(factorial, Counter(fall).values()))) for fall in every)
