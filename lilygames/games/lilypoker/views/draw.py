"""Five-card draw: the cards to discard, and the strength of a hand before the draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from lilygames_rules.cards import JACK, Card
from lilygames_rules.poker import hands
from lilygames_rules.poker.hands import Kind

_MADE = {Kind.PAIR: 2, Kind.TWO_PAIR: 4, Kind.TRIPS: 3}
"""Cards that make each kind of hand; the rest can be exchanged."""
_FOUR, _SPREAD = 4, 4
"""Cards in a four-card draw, and their span in an open-ended straight draw."""
_WAYS = {Kind.STRAIGHT_FLUSH: 4, Kind.QUADS: 4, Kind.FULL_HOUSE: 24, Kind.FLUSH: 4, Kind.TRIPS: 64, Kind.STRAIGHT: 1020}
"""Suit combinations per rank pattern of each kind; for the others 1,020, 384 and 144."""
_MORE_WAYS = {Kind.HIGH_CARD: 1020, Kind.PAIR: 384, Kind.TWO_PAIR: 144}
_REMEMBERED = 1 << 14
"""Hands whose strengths are kept, 4 MB: room for the 12,000 sampled ones that a search looks at again and again."""


@lru_cache(_REMEMBERED)
def thrown(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards to discard: all but pairs and the like, a four-card draw, or two high cards."""
    worth = hands.worth(hand)
    if worth.kind in _MADE:
        times = Counter(card.rank for card in hand)
        return tuple(card for card in hand if times[card.rank] == 1)
    if worth.kind > Kind.TRIPS:
        return ()
    return lone(hand) or hands.by_rank(hand)[2:]


def advised(hand: tuple[Card, ...], most: int) -> tuple[Card, ...]:
    """Return the cards to discard, highest first: the lowest of those that `thrown` names, up to a maximum."""
    return hands.by_rank(sorted(thrown(hand), key=lambda card: card.rank)[:most])


def lone(hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the card outside a four-card straight or flush draw; empty without a draw."""
    for card in hand:
        if _nearly([other for other in hand if other is not card]):
            return (card,)
    return ()


def _nearly(four: Sequence[Card]) -> bool:
    """Tell whether four cards are a flush draw or an open-ended straight draw."""
    one, two, three, last = four
    if one.suit is two.suit is three.suit is last.suit:
        return True
    ranks = {one.rank, two.rank, three.rank, last.rank}
    return len(ranks) == _FOUR and max(ranks) - min(ranks) < _SPREAD


@cache
def below() -> tuple[float, ...]:
    """Return the share of worse hands, by the hand's class."""
    ways = {**_WAYS, **_MORE_WAYS}
    counts = [ways[worth.kind] for worth in hands.classes()]
    total, below, found = sum(counts), 0, []
    for count in counts:
        found.append(below / total)
        below += count
    return tuple(found)


@cache
def as_good_as() -> float:
    """Return the strength of a four-card draw: about that of a pair of queens."""
    return next(
        below()[place]
        for place, worth in enumerate(hands.classes())
        if worth.kind is Kind.PAIR and worth.ranks[0] >= JACK
    )


@lru_cache(_REMEMBERED)
def value(hand: tuple[Card, ...]) -> float:
    """Return the share of worse hands before the draw; good draws count for more than their cards."""
    place = hands.strength(hand)
    good = below()[place]
    nearly = hands.classes()[place].kind <= Kind.PAIR and good < as_good_as() and lone(hand)
    return as_good_as() if nearly else good
