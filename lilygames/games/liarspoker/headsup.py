"""Mixed play of Liar's Poker for two, so that bids tell little about the digits behind them.

`lab/solve-liarspoker` lets the strategy play against itself and adds up what it regrets (Monte Carlo CFR). It knows
a position only by what matters most: the standing bid, its own digits of that rank and of its best other one, and the
last ranks. It also knows whether a lower bid of the rank would have done. Moves that differ only in the rank are one
kind of move; the rank is drawn. The table has how often to make which kind of move. It is about the usual scoring.
Positions that it doesn't know are left to the values of past hands (`worth`).

The file is compressed by zlib, and has one byte for each number: the key of a position, how many kinds of moves there
are, and each kind with its share.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import attrs

from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import RANKS, Auction, Bid
from lilygames_rules.bidding.stakes import SIX, Options

Kind = int
Key = tuple[int, ...]
Rung = tuple[int, int]
"""A count and a rank."""
WIDTH = 10
"""Numbers in a key."""
TWO = 2
LAST_WORD, HIGHER, MUCH_HIGHER, BACK, HIGHER_BACK, OTHER, HIGHER_OTHER = range(7)
"""Kinds of moves. The first is to challenge or stand. Two raise the rank of the standing bid, and two go back to the
player's own last rank. From here on there are two for each number of digits held of another rank."""
_MOST_NEEDED = 4
"""The most digits that a bid may need from the opponent."""
_MANY = 4
"""Digits held from which more make no difference."""
_EXTRA = 5
"""Openings that are told apart for each number of digits held, by how many more they bid."""
_NOTHING_BACK = 2 * (_MANY + 1)
"""In a key, for a player without a last rank to go back to; one more if that is the rank of the standing bid."""
_KNOWN = 10
"""Ranks of the game that the table is about. Games with fewer ranks are left to the values of past hands."""
_HIGH = 8
"""Count of a standing bid from which higher ones make no difference."""


@attrs.frozen
class Heard:
    """The bidding as the player in turn has heard it; rank 0 is none."""

    count: int
    rank: int
    own: bool
    """Whether the standing bid is its own: the opponent has challenged it."""
    rebid: bool
    mine: int
    """The rank it bid last."""
    again: bool
    """Whether the bidder's bid before was of the same rank."""
    raised: int
    """0 if the standing bid is the first, 1 if it was the lowest of its rank, and 2 if it was higher."""


def openings(own: Sequence[int]) -> list[tuple[Kind, list[Rung]]]:
    """Return the kinds of first bids of a player who holds so many digits of each rank, with their bids."""
    found: dict[Kind, list[Rung]] = {}
    for rank in RANKS:
        held = own[rank]
        for extra in range(_EXTRA):
            if held + extra:
                found.setdefault(min(held, _MANY) * _EXTRA + extra, []).append((held + extra, rank))
    return [*found.items()]


def answers(own: Sequence[int], heard: Heard) -> list[tuple[Kind, list[Rung]]]:
    """Return the kinds of later moves with their bids; the last word has none.

    Of the other ranks with equally many digits, those are bid that need the lowest count.
    """
    found: list[tuple[Kind, list[Rung]]] = [(LAST_WORD, [])]
    _add(found, own, HIGHER, (heard.count + 1, heard.rank))
    _add(found, own, MUCH_HIGHER, (heard.count + 2, heard.rank))
    if heard.mine not in (0, heard.rank):
        count = heard.count + (heard.mine < heard.rank)
        _add(found, own, BACK, (count, heard.mine))
        _add(found, own, HIGHER_BACK, (count + 1, heard.mine))
    others: dict[int, list[Rung]] = {}
    for rank in RANKS:
        if rank not in (heard.rank, heard.mine):
            rung, held = (heard.count + (rank < heard.rank), rank), min(own[rank], _MANY)
            if rung[0] - own[rank] <= _MOST_NEEDED:
                others.setdefault(held, []).append(rung)
    for held, rungs in others.items():
        least = min(count for count, _ in rungs)
        low = [rung for rung in rungs if rung[0] == least]
        found.append((OTHER + 2 * held, low))
        if held > 1:
            high = [(count + 1, rank) for count, rank in low if count + 1 - own[rank] <= _MOST_NEEDED]
            found += [(HIGHER_OTHER + 2 * held, high)] if high else []
    return found


