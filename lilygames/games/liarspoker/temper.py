"""Tempers of bots in Liar's Poker: how their bids and challenges differ from those of others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import attrs

from lilygames.games.liarspoker import worth
from lilygames.games.liarspoker.house import heard, number_of
from lilygames.house.tempers import in_character
from lilygames_rules.bidding.ladder import RANKS, Bid, Challenge
from lilygames_rules.kit import Luck
from lilygames_rules.liarspoker import View

_DARES, _TALKS = 0.0, 0.15
"""Stakes given away at most: by a bold bot to bid a digit more, and by a talkative one to bid on and not challenge."""
_SLOWS = 2
"""A careful bot makes one opening bid in this many one digit lower."""
_DOUBTS = 8
"""A grumpy bot challenges one bid in this many instead of beating it."""


def change(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    match temper, move:
        case "bold", Bid(count, rank):
            return _instead(view, move, [Bid(count + 1, rank)], moves, _DARES)
        case "talkative", Challenge() if view.auction and view.auction.bid:
            return _instead(view, move, _next(view.auction.bid), moves, _TALKS)
        case (("bold" | "talkative"), _):
            return move
    return _changed_by_luck(temper, view, moves, move, luck)


def _changed_by_luck(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a careful or grumpy bot makes it by luck."""
    standing = view.auction.bid if view.auction else None
    other: Any
    match temper, move:
        case "careful", Bid() if not standing:
            other, often = attrs.evolve(move, count=move.count - 1), _SLOWS
        case "grumpy", Bid():
            other, often = Challenge(), _DOUBTS
        case _:
            return move
    return other if luck.roll(often) == 1 and other in moves else move


def _instead(view: View, move: Any, bids: Sequence[Bid], moves: Sequence[Any], costs: float) -> Any:
    """Return the legal one of these bids that did best in past hands, if the move did better by at most `costs`."""
    auction = view.auction
    if auction is None:
        return move
    own, talk, rules = worth.counted(number_of(view)), heard(view, auction), view.match.options
    value = {one: worth.value(talk, auction, own, rules, one) for one in (move, *bids) if one in moves}
    best = max((one for one in value if one != move), key=value.__getitem__, default=move)
    return best if value[best] >= value[move] - costs else move


def _next(standing: Bid) -> Sequence[Bid]:
    """Return the lowest bid of each rank that beats the standing one."""
    return [Bid(standing.count + (rank <= standing.rank), rank) for rank in RANKS]


IN_CHARACTER = partial(in_character, change)
"""How bots play in character."""
