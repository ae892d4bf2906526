"""Poker hands: the best five of up to seven cards, as one of 7,462 classes from seven high to the royal flush.

Standard high poker: the ace is also low in A2345, and suits never break a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations, permutations

import attrs

from lilygames_rules.cards import ACE, DECK, Card, Suit

FIVE = 5
RANKS = range(2, ACE + 1)
_WHEEL = (5, 4, 3, 2, ACE)


class Kind(IntEnum):
    """Kinds of hand, from worst to best."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


_SINGULARS = ("", "", *"two three four five six seven eight nine ten jack queen king ace".split())
_PLURALS = ("", "", *"twos threes fours fives sixes sevens eights nines tens jacks queens kings aces".split())
_WORDS = {
    Kind.HIGH_CARD: "{0} high",
    Kind.PAIR: "a pair of {0}",
    Kind.TWO_PAIR: "two pair, {0} and {1}",
    Kind.TRIPS: "three {0}",
    Kind.STRAIGHT: "a straight to the {0}",
    Kind.FLUSH: "a flush, {0} high",
    Kind.FULL_HOUSE: "a full house, {0} over {1}",
    Kind.QUADS: "four {0}",
    Kind.STRAIGHT_FLUSH: "a straight flush to the {0}",
}
_HIGH = {Kind.HIGH_CARD, Kind.STRAIGHT, Kind.FLUSH, Kind.STRAIGHT_FLUSH}
"""Kinds named by a single card, not by cards of one rank."""
_SHAPES = {
    Kind.PAIR: (2, 1, 1, 1),
    Kind.TWO_PAIR: (2, 2, 1),
    Kind.TRIPS: (3, 1, 1),
    Kind.FULL_HOUSE: (3, 2),
    Kind.QUADS: (4, 1),
}
"""Number of cards of each rank in a kind, most important rank first."""


@attrs.frozen
class Worth:
    """The value of a hand: its kind, and its ranks by importance: two pair A 8 5 is (14, 8, 5)."""

    kind: Kind
    ranks: tuple[int, ...]

    @property
    def words(self) -> str:
        """The hand in words: `two pair, aces and eights`."""
        if self.kind is Kind.STRAIGHT_FLUSH and self.ranks[0] == ACE:
            return "a royal flush"
        names = _SINGULARS if self.kind in _HIGH else _PLURALS
        return _WORDS[self.kind].format(*(names[rank] for rank in self.ranks))


def _straights() -> Iterator[tuple[int, ...]]:
    """Yield the ten straights from A2345 up; the ace is low in the first and high in the last."""
    yield _WHEEL
    for top in range(6, ACE + 1):
        yield tuple(range(top, top - FIVE, -1))


def _unpaired() -> Iterator[tuple[int, ...]]:
    """Yield five different ranks that aren't a straight, highest rank first, worst hand first."""
    straights = {frozenset(ranks) for ranks in _straights()}
    yield from sorted(ranks for ranks in combinations(reversed(RANKS), FIVE) if frozenset(ranks) not in straights)


