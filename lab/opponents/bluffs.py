"""Opponents of Liar's Poker with one silly habit: they bid ranks that they don't hold, and go on in a simple way.

`scripts/duel liarspoker lab/opponents/bluffs.py:threes club --seats 2 --option hands=10` is such a match.

`twos` and `threes` bid two or three of a rank that they don't hold whenever they may, and otherwise challenge or stand.
`opens_with_two` does so only to open, and goes on like a novice without mistakes; `club_with_two` goes on like a club.
`raises` bids one digit more of whatever rank was bid. `same_rank` bids only its best rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.games.liarspoker.house import club, naive, number_of
from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import RANKS, Bid
from lilygames_rules.kit import Luck
from lilygames_rules.liarspoker import View


def twos(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Bid two of a rank not held whenever that is legal; else challenge, or stand."""
    return _unheld(view, moves, 2) or _last_word(view, moves, luck)


def threes(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Bid three of a rank not held whenever that is legal; else challenge, or stand."""
    return _unheld(view, moves, 3) or _last_word(view, moves, luck)


def opens_with_two(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Open with two of a rank not held, and go on like a novice without mistakes."""
    return (_opens(view) and _unheld(view, moves, 2)) or naive(view, moves, luck)


def club_with_two(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Open with two of a rank not held, and go on like a club."""
    return (_opens(view) and _unheld(view, moves, 2)) or club(view, moves, luck)


def raises(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Bid one digit more of the rank that was bid, whatever it is; open like a novice, and stand when challenged."""
    auction = view.auction
    if auction is None or auction.bid is None or auction.phase == "rebid":
        return _last_word(view, moves, luck)
    more = Bid(auction.bid.count + 1, auction.bid.rank)
    return more if more in moves else moves[0]


def same_rank(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Bid only the best rank, up to one digit more than held; else challenge, or stand."""
    held, bid = _held(view), view.auction.bid if view.auction else None
    best = max(held, key=held.__getitem__, default=RANKS[0])
    count = max(2, bid.count + (best <= bid.rank) if bid else 2)
    known = count <= held.get(best, 0) + 1 and Bid(count, best) in moves
    return Bid(count, best) if known else _last_word(view, moves, luck)


def _opens(view: View) -> bool:
    return view.auction is not None and view.auction.bid is None


def _held(view: View) -> dict[int, int]:
    """Return how many digits of each rank the seat holds; empty if it has no number."""
    if view.auction is None or view.slip is None:
        return {}
    return {rank: slips.held(number_of(view), rank) for rank in RANKS}


def _unheld(view: View, moves: Sequence[Any], count: int) -> Bid | None:
    """Return the lowest legal bid of so many of a rank that the seat doesn't hold."""
    bids = (Bid(count, rank) for rank, held in _held(view).items() if not held)
    return next((bid for bid in bids if bid in moves), None)


def _last_word(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the challenge, or to stand; the naive bid of someone who opens."""
    return naive(view, moves, luck) if _opens(view) else moves[0]
