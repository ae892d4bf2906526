"""Cards as a reader likes them, for the bots of all card games."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import by_suit
from rules.cards import Card


def card_in(card: Card, reader: Reader) -> str:
    """Return the card as the reader likes it: `KS`, `K♠` or `spades king`."""
    if reader.voice.spoken:
        return by_suit([card])
    return card.symbols if reader.voice.suits == "symbols" else str(card)


def cards_in(cards: Sequence[Card], reader: Reader) -> str:
    """Return cards side by side, with commas where they are spoken."""
    return (", " if reader.voice.spoken else " ").join(card_in(card, reader) for card in cards)
