"""Inference about hidden digits from the bidding in Liar's Poker, learned from played hands.

There is one clue per seat and rank: the last thing the seat said about the rank. Tables give the distribution of digits
for each clue. Digits are dealt independently, so the distributions of several seats are convolved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import comb
from typing import Any

import attrs

from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import RANKS, Auction, Bid
from lilygames_rules.kit import Seat

Multiplier = Callable[[Bid], int]
"""Stakes a bid wins from each opponent."""
SILENT, ELSEWHERE, DOUBTS, BIDS = 0, 1, 2, 4
"""Clues: nothing said yet; only other ranks bid; a bid challenged, or an incredible one; the rank bid."""
_PAST_BELIEF = 2
"""Missing digits from which a challenge reveals little."""
_LEAST, _NEEDS = -1, 8
"""Digits a bid needs from its bidder, clamped to -1 to 6."""
CLUES = BIDS + 3 * _NEEDS * 2
"""Number of clues."""
DOUBTS_IN = 10
"""Steps between believing a bidder as others are believed, and not at all."""
UNSEEN = tuple(comb(slips.LONG, held) * 0.1**held * 0.9 ** (slips.LONG - held) for held in range(slips.LONG + 1))
"""Distribution of a rank's digits in a number when nothing was said about it."""

_REMEMBERED = 1024
"""Lists of clues whose sums are kept: 1 KB each with four players, 5 KB with twenty."""
Nested = Sequence[Any]
"""Nested lists of numbers, one level per variable."""


@attrs.frozen(eq=False)
class Tables:
    """Tables learned from hands with a given number of players."""

    held: tuple[tuple[float, ...], ...]
    """Distribution of a rank's digits in a number, by clue."""
    bids: Nested = ()
    """Average result of a bid in stakes: by moment, multiplier, chance as others see it, and true chance."""
    doubts: Nested = ()
    """Average result of a challenge in stakes: by whether it's the last word, multiplier, seats to come, and chance."""
    mean: tuple[float, ...] = ()
    """Expected digits of the rank in a number, by clue."""


def tables(held: Sequence[Sequence[float]], bids: Nested = (), doubts: Nested = ()) -> Tables:
    """Return the tables with the values derived from them."""
    mean = tuple(sum(count * share for count, share in enumerate(one)) for one in held)
    return Tables(tuple(map(tuple, held)), bids, doubts, mean)


@cache
def learned(players: int) -> Tables:
    """Load the tables for the nearest number of players; the file has them in thousandths."""
    kept = json.loads((files(__package__) / "learned.json").read_bytes())
    nearest = kept[min(kept, key=lambda number: abs(int(number) - players))]
    return tables(*(_thousandths(nearest[name]) for name in ("held", "bids", "doubts")))


@cache
def doubted(players: int) -> Tables:
    """Return the learned tables with rows for bidders who are doubted, each step after the one before.

    A bid by someone who is doubted at step 3 says what bids usually say 7 times in 10, and nothing otherwise.
    """
    known = learned(players)
    steps = [step / DOUBTS_IN for step in range(DOUBTS_IN + 1)]
    held = [[_between(told, share) for told in known.held] for share in steps]
    return tables([row for rows in held for row in rows], known.bids, known.doubts)


def _between(told: Sequence[float], share: float) -> list[float]:
    """Return a distribution that is the prior one in this share of cases."""
    return [(1 - share) * seen + share * unseen for seen, unseen in zip(told, UNSEEN, strict=True)]


def _thousandths(kept: Any) -> Any:
    return [_thousandths(one) for one in kept] if isinstance(kept, list) else kept / 1000


@lru_cache(_REMEMBERED)
def at_least(known: Tables, clues: tuple[int, ...]) -> tuple[float, ...]:
    """Return the probabilities that numbers with these clues hold at least 0, 1, 2... digits of a rank together."""
    shares = [*_together(known, clues)]
    for place in range(len(shares) - 1, 0, -1):
        shares[place - 1] += shares[place]
    return (*shares, 0.0)


