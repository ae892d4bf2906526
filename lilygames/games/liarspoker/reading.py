"""What others say at Liar's Poker, read for the digits that they may hold; as learned from hands that were played.

Of each seat and rank there is one clue: the last thing the seat has said of the rank. A table says how many such seats
held, and as digits are dealt independently, sums of them are as likely as the tables of the seats together make them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import comb
from typing import Any

import attrs

from rules.bidding import slips
from rules.bidding.ladder import RANKS, Auction, Bid
from rules.kit import Seat

Multiplier = Callable[[Bid], int]
"""How many stakes a bid wins from each."""
SILENT, ELSEWHERE, DOUBTS, BIDS = 0, 1, 2, 4
"""Clues: nothing was said yet; only other ranks were bid; a bid was doubted, or one past belief; the rank was bid."""
_PAST_BELIEF = 2
"""From how many digits on that a bid lacks, challenging it tells little."""
_LEAST, _NEEDS = -1, 8
"""A bid is taken to need from one digit less than none to six of its bidder's."""
CLUES = BIDS + 3 * _NEEDS * 2
"""How many clues there are."""
UNSEEN = tuple(comb(slips.LONG, held) * 0.1**held * 0.9 ** (slips.LONG - held) for held in range(slips.LONG + 1))
"""How likely a number holds none, one, two... of a rank of which nothing was said."""

Nested = Sequence[Any]
"""Numbers in lists of lists, one level for each thing that they depend on."""


@attrs.frozen(eq=False)
class Tables:
    """What was learned from hands of some number of players."""

    held: tuple[tuple[float, ...], ...]
    """By clue, how likely a number holds none, one, two... of the rank."""
    bids: Nested = ()
    """What a bid came to, in stakes: by moment, multiplier, chance for others and chance for oneself."""
    doubts: Nested = ()
    """What a challenge came to, in stakes: by whether it is the last word, multiplier, seats to come, and chance."""
    mean: tuple[float, ...] = ()
    """By clue, how many a number holds of the rank."""


def tables(held: Sequence[Sequence[float]], bids: Nested = (), doubts: Nested = ()) -> Tables:
    """Return the tables with all that follows from them."""
    mean = tuple(sum(count * share for count, share in enumerate(one)) for one in held)
    return Tables(tuple(map(tuple, held)), bids, doubts, mean)


@cache
def learned(players: int) -> Tables:
    """Return the tables for so many players, or the nearest number that there are any for; kept in thousandths."""
    kept = json.loads((files(__package__) / "learned.json").read_bytes())
    nearest = kept[min(kept, key=lambda number: abs(int(number) - players))]
    return tables(*(_thousandths(nearest[name]) for name in ("held", "bids", "doubts")))


def _thousandths(kept: Any) -> Any:
    return [_thousandths(one) for one in kept] if isinstance(kept, list) else kept / 1000


@lru_cache(1 << 12)
def at_least(known: Tables, clues: tuple[int, ...]) -> tuple[float, ...]:
    """Return how likely numbers with these clues hold together none or more, one or more, two or more... of a rank."""
    shares = [*_together(known, clues)]
    for place in range(len(shares) - 1, 0, -1):
        shares[place - 1] += shares[place]
    return (*shares, 0.0)


@lru_cache(1 << 12)
def _together(known: Tables, clues: tuple[int, ...]) -> tuple[float, ...]:
    """Return how likely numbers with these clues hold together none, one, two... of a rank.

    Clues come sorted and most are alike, so all but the last have mostly been added up before: with twenty players that
    makes a move five times as fast. The cache is small enough for sums of 160 digits.
    """
    if not clues:
        return (1.0,)
    before, held = _together(known, clues[:-1]), known.held[clues[-1]]
    sums = [0.0] * (len(before) + slips.LONG)
    for place, share in enumerate(before):
        for count, likely in enumerate(held):
            sums[place + count] += share * likely
    return tuple(sums)


class Talk:
    """All that was said in a hand so far, as clues by seat and rank; it grows as it is told more."""

    def __init__(self, known: Tables, players: Sequence[Seat], multiplier: Multiplier) -> None:
        self.known = known
        self.clues = {seat: [SILENT] * (len(RANKS) + 1) for seat in players}
        self._multiplier = multiplier
        self._need = 0

    def bid(self, seat: Seat, bid: Bid) -> None:
        """Take in a bid: whoever has bid one rank has not bid the others."""
        clue = self._clue(seat, bid)
        self.clues[seat] = [other or ELSEWHERE for other in self.clues[seat]]
        self.clues[seat][bid.rank] = clue
        self._need = (clue - BIDS) // 2 % _NEEDS + _LEAST

    def doubt(self, seat: Seat, bid: Bid) -> None:
        """Take in a challenge; who has bid the rank before has told more by that."""
        if self.clues[seat][bid.rank] < BIDS:
            self.clues[seat][bid.rank] = DOUBTS + (self._need > _PAST_BELIEF)

    def among_others(self, seat: Seat, rank: int) -> tuple[float, ...]:
        """Return how likely all the others hold none or more, one or more... of a rank, for somebody who listens."""
        return at_least(self.known, tuple(sorted([row[rank] for one, row in self.clues.items() if one != seat])))

    def to_strangers(self, seat: Seat, bid: Bid) -> float:
        """Return how likely a bid would be made, for somebody who only listens, if the seat made it now."""
        clue = self._clue(seat, bid)
        clues = sorted([clue if one == seat else row[bid.rank] for one, row in self.clues.items()])
        return share(at_least(self.known, tuple(clues)), bid.count)

    def _clue(self, seat: Seat, bid: Bid) -> int:
        """Return what a bid tells: how many its bidder needs, who has bid the rank before, and whether it pays more."""
        mean, rank = self.known.mean, bid.rank
        before = [row[rank] for one, row in self.clues.items() if one != seat]
        need = bid.count - round(sum([mean[clue] for clue in before])) - _LEAST
        kind = 2 if self.clues[seat][rank] >= BIDS else int(max(before) >= BIDS)
        return BIDS + (kind * _NEEDS + min(_NEEDS - 1, max(0, need))) * 2 + (self._multiplier(bid) > 1)


def share(shares: Sequence[float], count: int) -> float:
    """Return how likely there are so many or more."""
    return shares[min(max(0, count), len(shares) - 1)]


def heard(known: Tables, auction: Auction, multiplier: Multiplier) -> Talk:
    """Return what was said in an auction."""
    talk, bid = Talk(known, auction.players, multiplier), None
    for call in auction.calls:
        if call.bid is not None:
            bid = call.bid
            talk.bid(call.seat, bid)
        elif bid is not None:
            talk.doubt(call.seat, bid)
    return talk
