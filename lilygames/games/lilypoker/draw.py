"""Five cards before the draw: what to throw of them, and how good they are among all hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from rules.cards import JACK, Card
from rules.poker import hands
from rules.poker.hands import Kind

_MADE = {Kind.PAIR: 2, Kind.TWO_PAIR: 4, Kind.TRIPS: 3}
"""How many cards of a hand that may get better make it what it is."""
_FOUR, _SPREAD = 4, 4
"""Cards that lack one for a straight or flush, and how far apart they may lie for a straight open at both ends."""
_WAYS = {Kind.STRAIGHT_FLUSH: 4, Kind.QUADS: 4, Kind.FULL_HOUSE: 24, Kind.FLUSH: 4, Kind.TRIPS: 64, Kind.STRAIGHT: 1020}
"""In how many ways a hand of a kind may have its ranks; the others are 1,020, 384 and 144."""
_MORE_WAYS = {Kind.HIGH_CARD: 1020, Kind.PAIR: 384, Kind.TWO_PAIR: 144}
_REMEMBERED = 1 << 15
"""Of how many hands it is remembered what they are worth."""


@lru_cache(_REMEMBERED)
def thrown(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that make nothing: all but the pairs and the like, a four-card draw, or two high cards."""
    worth = hands.worth(hand)
    if worth.kind in _MADE:
        times = Counter(card.rank for card in hand)
        return tuple(card for card in hand if times[card.rank] == 1)
    if worth.kind > Kind.TRIPS:
        return ()
    return lone(hand) or hands.by_rank(hand)[2:]


def lone(hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the card without which four are nearly a straight or flush, none where no four are."""
    for card in hand:
        if _nearly([other for other in hand if other is not card]):
            return (card,)
    return ()


def _nearly(four: Sequence[Card]) -> bool:
    """Whether four cards make a flush but for one, or a straight open at both ends."""
    one, two, three, last = four
    if one.suit is two.suit is three.suit is last.suit:
        return True
    ranks = {one.rank, two.rank, three.rank, last.rank}
    return len(ranks) == _FOUR and max(ranks) - min(ranks) < _SPREAD


@cache
def _worse() -> tuple[float, ...]:
    """Return the share of all hands that are worse, by the place of a hand among the classes."""
    ways = {**_WAYS, **_MORE_WAYS}
    counts = [ways[worth.kind] for worth in hands.classes()]
    total, below, found = sum(counts), 0, []
    for count in counts:
        found.append(below / total)
        below += count
    return tuple(found)


@cache
def as_good_as() -> float:
    """Return how good a hand that lacks a card for a straight or flush is: about as good as a pair of queens."""
    return next(
        _worse()[place]
        for place, worth in enumerate(hands.classes())
        if worth.kind is Kind.PAIR and worth.ranks[0] >= JACK
    )


@lru_cache(_REMEMBERED)
def value(hand: tuple[Card, ...]) -> float:
    """Return the share of hands that are worse before the draw, those with a good draw being better than they look."""
    place = hands.strength(hand)
    good = _worse()[place]
    nearly = hands.classes()[place].kind <= Kind.PAIR and good < as_good_as() and lone(hand)
    return as_good_as() if nearly else good
