"""Throws of five dice and how they rank in Lie Die: a ladder of 252 rungs.

From nickthecoder's page of Lie Die, "Ranking of Throws": nine types of hand; within a type the "important" part
decides, and the kicker "is only considered last".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from functools import cache
from itertools import combinations_with_replacement
from typing import Literal, Self

import attrs

from lilygames_rules.kit import Malformed

DICE, SIDES = 5, 6
Thirteen = Literal["straight", "nothing"]
"""The type of 1 3 4 5 6: a short straight by the page's list, which is the default; nothing by its example."""

_NAMES = ("one", "two", "three", "four", "five", "six")
_PLURALS = tuple(name + ("es" if name == "six" else "s") for name in _NAMES)
_SHORT = 4
_DIGITS = re.compile(r"[1-6]{5}")


class Type(Enum):
    """Types of hand, worst first."""

    NOTHING = "nothing"
    PAIR = "a pair"
    TWO_PAIRS = "two pairs"
    THREE = "three of a kind"
    SHORT = "a short straight"
    LONG = "a long straight"
    FULL = "a full house"
    FOUR = "four of a kind"
    YAHTZEE = "a Yahtzee"


_HEIGHTS = {one: height for height, one in enumerate(Type)}
_BY_COUNTS = {
    (2, 1, 1, 1): Type.PAIR,
    (2, 2, 1): Type.TWO_PAIRS,
    (3, 1, 1): Type.THREE,
    (3, 2): Type.FULL,
    (4, 1): Type.FOUR,
    (5,): Type.YAHTZEE,
}


@attrs.frozen
class Throw:
    """Five dice, sorted from low to high; the notation is `33541`, most important dice first."""

    dice: tuple[int, ...]

    @classmethod
    def of(cls, dice: Sequence[int]) -> Self:
        """Return the throw of five dice in any order."""
        return cls(tuple(sorted(dice)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `33145` or `3 3 1 4 5`, in any order; raises `Malformed`."""
        digits = re.sub(r"[\s,]+", "", text)
        if not _DIGITS.fullmatch(digits):
            raise Malformed(text)
        return cls.of([int(digit) for digit in digits])

    def __str__(self) -> str:
        """The five digits, most important first."""
        return "".join(map(str, _laid(self)))

    def words(self, thirteen: Thirteen = "straight") -> str:
        """Return the throw in words: `a pair of threes`."""
        kind, *ranks = rank(self, thirteen)
        return _said(list(Type)[kind], ranks)

    def beats(self, other: Throw, thirteen: Thirteen = "straight") -> bool:
        """Tell whether this throw is better."""
        return rank(self, thirteen) > rank(other, thirteen)


@cache
def rank(throw: Throw, thirteen: Thirteen = "straight") -> tuple[int, ...]:
    """Return the sort key: the type, its important part, then the kickers from high to low.

    A throw counts as its best type: 1 2 3 4 4 is a short straight with a kicker of 4.
    """
    grouped = sorted(Counter(throw.dice).items(), key=lambda item: (-item[1], -item[0]))
    faces = tuple(face for face, _ in grouped)
    top, length = _run(throw.dice)
    if length == DICE:
        return (_HEIGHTS[Type.LONG], top)
    if length == _SHORT and (thirteen == "straight" or throw.dice != (1, 3, 4, 5, 6)):
        return (_HEIGHTS[Type.SHORT], top, _over(throw, top))
    return (_HEIGHTS[_BY_COUNTS.get(tuple(count for _, count in grouped), Type.NOTHING)], *faces)


def _run(dice: Sequence[int]) -> tuple[int, int]:
    """Return the top and the length of the longest run of consecutive numbers; of two, the higher one."""
    lengths: dict[int, int] = {}
    for face in sorted(set(dice)):
        lengths[face] = lengths.get(face - 1, 0) + 1
    return max(lengths.items(), key=lambda item: (item[1], item[0]))


def _over(throw: Throw, top: int) -> int:
    """Return the kicker of a short straight: the die outside it."""
    left = list(throw.dice)
    for face in range(top - _SHORT + 1, top + 1):
        left.remove(face)
    return left[0]


@cache
def _laid(throw: Throw) -> Sequence[int]:
    kind, top, *_ = rank(throw)
    if list(Type)[kind] is Type.LONG:
        return throw.dice
    if list(Type)[kind] is Type.SHORT:
        return (*range(top - _SHORT + 1, top + 1), _over(throw, top))
    counts = Counter(throw.dice)
    return sorted(throw.dice, key=lambda face: (-counts[face], -face))


def _said(kind: Type, ranks: Sequence[int]) -> str:
    names = [_PLURALS[face - 1] for face in ranks]
    match kind:
        case Type.PAIR:
            return f"a pair of {names[0]}"
        case Type.TWO_PAIRS:
            return f"two pairs, {names[0]} and {names[1]}"
        case Type.FULL:
            return f"a full house, {names[0]} over {names[1]}"
        case Type.THREE | Type.FOUR:
            return f"{kind.value.partition(' ')[0]} {names[0]}"
        case Type.YAHTZEE:
            return f"five {names[0]}"
    return str(kind.value)


@cache
def ladder(thirteen: Thirteen = "straight") -> tuple[Throw, ...]:
    """Return all throws, worst first."""
    every = map(Throw, combinations_with_replacement(range(1, SIDES + 1), DICE))
    return tuple(sorted(every, key=lambda throw: rank(throw, thirteen)))


@cache
def rungs(thirteen: Thirteen = "straight") -> dict[Throw, int]:
    """Return the rung of each throw; the worst is on rung 0."""
    return {throw: rung for rung, throw in enumerate(ladder(thirteen))}
