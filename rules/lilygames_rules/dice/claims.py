"""Claims about five poker dice, exact or vague: a ladder of 579 rungs.

From CONNECT's Liars Dice: claims are ordered "using standard poker convention, however, higher claims need only be more
specific than the previous". A claim has a category, the ranks in it (if named), and some other dice (if named). The
parser is `lilygames_rules.dice.claim_text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache, cached_property, lru_cache
from itertools import combinations, permutations
from typing import Literal, Self

import attrs

from lilygames_rules.dice import claim_text
from lilygames_rules.dice.claim_text import FACES, NAMES, PLURALS
from lilygames_rules.kit import Ambiguous, Malformed

DICE = 5
ACE, KING = 6, 5
Kickers = Literal["monotone", "strict"]


class Category(Enum):
    """Kinds of hand, lowest first; the value is the word that starts a claim. Five dice are in exactly one."""

    HIGH = "high"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    THREE = "three"
    STRAIGHT = "straight"
    FULL = "full"
    FOUR = "four"
    FIVE = "five"

    @property
    def height(self) -> int:
        """The rank of the category: 0 for no pair, 7 for five of a kind."""
        return _HEIGHTS[self]

    @property
    def groups(self) -> tuple[int, ...]:
        """Number of dice for each rank in it."""
        return _GROUPS[self]

    @property
    def others(self) -> int:
        """Number of other dice, which may also be named."""
        return 0 if self is Category.STRAIGHT else DICE - sum(self.groups)


_HEIGHTS = {category: height for height, category in enumerate(Category)}
_GROUPS = dict(zip(Category, ((), (2,), (2, 2), (3,), (5,), (3, 2), (4,), (5,)), strict=True))
_STRAIGHTS = {KING: "low", ACE: "high"}


@attrs.frozen(cache_hash=True)
class Claim:
    """A claim about the dice.

    `ranks` are the named ranks of the category (a straight's top; later ones may be missing). `kickers` are the other
    dice it names, high to low. Faces are 1 (nine) to 6 (ace).
    """

    category: Category
    ranks: tuple[int, ...] = ()
    kickers: tuple[int, ...] = ()

    @classmethod
    @lru_cache(maxsize=1024)  # a restart reads thousands of claims, and most of them again and again
    def parse(cls, text: str) -> Self:
        """Parse a claim as people type it: `pair 9 + K`, `KK99A`, `four aces` or `a pair and a nine`.

        Raises `Malformed`, or `Ambiguous` if it has several meanings: `pair a 9` is a pair of aces, or one with a nine.
        """
        found = dict.fromkeys(claim for reading in claim_text.readings(text) if (claim := cls._meant(reading)))
        if len(found) > 1:
            raise Ambiguous(text, [str(claim) for claim in found])
        if not found:
            raise Malformed(text)
        return next(iter(found))

    @classmethod
    def _meant(cls, reading: claim_text.Reading) -> Self | None:
        if reading.category is None:
            return cls._of_dice(reading.first) if not reading.then else None
        category, room = Category(reading.category), 2 if reading.category in ("two pair", "full") else 1
        room = 0 if category is Category.HIGH else room
        ranks, others = reading.first[:room], (*reading.first[room:], *reading.then)
        if category is Category.TWO_PAIR:
            ranks = _down(ranks)
        claim = cls(category, ranks, _down(others))
        return claim if claim in rungs() else None

    @classmethod
    def _of_dice(cls, dice: Sequence[int]) -> Self | None:
        """Return the claim that names exactly these dice, one to five of them."""
        grouped = sorted(Counter(dice).items(), key=lambda item: (-item[1], -item[0]))
        counts = tuple(count for _, count in grouped if count > 1)
        faces = tuple(face for face, _ in grouped)
        if set(dice) in (set(range(1, DICE + 1)), set(range(2, DICE + 2))):
            return cls(Category.STRAIGHT, (max(dice),))
        category = next((one for one in Category if one.groups == counts and one is not Category.STRAIGHT), None)
        if category is None or (counts == (DICE,) and len(dice) != DICE):
            return None
        claim = cls(category, faces[: len(counts)], faces[len(counts) :])
        return claim if claim in rungs() else None

    @cached_property
    def key(self) -> tuple[int, ...]:
        """Sort key: category, ranks, other dice high to low; an unnamed die sorts below any other."""
        ranks = (*self.ranks, 0, 0)[:2]
        return (self.category.height, *ranks, *self.kickers, *(0,) * (DICE - len(self.kickers)))

    @property
    def rung(self) -> int:
        """The position on the ladder; `high`, which claims nothing, is rung 0."""
        return rungs()[self]

    def beats(self, other: Claim) -> bool:
        """Tell whether this claim is higher: better or more specific."""
        return self.key > other.key

    def true_of(self, dice: Sequence[int], kickers: Kickers = "monotone") -> bool:
        """Tell whether "the revealed hand is same as or better than the claim".

        In the strict reading named kickers must be among the dice, unless the hand is better without them.
        """
        hand = best(dice)
        if kickers == "monotone" or hand.category is not self.category or not self.kickers:
            return not self.beats(hand)
        ranks = hand.ranks[: len(self.ranks)]
        return ranks > self.ranks or (ranks == self.ranks and set(self.kickers) <= set(hand.kickers))

    def __str__(self) -> str:
        """The notation that `parse` reads: `pair 9 + KQ`, `two pair K`, `KK99A`, `low straight`."""
        if self.category is Category.HIGH:
            return " ".join(filter(None, ("high", letters(self.kickers))))
        if self.category is Category.STRAIGHT:
            return f"{_STRAIGHTS[self.ranks[0]]} straight" if self.ranks else "straight"
        groups = self.category.groups
        if len(self.ranks) == len(groups) and (len(groups) > 1 or groups == (DICE,)):
            named = zip(self.ranks, groups, strict=True)
            return "".join(FACES[rank - 1] * size for rank, size in named) + letters(self.kickers)
        ranked = " ".join(filter(None, (self.category.value, letters(self.ranks))))
        return f"{ranked} + {letters(self.kickers)}" if self.kickers else ranked

    @property
    def words(self) -> str:
        """The claim as people say it: `a pair of nines and a king`."""
        said, kickers = _said(self), [a_face(kicker) for kicker in self.kickers]
        if self.category is Category.HIGH:
            first = f"{NAMES[self.kickers[0] - 1]} high" if self.kickers else "high card"
            return f"{first} with {_all(kickers[1:])}" if kickers[1:] else first
        return f"{said}, {_all(kickers)}" if "," in said and kickers else _all([said, *kickers])


def _said(claim: Claim) -> str:
    """The category and its ranks in words."""
    names = [PLURALS[rank - 1] for rank in claim.ranks]
    match claim.category:
        case Category.PAIR:
            words = " of ".join(["a pair", *names])
        case Category.TWO_PAIR:
            named = f"{names[0]} up" if len(names) == 1 else " and ".join(names)
            words = ", ".join(filter(None, ("two pair", named)))
        case Category.STRAIGHT:
            words = f"a {_STRAIGHTS[claim.ranks[0]]} straight" if names else "a straight"
        case Category.FULL:
            words = ", ".join(filter(None, ("a full house", " over ".join(names))))
        case category:
            words = f"{category.value} {names[0] if names else 'of a kind'}"
    return words


def letters(faces: Iterable[int]) -> str:
    """Return faces as letters: `KK9`."""
    return "".join(FACES[face - 1] for face in faces)


def a_face(face: int) -> str:
    """Return a die in words: `a king`, `an ace`."""
    return f"{'an' if face == ACE else 'a'} {NAMES[face - 1]}"


def _all(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _down(faces: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(faces, reverse=True))


@lru_cache(maxsize=1024)
def best(dice: Sequence[int]) -> Claim:
    """Return the highest true claim about five dice, in any order."""
    return _best(tuple(sorted(dice)))


@cache
def _best(dice: tuple[int, ...]) -> Claim:
    """Return the same for sorted dice; there are 252 such claims."""
    whole = Claim._of_dice(dice) if len(dice) == DICE else None  # noqa: SLF001 - a function of the same notation
    if whole is None:
        raise ValueError(f"{dice} are not five dice")
    return whole


@cache
def ladder() -> tuple[Claim, ...]:
    """Return all claims, lowest first."""
    return tuple(sorted(_possible(), key=lambda claim: claim.key))


@cache
def rungs() -> dict[Claim, int]:
    """Return the rung of each claim."""
    return {claim: rung for rung, claim in enumerate(ladder())}


def _possible() -> Iterator[Claim]:
    """Yield every claim; named kickers differ from each other and from the named ranks."""
    for category in Category:
        for ranks in _ranks(category):
            left = [face for face in range(1, ACE + 1) if face not in ranks]
            for size in range(category.others + 1):
                for kickers in combinations(reversed(left), size):
                    if not (category is Category.HIGH and size == DICE and kickers[0] - kickers[-1] == DICE - 1):
                        yield Claim(category, ranks, kickers)


def _ranks(category: Category) -> Iterator[tuple[int, ...]]:
    """Yield the ranks a claim may name: none, the first or all of them (see `Claim`)."""
    faces = range(1, ACE + 1)
    yield ()
    match category:
        case Category.TWO_PAIR:
            yield from ((top,) for top in faces[1:])
            yield from combinations(reversed(faces), 2)
        case Category.STRAIGHT:
            yield from ((top,) for top in _STRAIGHTS)
        case Category.FULL:
            yield from ((three,) for three in faces)
            yield from permutations(faces, 2)
        case Category.PAIR | Category.THREE | Category.FOUR | Category.FIVE:
            yield from ((face,) for face in faces)
