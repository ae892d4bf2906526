"""Tempers of bots in the games of exact bids: bold ones bid more, careful ones less.

Grumpy ones get it over with: they lead their strongest card early. Talkative ones play like others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from lilygames.house.tempers import in_character
from rules.cards import Card
from rules.kit import Luck, Seat
from rules.tricks.exactbid import Bid, Play, Sight
from rules.tricks.trick import strength

_DARES = 5
"""A bold bot bids one trick more in one bid of this many, and a careful one bids one trick less."""
_HURRIES = 3
"""A grumpy bot that needs tricks leads its strongest card in one lead of this many."""


def change(temper: str, view: Any, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    match temper, move:
        case "bold", Bid(tricks):
            return _now_and_then(Bid(tricks + 1), moves, move, luck)
        case "careful", Bid(tricks):
            return _now_and_then(Bid(tricks - 1), moves, move, luck)
        case "grumpy", Play() if _leads_for_tricks(view.round, view.seat) and luck.roll(_HURRIES) == 1:
            return max(moves, key=lambda one: _power(one.card, view.round))
    return move


def _now_and_then(other: Bid, moves: Sequence[Any], move: Bid, luck: Luck) -> Bid:
    """Return the other bid once in a while, if it is legal."""
    return other if luck.roll(_DARES) == 1 and other in moves else move


def _leads_for_tricks(now: Sight, seat: Seat) -> bool:
    """Tell whether the seat leads a trick while it still needs one."""
    return not now.trick and now.taken[seat] < (now.bids[seat] or 0)


def _power(card: Card, now: Sight) -> int:
    return strength(card, card.suit, now.deal.trump, now.deal.crowned)


IN_CHARACTER = partial(in_character, change)