def _add(found: list[tuple[Kind, list[Rung]]], own: Sequence[int], kind: Kind, rung: Rung) -> None:
    if rung[0] - own[rung[1]] <= _MOST_NEEDED and rung[0] <= TWO * slips.LONG:
        found.append((kind, [rung]))


def opening_key(own: Sequence[int]) -> Key:
    """Return what matters before the first bid: the most digits of a rank, the second most, and sixes."""
    most, second = sorted(own, reverse=True)[:2]
    return (0, min(most, _MANY + 1), min(second, _MANY + 1), min(own[SIX], _MANY - 1), 0, 0, 0, 0, 0, 0)


def answer_key(own: Sequence[int], heard: Heard) -> Key:
    """Return what matters later."""
    count, rank, mine = heard.count, heard.rank, heard.mine
    others = [(min(own[other], _MANY), other > rank) for other in RANKS if other not in (rank, mine)]
    most, cheap = max(others)
    back = min(own[mine], _MANY) + (_MANY + 1) * (mine > rank)
    if mine in (0, rank):
        back = _NOTHING_BACK + (mine == rank)
    held = min(own[rank], _MANY)
    said = (back, heard.again, heard.rebid, heard.raised)
    return (1 + heard.own, min(count, _HIGH), held, rank == SIX, most, cheap, *said)


@cache
def learned() -> Mapping[Key, Mapping[Kind, float]]:
    """Load how often to make which kind of move, by position."""
    data = iter(zlib.decompress((files(__package__) / "headsup.bin").read_bytes()))
    found = {}
    for first in data:
        key = (first, *(next(data) for _ in range(WIDTH - 1)))
        pairs = [(next(data), next(data)) for _ in range(next(data))]
        total = sum(share for _, share in pairs)
        found[key] = {kind: share / total for kind, share in pairs}
    return found


def usual(options: Options) -> bool:
    """Tell whether hands are scored as the table takes for granted."""
    return options.sixes and options.bonus and options.hero and options.rebid


def heard(auction: Auction) -> Heard | None:
    """Return the bidding as the player in turn has heard it; None before the first bid."""
    if auction.bid is None:
        return None
    bids = [(call.seat, call.bid) for call in auction.calls if call.bid is not None]
    mine = next((bid.rank for seat, bid in reversed(bids) if seat == auction.turn), 0)
    before = next((bid.rank for seat, bid in reversed(bids[:-1]) if seat == auction.bidder), 0)
    own, again = auction.turn == auction.bidder, before == auction.bid.rank
    raised = _raised(bids[-2][1], auction.bid) if len(bids) > 1 else 0
    return Heard(auction.bid.count, auction.bid.rank, own, auction.rebid, mine, again, raised)


def _raised(before: Bid, bid: Bid) -> int:
    lowest = before.count + (bid.rank <= before.rank)
    return 1 + (bid.count > lowest)


def mixed(auction: Auction, own: Sequence[int]) -> Mapping[Bid | None, float]:
    """Return how often to make which bid; None is to challenge or stand. Empty in a position that isn't known.

    `own` has the digit counts by rank; index 0 is unused.
    """
    if len(own) <= _KNOWN:
        return {}
    before = heard(auction)
    key = answer_key(own, before) if before else opening_key(own)
    shares = learned().get(key, {})
    some = [(shares.get(kind, 0.0), rungs) for kind, rungs in (answers(own, before) if before else openings(own))]
    total = sum(share for share, _ in some)
    found: dict[Bid | None, float] = {}
    for share, rungs in some:
        for rung in rungs:
            bid = Bid(*rung)
            found[bid] = found.get(bid, 0.0) + share / len(rungs)
        if not rungs:
            found[None] = share
    return {bid: share / total for bid, share in found.items() if share} if total else {}
