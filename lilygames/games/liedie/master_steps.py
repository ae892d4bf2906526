"""Steps of Lie Die for two as a master solves them: further than a shark, in about the same time.

A step is solved with discounted regrets (`lilygames.house.discounted`), which need half the iterations. If it is large,
throws are grouped, but only as far as needed: a few neighbours with the same important part, not all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate, pairwise

from lilygames.games.liedie.ladder import OPEN, RUNGS, Groups, Solution, Step, fallen, heads, learned, step_of
from lilygames.house.discounted import solve
from lilygames.house.regrets import Row

SIZE = 5000
"""Most pairs of group and claim in a step. Its groups have as few throws as that allows."""
_PER_GROUP = 12
"""Cost of a group besides its pairs, in pairs."""
_WIDTHS = (1, 2, 3, 4, 6, 9, RUNGS)
"""Most throws in a group, as far as they have the same important part."""
_MOST = 4
"""Small steps get more iterations in the same time, up to this many times the budget."""


def rounds_for(budget: int, groups: int, labels: int) -> int:
    """Return the number of iterations: the budget for the largest steps, and more for small ones."""
    return max(budget, min(_MOST * budget, budget * SIZE // cost(groups, labels)))


def cost(groups: int, labels: int) -> int:
    """Return the cost of an iteration, in pairs."""
    return groups * (labels + _PER_GROUP)


@lru_cache(64)
def solved(claim: int, dice: tuple[int, ...], thrown: int, budget: int) -> Step:
    """Solve the step after a claim on that rung when that many of these dice are thrown; all five before any claim."""
    first = learned().opening if claim == OPEN else None
    return first or computed(claim, dice, thrown, budget)


def computed(claim: int, dice: tuple[int, ...], thrown: int, budget: int) -> Step:
    """Solve a step with a budget of iterations."""

    def solution(groups: Groups, labels: int, shares: Sequence[Row]) -> Solution:
        return solve(stakes(groups, labels), labels, shares, rounds_for(budget, len(groups), labels))

    return step_of(dice, thrown, partial(grouped, claim=claim), solution)


def grouped(possible: Sequence[int], claim: int) -> tuple[Groups, int]:
    """Return the smallest groups that are few enough, those above the claim first, and the number of these."""
    above, below = [rung for rung in possible if rung > claim], [rung for rung in possible if rung <= claim]
    for width in _WIDTHS:
        high, low = tuple(_neighbours(above, width)), tuple(_neighbours(below, width))
        if cost(len(high) + len(low), len(high)) <= SIZE:
            break
    return high + low, len(high)


def _neighbours(possible: Sequence[int], width: int) -> Iterator[tuple[int, ...]]:
    """Yield throws with the same important part, at most `width` at once."""
    number = Counter(heads()[rung] for rung in possible)
    start = 0
    for many in number.values():
        for first in range(start, start + many, width):
            yield tuple(possible[first : min(first + width, start + many)])
        start += many


def warm_up() -> None:
    """Fill the tables that a step needs."""
    _weighed()


@cache
def _weighed() -> tuple[Row, ...]:
    """Return by throw, for each claim, the value of being believed over being caught, times how often both fall."""
    worth, often = learned().worth, fallen(())
    return tuple(
        [(1 - worth[claim][rung]) * often[claim] * often[rung] for claim in range(RUNGS)] for rung in range(RUNGS)
    )


def stakes(groups: Groups, labels: int) -> list[Row]:
    """Return the value of being believed over being caught, in stakes, by group and claim: means of those of throws."""
    often = [sum(fallen(())[rung] for rung in group) for group in groups]
    said = [rung for group in groups[:labels] for rung in group]
    cuts = [*pairwise(accumulate(map(len, groups[:labels]), initial=0))]
    rows = []
    for true, group in enumerate(groups):
        row = [sum(column) for column in zip(*(_weighed()[rung] for rung in group), strict=True)]
        some = [row[rung] for rung in said]
        falls = often[true]
        rows.append([sum(some[start:end]) / (falls * other) for (start, end), other in zip(cuts, often, strict=False)])
    for true, group in enumerate(groups[:labels]):
        rows[true][true] = sum(_true(rung) for rung in group) / often[true]
    return rows


def _true(rung: int) -> float:
    """Return the value of being believed over being caught if the claim is true, times how often the throw falls."""
    return (1 - learned().worth[rung][rung]) * fallen(())[rung]
