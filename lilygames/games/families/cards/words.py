"""Cards in the notation that a reader prefers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lilygames.game import Reader
from lilygames.games.families.cards.spoken import by_suit
from lilygames_rules.cards import Card, in_letters, in_symbols


def notation(reader: Reader) -> Callable[[Card], str]:
    """Return the function that writes a card in the reader's notation: `KS`, `K♠` or `spades king`."""
    if reader.voice.spoken:
        return _spoken
    return in_symbols if reader.voice.suits == "symbols" else in_letters


def _spoken(card: Card) -> str:
    return by_suit([card])


def card_in(card: Card, reader: Reader) -> str:
    """Return the card in the reader's notation."""
    return notation(reader)(card)


def cards_in(cards: Sequence[Card], reader: Reader) -> str:
    """Return cards in a row, with commas in reader mode."""
    return (", " if reader.voice.spoken else " ").join(map(notation(reader), cards))
