"""The second world of Ohell: what could be otherwise without a seat knowing, from the rules and not from the code."""

from __future__ import annotations

from typing import Any

import attrs

from rules.cards import pack, sorted_hand
from rules.exactbid import Round
from rules.kit import Luck, Seat

_TRIES = 30


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state for which all that `seat` may know holds as well.

    A seat knows its own hand; everything else is public except the other hands and the cards not dealt. So the hidden
    cards are dealt anew to the same places, unless somebody would then hold a suit that it did not follow.
    """
    now = state.round
    if now is None:
        return state
    open_cards = [*now.trick, now.deal.turned, *(card for trick in now.tricks for card in trick.cards)]
    hidden = list(pack(state.match.decks))
    for card in (*open_cards, *(now.hands[seat] if seat is not None else ())):
        hidden.remove(card)
    for _ in range(_TRIES):
        order = list(luck.shuffle(hidden))
        hands = [
            held if other == seat else sorted_hand(order.pop() for _ in held) for other, held in enumerate(now.hands)
        ]
        if not any(_denied(now, other, hand) for other, hand in enumerate(hands)):
            return attrs.evolve(state, round=attrs.evolve(now, hands=tuple(hands)))
    return state


def _denied(now: Round, seat: Seat, hand: Any) -> bool:
    """Tell whether the hand has a suit which the seat, by discarding, has denied to hold."""
    seats = len(now.hands)
    tricks = [(trick.leader, trick.cards) for trick in now.tricks]
    if now.trick:
        tricks.append(((now.turn - len(now.trick)) % seats, now.trick))
    for leader, cards in tricks:
        place = (seat - leader) % seats
        if place < len(cards) and cards[place].suit != cards[0].suit and any(c.suit == cards[0].suit for c in hand):
            return True
    return False
