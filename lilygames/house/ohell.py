"""House players for Ohell: each a function from what its seat may know to a move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.game import Strategy
from rules.cards import Card, pack
from rules.exactbid import Bid, Play, Sight
from rules.hidden import unseen
from rules.kit import Luck
from rules.ohell import View
from rules.tricks import strength, winning

_PLEASANT = 7
"""Cards in the largest hand of a game that is neither over at once nor goes on all night."""
_SLIP = 20
"""One card in so many a novice plays without thinking."""
_CROWDED, _GROWTH = 1.6, 1 / 3
"""How the risk that another hand beats a card grows with the cards dealt; chosen by playing novices together."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: bid what the cards look worth, take tricks while they are needed, else duck."""
    now = view.round
    if now is None:
        return min(moves, key=lambda move: abs(move.cards - _PLEASANT))
    if isinstance(moves[0], Bid):
        worth = tricks_worth(view, now)
        return min(moves, key=lambda move: abs(move.tricks - worth))
    if luck.roll(_SLIP) == 1:
        return luck.choice(moves)
    return Play(_card(view, now, [move.card for move in moves]))


def tricks_worth(view: View, now: Sight) -> float:
    """Return how many tricks the hand looks worth: each card counts as often as no other hand should beat it."""
    hidden = unseen(now, pack(view.match.decks))
    others = view.match.seats - 1
    return sum(math.pow(_chance(card, now, hidden), others) for card in now.hand)


def _chance(card: Card, now: Sight, hidden: Sequence[Card]) -> float:
    """How likely one other hand leaves the card its trick, if its suit is led; of four trumps one gets to ruff it."""
    trump, crowned = now.deal.trump, now.deal.crowned
    ours = strength(card, card.suit, trump, crowned)
    above = [other for other in hidden if strength(other, card.suit, trump, crowned) > ours]
    ruffs = sum(1 for other in above if other.suit is not card.suit)
    share = (len(above) - ruffs * 3 / 4) / len(hidden)
    return 1 - min(1, share * _CROWDED * math.pow(now.deal.cards, _GROWTH))


def _card(view: View, now: Sight, cards: Sequence[Card]) -> Card:
    """Win while tricks are needed, as cheaply as the last to play can; else lose with the highest card that does."""
    seat = view.seat or 0
    needed = (now.bids[seat] or 0) - now.taken[seat]
    ranked = sorted(cards, key=lambda card: _danger(card, now))
    takers = [card for card in ranked if _takes(card, now)]
    losers = [card for card in ranked if card not in takers]
    last = len(now.trick) == view.match.seats - 1
    if needed > 0:
        return (takers[0] if last else takers[-1]) if takers else losers[0]
    if losers:
        return losers[-1]
    return takers[-1] if last else takers[0]


def _danger(card: Card, now: Sight) -> int:
    """How likely the card takes tricks that nobody asked for: its rank, or more than any rank for a trump."""
    return strength(card, card.suit, now.deal.trump, now.deal.crowned)


def _takes(card: Card, now: Sight) -> bool:
    """Whether the card wins the trick as it lies."""
    trick = (*now.trick, card)
    return winning(trick, now.deal.trump, now.deal.crowned, now.deal.dupes) == len(now.trick)


LEVELS: Mapping[str, Strategy] = {"novice": novice}
"""The house players of Ohell by level."""
