"""Parts of the lessons of trick games: deals written as text, and cards in the coach's sentences."""

from __future__ import annotations

from lilygames.game import Reader
from lilygames.games.families.cards.words import cards_in
from lilygames.text import Voice
from lilygames_rules.cards import Card, cards


def dealt(turned: str, *hands: str) -> tuple[Card, ...]:
    """Return the first cards of a pack that deal these hands, from the dealer's left, and turn up this card."""
    rounds = zip(*map(cards, hands), strict=True)
    return (*(card for each in rounds for card in each), *cards(turned))


def shown(text: str, voice: Voice) -> str:
    """Return cards, as they are typed, in a voice."""
    return cards_in(cards(text), Reader(None, (), voice))
