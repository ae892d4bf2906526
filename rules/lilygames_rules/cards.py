"""Playing cards: suits, cards and packs, and their notation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Self

import attrs

from lilygames_rules.kit import Malformed


class Suit(StrEnum):
    """A suit; hands are sorted in this order: clubs, diamonds, hearts, spades."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def word(self) -> str:
        """The suit in a sentence: `hearts`."""
        return self.name.lower()

    @property
    def symbol(self) -> str:
        """The suit as card makers print it."""
        return _SYMBOLS[self]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the suit for a letter, a symbol or the start of its name; raises `Malformed`."""
        wanted = text.strip().casefold()
        for suit in cls:
            if wanted and (suit.word.startswith(wanted) or wanted == suit.symbol):
                return suit
        raise Malformed(text)


_SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
JACK, QUEEN, KING, ACE = 11, 12, 13, 14
_LETTERS = {JACK: "J", QUEEN: "Q", KING: "K", ACE: "A"}
_WORDS = {JACK: "jack", QUEEN: "queen", KING: "king", ACE: "ace"}
_SUITLESS = {0: "J", 15: "W"}
_SUITLESS_WORDS = {0: "jester", 15: "wizard"}


@attrs.frozen(eq=False)
class Card:
    """A card. A suitless one is Wizard's jester (rank 0) or wizard (rank 15); a jack always carries a suit.

    Each card is a single object, so equal cards are identical and finding one in a hand is fast. Copies of a card from
    several decks are the same object.
    """

    suit: Suit | None
    rank: int

    def __new__(cls, suit: Suit | None, rank: int) -> Card:  # noqa: PYI034 - one object for each card of this very class
        """Return the only object for this card; raises `ValueError` for anything else."""
        if (rank not in _SUITLESS) if suit is None else not 2 <= rank <= ACE:
            raise ValueError(f"no card has suit {suit} and rank {rank}")
        return _KNOWN.setdefault((suit, rank), object.__new__(cls))

    def __reduce__(self) -> tuple[type[Card], tuple[Suit | None, int]]:
        return Card, (self.suit, self.rank)

    def __str__(self) -> str:
        return _TEXTS[self]

    @property
    def mark(self) -> str:
        """The rank as it is written: `10`, `K`, `W`."""
        return _SUITLESS[self.rank] if self.suit is None else _LETTERS.get(self.rank, str(self.rank))

    @property
    def symbols(self) -> str:
        """The card with its suit as a symbol: `K♥`."""
        return _WITH_SYMBOLS[self]

    @property
    def words(self) -> str:
        """The card for a screen reader: `king of hearts`."""
        if self.suit is None:
            return _SUITLESS_WORDS[self.rank]
        return f"{_WORDS.get(self.rank, self.rank)} of {self.suit.word}"

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card that `KH`, `10c`, `TC`, `w` or `jester` names, in any case; raises `Malformed`."""
        card = _NAMED.get(text.strip().upper())
        if card is None:
            raise Malformed(text)
        return card


_KNOWN: dict[tuple[Suit | None, int], Card] = {}
DECK = tuple(Card(suit, rank) for suit in Suit for rank in range(2, ACE + 1))
"""The 52 cards: clubs, diamonds, hearts, spades, each from the two to the ace."""
JESTER, WIZARD = Card(None, 0), Card(None, 15)
_PLACE = {card: place for place, card in enumerate((*DECK, JESTER, WIZARD))}
_TEXTS = {card: f"{card.mark}{card.suit or ''}" for card in _PLACE}
_WITH_SYMBOLS = {card: f"{card.mark}{card.suit.symbol if card.suit else ''}" for card in _PLACE}
in_letters: Callable[[Card], str] = _TEXTS.__getitem__
"""Return a card with its suit as a letter, as `str` does: `KH`."""
in_symbols: Callable[[Card], str] = _WITH_SYMBOLS.__getitem__
"""Return a card with its suit as card makers print it: `K♥`."""
_NAMED = (
    {str(card): card for card in _PLACE}
    | {f"T{suit}": Card(suit, 10) for suit in Suit}
    | {card.symbols: card for card in DECK}
    | {"JESTER": JESTER, "WIZARD": WIZARD}
)


def pack(decks: int) -> tuple[Card, ...]:
    """Return the cards of `decks` decks, unshuffled, one whole deck after the other."""
    return DECK * decks


def sorted_hand(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards by suit (clubs, diamonds, hearts, spades), then by rank, suitless ones last."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards in `2H 10C KS`; raises `Malformed`."""
    return tuple(map(Card.parse, text.split()))
