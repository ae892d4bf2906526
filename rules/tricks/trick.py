"""Tricks: which suit is led, who has to follow, which card wins, and what identical cards do to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal

from rules.cards import DECK, JESTER, WIZARD, Card, Suit

Dupes = Literal["cancel-pair", "cancel-trick", "first", "last"]
"""What happens when identical cards of several decks meet in a trick."""

_TRUMP, _CROWN = 100, 200


def led_suit(trick: Sequence[Card]) -> Suit | None:
    """Return the suit of the first card; jesters leave it to the next card, a wizard before any suit leaves none."""
    for card in trick:
        if card.suit is not None or card is WIZARD:
            return card.suit
    return None


def playable(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a sorted hand that may be played.

    Who has the suit led must follow it; suitless cards, which are sorted last, may always be played.
    """
    led = trick and (trick[0].suit or led_suit(trick))
    if not led:
        return hand
    fitting = []
    for card in hand:
        if card.suit is led:
            fitting.append(card)  # noqa: PERF401 - a comprehension is a call, dearer than so few cards
    if not fitting:
        return hand
    if hand[-1].suit is None:
        fitting += [card for card in hand if card.suit is None]
    return tuple(fitting)


def strength(card: Card, led: Suit | None, trump: Suit | None, crowned: Card | None) -> int:
    """Return how high a card stands in its trick, 0 for one that cannot win.

    The crowned card (a super-trump, a wizard) beats any other, a trump any but a higher trump, then the suit led.
    """
    if card is crowned:
        return _CROWN
    if card.suit is trump and trump is not None:
        return _TRUMP + card.rank
    return card.rank if card.suit is led else 0


@cache
def _strengths(led: Suit | None, trump: Suit | None, crowned: Card | None) -> Callable[[Card], int]:
    return {card: strength(card, led, trump, crowned) for card in (*DECK, JESTER, WIZARD)}.__getitem__


def winning(
    trick: Sequence[Card], trump: Suit | None, crowned: Card | None = None, dupes: Dupes = "first"
) -> int | None:
    """Return the place in the trick of the card that wins it, None where identical cards have cancelled the trick.

    A trick of jesters only goes to the first. Raises `ValueError` for a trick without cards.
    """
    led = led_suit(trick)
    strengths = list(map(_strengths(led, trump, crowned), trick))
    if dupes == "first" or len(set(trick)) == len(trick):
        return strengths.index(max(strengths))
    return _among_copies(trick, strengths, led, dupes)


def _among_copies(trick: Sequence[Card], strengths: list[int], led: Suit | None, dupes: Dupes) -> int | None:
    if dupes == "cancel-pair":
        strengths = [strong if _stands(trick, place) else 0 for place, strong in enumerate(strengths)]
    best = max(strengths)
    if best == 0:
        return 0 if led is None else None
    if dupes == "cancel-trick" and strengths.count(best) > 1:
        return None
    if dupes == "last":
        return len(strengths) - 1 - strengths[::-1].index(best)
    return strengths.index(best)


def _stands(trick: Sequence[Card], place: int) -> bool:
    """Tell whether a card is left when each two identical copies cancel: of an odd number the last one played is."""
    card = trick[place]
    return trick.count(card) % 2 == 1 and card not in trick[place + 1 :]
