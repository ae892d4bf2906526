"""Moves of Liar's Poker that are odd enough to ask about first: /set confirm."""

from __future__ import annotations

from typing import Any

from lilygames.games.liarspoker.house import chance, number_of
from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import Auction, Bid, Challenge, rank_words
from lilygames_rules.liarspoker import View

_RARE = 0.01
"""Chance below which a bid is odd."""


def doubt(view: View, move: Any) -> str:
    """Return why a move is odd: the seat's own digits make the bid true, or make it next to impossible."""
    auction, number = view.auction, number_of(view) if view.auction else ""
    if auction is None or not number:
        return ""
    match move:
        case Challenge() if auction.bid and slips.held(number, auction.bid.rank) >= auction.bid.count:
            return f"You hold {_held(number, auction.bid.rank)} yourself, so this bid is true."
        case Bid(count, rank):
            others = slips.LONG * (len(auction.players) - 1)
            missing = count - slips.held(number, rank)
            holding = f"You hold {_held(number, rank)}, so the others need {missing} among {others} digits"
            if missing > others:
                return f"{holding}. That is impossible."
            if chance(missing, others) < _RARE and not _is_next(auction, move):
                return f"{holding}. That happens less than 1 time in 100."
    return ""


def _is_next(auction: Auction, bid: Bid) -> bool:
    """Tell whether someone has already bid this rank, and the bid is at most one more: their digits may be there."""
    others = [call.bid for call in auction.calls if call.bid and call.seat != auction.turn]
    return any(bid.rank == other.rank and bid.count <= other.count + 1 for other in others)


def _held(number: str, rank: int) -> str:
    """Return how many digits of a rank a number has, in words: `2 sevens`."""
    held = slips.held(number, rank)
    return f"{held or 'no'} {rank_words(rank, held)}"
