"""Cards in the notation that a reader prefers."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import by_suit
from rules.cards import Card


def card_in(card: Card, reader: Reader) -> str:
    """Return the card in the reader's notation: `KS`, `K♠` or `spades king`."""
    if reader.voice.spoken:
        return by_suit([card])
    return card.symbols if reader.voice.suits == "symbols" else str(card)


def cards_in(cards: Sequence[Card], reader: Reader) -> str:
    """Return cards in a row, with commas in reader mode."""
    return (", " if reader.voice.spoken else " ").join(card_in(card, reader) for card in cards)
