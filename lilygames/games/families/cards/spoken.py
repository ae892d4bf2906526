"""Spoken cards for trick-taking games: the suit first, and once for all cards of that suit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from lilygames_rules.cards import Card

RANKS = (
    *("jester", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace", "wizard"),
)
"""Ranks in words, by number."""


def rank(card: Card) -> str:
    """Return the rank in words: `five`, `king`."""
    return RANKS[card.rank]


def by_suit(cards: Sequence[Card]) -> str:
    """Return cards by suit: `clubs king`, `clubs five, king; hearts ace; wizard`."""
    return _by_suit((card, rank(card)) for card in cards)


def numbered(cards: Sequence[Card]) -> str:
    """Return numbered cards by suit: `clubs 1 five, 2 king; hearts 3 ace`."""
    return _by_suit((card, f"{number} {rank(card)}") for number, card in enumerate(cards, 1))


def _by_suit(worded: Iterable[tuple[Card, str]]) -> str:
    suits = groupby(worded, key=lambda pair: pair[0].suit)
    held = ((suit, ", ".join(words for _, words in group)) for suit, group in suits)
    return "; ".join(f"{suit.word} {words}" if suit else words for suit, words in held)