@lru_cache(_REMEMBERED)
def _together(known: Tables, clues: tuple[int, ...]) -> tuple[float, ...]:
    """Return the probabilities that numbers with these clues hold exactly 0, 1, 2... digits of a rank together.

    Clues are sorted, so the sum of all but the last is usually cached. With twenty players a move is five times as
    fast.
    """
    if not clues:
        return (1.0,)
    before, held = _together(known, clues[:-1]), known.held[clues[-1]]
    sums = [0.0] * (len(before) + slips.LONG)
    for place, share in enumerate(before):
        for count, likely in enumerate(held):
            sums[place + count] += share * likely
    return tuple(sums)


_NO_DOUBTS: Mapping[Seat, int] = {}


class Talk:
    """The clues of a hand so far by seat and rank; it is updated call by call."""

    def __init__(
        self, known: Tables, players: Sequence[Seat], multiplier: Multiplier, doubts: Mapping[Seat, int] = _NO_DOUBTS
    ) -> None:
        """Begin without clues. `doubts` has the step of doubt for each seat, for tables that are `doubted`."""
        self.known = known
        self._doubts = doubts
        self.clues = {seat: [SILENT] * (len(RANKS) + 1) for seat in players}
        self._multiplier = multiplier
        self._need = 0

    def bid(self, seat: Seat, bid: Bid) -> None:
        """Add a bid; it is also a clue that the bidder didn't bid the other ranks."""
        clue = self._clue(seat, bid)
        self.clues[seat] = [other or ELSEWHERE for other in self.clues[seat]]
        self.clues[seat][bid.rank] = clue + CLUES * self._doubts.get(seat, 0)
        self._need = (clue - BIDS) // 2 % _NEEDS + _LEAST

    def doubt(self, seat: Seat, bid: Bid) -> None:
        """Add a challenge; an earlier bid of the rank is the stronger clue and stays."""
        if self.clues[seat][bid.rank] < BIDS:
            self.clues[seat][bid.rank] = DOUBTS + (self._need > _PAST_BELIEF)

    def among_others(self, seat: Seat, rank: int) -> tuple[float, ...]:
        """Return the probabilities that all others hold at least 0, 1, 2... digits of a rank, given the bidding."""
        return at_least(self.known, tuple(sorted([row[rank] for one, row in self.clues.items() if one != seat])))

    def to_strangers(self, seat: Seat, bid: Bid) -> float:
        """Return the probability of a bid by the seat being made, as an outsider would estimate it."""
        clue = self._clue(seat, bid)
        clues = sorted([clue if one == seat else row[bid.rank] for one, row in self.clues.items()])
        return share(at_least(self.known, tuple(clues)), bid.count)

    def _clue(self, seat: Seat, bid: Bid) -> int:
        """Return the clue in a bid: digits needed, earlier bidders of the rank, and whether it pays extra."""
        mean, rank = self.known.mean, bid.rank
        before = [row[rank] for one, row in self.clues.items() if one != seat]
        need = bid.count - round(sum([mean[clue] for clue in before])) - _LEAST
        kind = 2 if self.clues[seat][rank] >= BIDS else int(max(before) >= BIDS)
        return BIDS + (kind * _NEEDS + min(_NEEDS - 1, max(0, need))) * 2 + (self._multiplier(bid) > 1)


def share(shares: Sequence[float], count: int) -> float:
    """Return the probability of at least this many."""
    return shares[min(max(0, count), len(shares) - 1)]


def heard(known: Tables, auction: Auction, multiplier: Multiplier, doubts: Mapping[Seat, int] = _NO_DOUBTS) -> Talk:
    """Return the clues of an auction."""
    talk, bid = Talk(known, auction.players, multiplier, doubts), None
    for call in auction.calls:
        if call.bid is not None:
            bid = call.bid
            talk.bid(call.seat, bid)
        elif bid is not None:
            talk.doubt(call.seat, bid)
    return talk
