"""Tempers of bots in Liar's Poker: what they bid and challenge otherwise than others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import attrs

from lilygames.games.liarspoker import worth
from lilygames.games.liarspoker.house import heard, number_of
from lilygames.house.tempers import in_character
from rules.bidding.ladder import RANKS, Auction, Bid, Challenge
from rules.kit import Luck
from rules.liarspoker import View

_DARES = 5
"""A bold bot makes one bid in this many one digit higher."""
_SLOWS = 2
"""A careful bot makes one opening bid in this many one digit lower."""
_DOUBTS = 8
"""A grumpy bot challenges one bid in this many instead of beating it."""
_COSTS = 0.15
"""Stakes that a talkative bot gives away at most to bid on instead of challenging."""


def change(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    match temper, move:
        case "talkative", Challenge() if view.auction and view.auction.bid:
            return _bid_on(view, view.auction, view.auction.bid, moves)
        case "talkative", _:
            return move
    return change_by_luck(temper, view, moves, move, luck)


def change_by_luck(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it, whatever it costs; talkative ones were so in earlier versions."""
    standing = view.auction.bid if view.auction else None
    other: Any
    match temper, move:
        case "bold", Bid():
            other, often = attrs.evolve(move, count=move.count + 1), _DARES
        case "careful", Bid() if not standing:
            other, often = attrs.evolve(move, count=move.count - 1), _SLOWS
        case "grumpy", Bid():
            other, often = Challenge(), _DOUBTS
        case "talkative", Challenge() if standing:
            other, often = attrs.evolve(standing, count=standing.count + 1), _DOUBTS
        case _:
            return move
    return other if luck.roll(often) == 1 and other in moves else move


def _bid_on(view: View, auction: Auction, standing: Bid, moves: Sequence[Any]) -> Bid | Challenge:
    """Return the next bid that did best in past hands, if a challenge did little better."""
    own, talk, rules = worth.counted(number_of(view)), heard(view, auction), view.match.options
    value = {move: worth.value(talk, auction, own, rules, move) for move in _next(standing) if move in moves}
    best = max(value, key=value.__getitem__, default=None)
    challenge = worth.value(talk, auction, own, rules, Challenge())
    return best if best and value[best] >= challenge - _COSTS else Challenge()


def _next(standing: Bid) -> Sequence[Bid]:
    """Return the lowest bid of each rank that beats the standing one."""
    return [Bid(standing.count + (rank <= standing.rank), rank) for rank in RANKS]


IN_CHARACTER = partial(in_character, change)
