"""Table of the two-player solution of Liars Dice, and the hands and choices that it numbers.

Both players know the dice that are accepted, because one passed them and the other looks at them. So each step is a
small game of its own: its taker keeps some of the dice, rolls the others, and makes a claim. The table
(`lab/solve-liarsdice`) has the value of each step by the claim to beat and the dice kept. It also has the value of
a lie by what the opponent sees of the rolls. This decides how often to believe each claim. Three more tables say how to
roll and claim. One is for players who keep pairs or better (`mixes`), one for those who roll all dice first (`fresh`).
The third is for the first step of a round (`opening`). A last table has beliefs in some more steps (`beliefs`).

The solution is approximate. `lab/best-response` measures what a perfect opponent who knew it would win. It has
known weaknesses: it takes everyone to keep the best dice of their number, or to break up three or four of a kind. It
knows less about claims too low to be made by sharks.

A claim that names all five dice is the highest of those that are true of the same dice, so these 252 are enough.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate, combinations, combinations_with_replacement, pairwise
from operator import add
from sys import byteorder

import attrs

from lilygames.games.families.dice.chances import falls
from lilygames_rules.dice.claims import best, ladder
from lilygames_rules.dice.cup import DICE, SIDES

Dice = tuple[int, ...]
WAYS, FRESH = 6, 31
"""Number of ways to see a step whose player kept some dice, and of one whose player kept none."""
_FULL = 32767
_NAMED = 2
"""Ranks by which hands are grouped in the table, besides a full house's."""


@cache
def hands() -> tuple[Dice, ...]:
    """Return all hands of five dice, worst first."""
    every = combinations_with_replacement(range(1, SIDES + 1), DICE)
    return tuple(sorted(every, key=lambda dice: best(dice).rung))


@cache
def places() -> dict[Dice, int]:
    """Return the number of each hand."""
    return {dice: place for place, dice in enumerate(hands())}


@cache
def keeps() -> tuple[Dice, ...]:
    """Return all dice that someone can keep from a roll, none first."""
    sizes = range(DICE)
    return tuple(some for size in sizes for some in combinations_with_replacement(range(1, SIDES + 1), size))


@cache
def keep_places() -> dict[Dice, int]:
    """Return the number of each choice of dice to keep."""
    return {kept: place for place, kept in enumerate(keeps())}


@cache
def keeps_of(hand: int) -> tuple[int, ...]:
    """Return the numbers of the dice that can be kept from a hand."""
    dice = hands()[hand]
    return tuple(sorted({keep_places()[some] for size in range(DICE) for some in combinations(dice, size)}))


@cache
def fallen(kept: Dice) -> tuple[float, ...]:
    """Return the probability of each hand when all dice but these are rolled."""
    shares = [0.0] * len(hands())
    rolled = DICE - len(kept)
    for fall, ways in falls(rolled):
        shares[places()[tuple(sorted((*kept, *fall)))]] += ways / SIDES**rolled
    return tuple(shares)


@cache
def heads() -> tuple[int, ...]:
    """Return the group of each hand: hands with the same category and ranks, and a full house's first rank."""
    seen: dict[tuple[int, ...], int] = {}
    return tuple(seen.setdefault(_head(dice), len(seen)) for dice in hands())


def _head(dice: Dice) -> tuple[int, ...]:
    hand = best(dice)
    height, first, second = hand.key[:3]
    return (height, first, second if hand.category.groups == (_NAMED, _NAMED) else 0)


KNOTS = tuple(place for place, (one, other) in enumerate(pairwise((*heads(), -1))) if one != other)
"""The claims to beat for which the table has lies: the highest of each group; those in between are interpolated."""


@cache
def wholes() -> tuple[int, ...]:
    """Return, by rung of the ladder of claims, the lowest hand for which the claim is true."""
    truths = [best(dice).rung for dice in hands()]
    return tuple(next(place for place, truth in enumerate(truths) if truth >= rung) for rung in range(len(ladder())))


@attrs.frozen(eq=False)
class Table:
    """The solution: values of dice kept by claim to beat, and of lies by knot."""

    values: Sequence[Sequence[float]]
    liars: Sequence[Sequence[float]]


@cache
def learned() -> Table:
    """Load the table that comes with the package; it is compressed by zlib.

    Values are written as their differences to those under the claim before.
    """
    data, many = _integers(zlib.decompress((files(__package__) / "solution.bin").read_bytes())), len(keeps())
    split, size = many * len(hands()), (many - 1) * WAYS + FRESH
    falls = (data[at : at + many] for at in range(0, split, many))
    values = accumulate(falls, lambda row, fall: array("h", map(add, row, fall)))
    lies = (data[at : at + size] for at in range(split, len(data), size))
    return Table([_shares(row) for row in values], [_shares(row) for row in lies])


def numbers(data: bytes) -> Sequence[float]:
    """Return numbers from -1 to 1 that are written in two bytes each, the lower one first."""
    return _shares(_integers(data))


def _integers(data: bytes) -> array[int]:
    kept = array("h", data)
    if byteorder == "big":
        kept.byteswap()
    return kept


def _shares(row: Iterable[int]) -> Sequence[float]:
    return [one / _FULL for one in row]


def between(rows: Sequence[Sequence[float]], claim: int) -> Sequence[float]:
    """Return the row of a table for a claim to beat; rows between knots are interpolated."""
    high = next(place for place, knot in enumerate(KNOTS) if knot >= claim)
    if KNOTS[high] == claim or high == 0:
        return rows[high]
    part = (KNOTS[high] - claim) / (KNOTS[high] - KNOTS[high - 1])
    return [part * low + (1 - part) * top for low, top in zip(rows[high - 1], rows[high], strict=True)]


def values(claim: int) -> Sequence[float]:
    """Return the values of dice to keep when their taker has to beat a claim."""
    return learned().values[claim]


@cache
def liars(claim: int) -> Sequence[float]:
    """Return the values of lies by what the opponent sees of the rolls: `WAYS` for each choice of dice to keep."""
    return between(learned().liars, claim)


@cache
def worth() -> tuple[array[float], ...]:
    """Return the values of hands to their taker, by the claim to beat."""
    rows: list[array[float]] = []
    own = [-1.0] * len(hands())
    for claim in range(len(hands()) - 1, -1, -1):
        rolled, keep = values(claim), [-1.0] * (claim + 1) + [-one for one in own[claim + 1 :]]
        row = array("d", (max(kept, *(rolled[one] for one in keeps_of(hand))) for hand, kept in enumerate(keep)))
        own[claim] = row[claim]
        rows.append(row)
    return tuple(reversed(rows))


@cache
def feared(kept: int) -> tuple[float, ...]:
    """Return, by claim, what dice are worth to their taker on average if the claim is a lie about a roll."""
    fell = [(hand, share) for hand, share in enumerate(fallen(keeps()[kept])) if share]
    means = []
    for claim, row in enumerate(worth()):
        lies = [(hand, share) for hand, share in fell if hand < claim]
        some = sum(share for _, share in lies)
        means.append(sum(row[hand] * share for hand, share in lies) / some if some else sum(row) / len(row))
    return tuple(means)
