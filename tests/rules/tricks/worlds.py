"""Secrets common to Ohell and Wizard: another deal that a seat cannot tell from the real one, by the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from lilygames_rules.cards import Card, Suit, sorted_hand
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.tricks.exactbid import Round

_TRIES = 30

Led = Callable[[Sequence[Card]], Suit | None]
"""Return the suit that the next player has to follow, from the cards on the table."""


def dealt_anew(state: Any, seat: Seat | None, pack: Sequence[Card], led: Led, luck: Luck) -> Any:
    """Return the state with the hidden cards dealt again to the same places, or the state itself if that fails.

    A seat knows its own hand. Everything else is public except the other hands and the cards not dealt. But nobody may
    then hold a suit that they did not follow.
    """
    now = state.round
    if now is None:
        return state
    open_cards = [*now.trick, *(card for trick in now.tricks for card in trick.cards)]
    hidden = list(pack)
    for card in (*open_cards, *filter(None, [now.deal.turned]), *(now.hands[seat] if seat is not None else ())):
        hidden.remove(card)
    for _ in range(_TRIES):
        order = list(luck.shuffle(hidden))
        hands = [
            held if other == seat else sorted_hand(order.pop() for _ in held) for other, held in enumerate(now.hands)
        ]
        if not any(_denied(now, other, hand, led) for other, hand in enumerate(hands)):
            return attrs.evolve(state, round=attrs.evolve(now, hands=tuple(hands)))
    return state


def _denied(now: Round, seat: Seat, hand: Sequence[Card], led: Led) -> bool:
    """Return whether the hand has a suit that the seat showed to be void in."""
    order, seats = now.deal.order, len(now.hands)
    tricks = [(trick.leader, trick.cards) for trick in now.tricks]
    if now.trick:
        tricks.append((order[(order.index(now.turn) - len(now.trick)) % seats], now.trick))
    for leader, cards in tricks:
        place = (order.index(seat) - order.index(leader)) % seats
        suit = led(cards[:place])
        thrown = cards[place].suit if place < len(cards) else None
        if None not in (suit, thrown) and thrown != suit and any(card.suit == suit for card in hand):
            return True
    return False