def _of_shape(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the ranks of each hand with this pattern of repeated ranks, worst first."""
    for ranks in permutations(RANKS, len(shape)):
        groups = list(zip(shape, ranks, strict=True))
        if groups == sorted(groups, reverse=True):
            yield ranks


@cache
def classes() -> tuple[Worth, ...]:
    """Return all hand values, from worst to best: 7,462 classes."""
    ranks: dict[Kind, Iterable[tuple[int, ...]]] = {
        Kind.HIGH_CARD: _unpaired(),
        Kind.STRAIGHT: _straights(),
        Kind.FLUSH: _unpaired(),
        Kind.STRAIGHT_FLUSH: _straights(),
    }
    return tuple(Worth(kind, one) for kind in Kind for one in ranks.get(kind) or _of_shape(_SHAPES[kind]))


def rank_weight(rank: int) -> int:
    """Return a weight per rank; the sum over up to seven cards tells how many cards of each rank there are."""
    return 1 << 3 * rank


def _all_ranks(worth: Worth) -> tuple[int, ...]:
    times = _SHAPES.get(worth.kind, (1,) * FIVE)
    return tuple(rank for rank, often in zip(worth.ranks, times, strict=True) for _ in range(often))


@cache
def _tables() -> tuple[dict[int, int], dict[int, int]]:
    """Return tables from the weight of five cards to their class: for mixed suits, and for one suit."""
    mixed: dict[int, int] = {}
    suited: dict[int, int] = {}
    for place, worth in enumerate(classes()):
        one_suit = worth.kind in (Kind.FLUSH, Kind.STRAIGHT_FLUSH)
        (suited if one_suit else mixed)[sum(map(rank_weight, _all_ranks(worth)))] = place
    return mixed, suited


@cache
def _best(weight: int, suited: bool) -> int:  # noqa: FBT001 - selects one of two tables
    """Return the class of the best five among five to seven cards of that weight."""
    of_five = _tables()[suited].get(weight)
    if of_five is not None:
        return of_five
    return max(_best(weight - rank_weight(rank), suited) for rank in RANKS if weight >> 3 * rank & 7)


_SUITS_FROM, _CARDS_FROM = 48, 64
"""First bits of the suits in a card's weight, three bits per suit, and of the card itself; the rank is below."""
_RANK_BITS, _SUIT_BITS, _SUITED = (1 << _SUITS_FROM) - 1, (1 << _CARDS_FROM - _SUITS_FROM) - 1, (1 << len(RANKS)) - 1


def _weight(place: int, card: Card) -> int:
    return rank_weight(card.rank) | 1 << _SUITS_FROM + 3 * (place // len(RANKS)) | 1 << _CARDS_FROM + place


WEIGHTS: Mapping[Card, int] = {card: _weight(place, card) for place, card in enumerate(DECK)}
"""A weight per card; the sum over a hand tells its ranks, how many cards it has of each suit, and which."""


@cache
def _flush(suits: int) -> int | None:
    """Return the place of the suit of five or more of the cards, None if there isn't one."""
    return next((place for place in range(len(Suit)) if suits >> 3 * place & 7 >= FIVE), None)


@cache
def _of_suit(cards: int) -> int:
    """Return the class of a flush; bits tell which cards of its suit the hand has."""
    weight = sum(rank_weight(card.rank) for place, card in enumerate(DECK[: len(RANKS)]) if cards >> place & 1)
    return _best(weight, True)  # noqa: FBT003 - see _best


def strength_by_weight(weight: int) -> int:
    """Return the strength of five to seven cards by the sum of their `WEIGHTS`: an index into `classes()`."""
    place, suit = _best(weight & _RANK_BITS, False), _flush(weight >> _SUITS_FROM & _SUIT_BITS)  # noqa: FBT003 - see _best
    if suit is None:
        return place
    return max(place, _of_suit(weight >> _CARDS_FROM + len(RANKS) * suit & _SUITED))


def strength(cards: Sequence[Card]) -> int:
    """Return the strength of five to seven cards: an index into `classes()`, higher is better.

    Raises `ValueError` for any other number of cards.
    """
    if not FIVE <= len(cards) <= 7:
        raise ValueError(f"a hand has 5 to 7 cards, not {len(cards)}")
    return strength_by_weight(sum(map(WEIGHTS.__getitem__, cards)))


def worth(cards: Sequence[Card]) -> Worth:
    """Return the value of five to seven cards; raises `ValueError` for any other number."""
    return classes()[strength(cards)]


def unsuited(weight: int) -> int:
    """Return the strength of five to seven cards by the sum of their ranks' weights, if no flush counts."""
    return _best(weight, False)  # noqa: FBT003 - see _best


def suited(weight: int) -> int:
    """Return the strength of five to seven cards of one suit by the sum of their ranks' weights."""
    return _best(weight, True)  # noqa: FBT003 - see _best


def showing(cards: Iterable[Card]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sort key of up to four visible cards: pairs and the like, then high cards.

    Compare only equal numbers of cards. Straights and flushes don't count.
    """
    counted = Counter(card.rank for card in cards)
    often = sorted(((times, rank) for rank, times in counted.items()), reverse=True)
    return tuple(times for times, _ in often), tuple(rank for _, rank in often)


_PLACES = {card: place for place, card in enumerate(sorted(DECK, key=lambda card: (card.rank, card.suit)))}
by_rank_and_suit = _PLACES.__getitem__
"""Sort key from the two of clubs to the ace of spades: by rank, then suit from clubs up."""


def by_rank(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards sorted from high to low, spades first within a rank."""
    return tuple(sorted(cards, key=by_rank_and_suit, reverse=True))
