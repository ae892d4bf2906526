"""Spoken cards for trick-taking games: the suit first, and once for all cards of that suit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lilygames_rules.cards import Card, Suit

RANKS = (
    *("jester", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace", "wizard"),
)
"""Ranks in words, by number."""


def rank(card: Card) -> str:
    """Return the rank in words: `five`, `king`."""
    return RANKS[card.rank]


def named(card: Card, said: Suit | None = None) -> str:
    """Return a card: `clubs five`, `a wizard`, or `the five` if its suit has just been said."""
    if card.suit is None:
        return f"a {rank(card)}"
    return f"the {rank(card)}" if card.suit is said else by_suit([card])


def by_suit(cards: Sequence[Card]) -> str:
    """Return cards by suit: `clubs king`, `clubs five, king; hearts ace; wizard`."""
    suits = groupby(cards, key=lambda card: card.suit)
    held = ((suit, ", ".join(map(rank, group))) for suit, group in suits)
    return "; ".join(f"{suit.word} {words}" if suit else words for suit, words in held)
