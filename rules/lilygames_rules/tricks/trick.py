"""Tricks: the suit led, the cards that may follow, the winning card, and identical cards from several decks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal

from lilygames_rules.cards import DECK, JESTER, WIZARD, Card, Suit

Dupes = Literal["cancel-pair", "cancel-trick", "first", "last"]
"""The effect of identical cards in one trick."""

_TRUMP, _CROWN = 100, 200


def led_suit(trick: Sequence[Card]) -> Suit | None:
    """Return the suit to follow: the first card's, skipping jesters; None if a wizard comes before any suit."""
    for card in trick:
        if card.suit is not None or card is WIZARD:
            return card.suit
    return None


def playable(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Card, ...]:
    """Return the legal cards of a sorted hand.

    A player must follow the suit led if they can. Suitless cards, which are sorted last, are always legal.
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
    """Return the rank of a card within its trick, 0 if it can't win.

    The crowned card (a super-trump or a wizard) beats all others, then come trumps, then the suit led.
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
    """Return the position of the winning card, None if identical cards cancelled the trick.

    If all cards are jesters, the first one wins. Raises `ValueError` for an empty trick.
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


def cancelled(trick: Sequence[Card], dupes: Dupes) -> tuple[int, ...]:
    """Return the positions of the cards that identical ones have cancelled so far."""
    if dupes != "cancel-pair":
        return ()
    return tuple(place for place in range(len(trick)) if not _stands(trick, place))


def _stands(trick: Sequence[Card], place: int) -> bool:
    """Tell whether a card survives when pairs of identical cards cancel; of an odd number, the last one played does."""
    card = trick[place]
    return trick.count(card) % 2 == 1 and card not in trick[place + 1 :]
