"""Write cards, moves and a deal of an exact-bid game as OpenSpiel's `oh_hell` does.

OpenSpiel plays one round with a random dealer, but always deals from its first player. It numbers cards by rank and
then suit, and bids from 52 up. Its players sit in our order of play.
"""

from __future__ import annotations

from typing import Any

from lilygames_rules.cards import DECK, Card
from lilygames_rules.tricks.exactbid import Bid, Play, Round

BIDS = len(DECK)
"""The number of the bid 0."""


def number_of(card: Card) -> int:
    """Return OpenSpiel's number of a card: rank by rank, in each clubs, diamonds, spades, hearts."""
    return (card.rank - 2) * 4 + "CDSH".index(str(card.suit))


def action_of(move: Bid | Play) -> int:
    """Return OpenSpiel's number of a move."""
    return BIDS + move.tricks if isinstance(move, Bid) else number_of(move.card)


def theirs(game: Any, now: Round) -> Any:
    """Return a round that has just been dealt in OpenSpiel: tricks, dealer, cards one at a time, trump card."""
    state = game.new_initial_state()
    order = now.deal.order
    cards = [number_of(card) for turn in zip(*(now.hands[seat] for seat in order), strict=True) for card in turn]
    for action in (now.deal.cards, order.index(now.deal.dealer), *cards, number_of(now.deal.turned)):
        state.apply_action(action)
    return state
