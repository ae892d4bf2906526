"""House players for Liar's Poker: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb, fsum
from typing import Any

from lilygames.game import Strategy
from lilygames.games.liarspoker import reading
from lilygames.games.liarspoker import worth as liarsworth
from lilygames.games.liarspoker.reading import Talk
from lilygames.games.liarspoker.worth import Worth
from rules.bidding import slips, stakes
from rules.bidding.ladder import RANKS, Auction, Bid
from rules.kit import Luck
from rules.liarspoker import View

_SLIP = 12
"""One bid in so many a novice makes as if it held one more than it does."""
_STEPS = 4
"""How far above the least count a novice looks for a bid."""
_ALIKE = 0.04
"""Stakes by which what one may say differs so little that it is left to luck, lest others read it."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: a naive one that sometimes thinks it held one digit more."""
    return _naively(view, moves, luck, luck.choice(RANKS) if luck.roll(_SLIP) == 1 else None)


def naive(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return what pays best if it is the last word, as if bids told nothing of the digits."""
    return _naively(view, moves, luck, None)


def club(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a club player: it reads digits from what others say, and goes by a rule of thumb."""
    return _reading(view, moves, luck, liarsworth.guessed)


def shark(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a shark: it reads digits as well, and knows what such a bid or challenge has come to."""
    return _reading(view, moves, luck, liarsworth.learned)


def _reading(view: View, moves: Sequence[Any], luck: Luck, worth: Worth) -> Any:
    """Return what is worth most to one who listens, or one of what is worth about as much."""
    auction, options = view.auction, view.match.options
    if auction is None or view.slip is None:
        return luck.choice(moves)
    own = liarsworth.counted(number_of(view))
    found = liarsworth.valued(heard(view, auction), auction, own, options, worth)
    if not found:
        return Bid(1 + len(auction.players) // 2, max(RANKS, key=own.__getitem__))
    return luck.choice([move for value, move in found if value >= found[0][0] - _ALIKE])


def heard(view: View, auction: Auction) -> Talk:
    """Return what the bids and challenges of an auction tell."""

    def multiplier(bid: Bid) -> int:
        return stakes.multiplier(bid, len(auction.players), view.match.options)

    return reading.heard(reading.learned(len(auction.players)), auction, multiplier)


def number_of(view: View) -> str:
    """Return the number that one plays; there is one in this hand."""
    assert view.slip is not None  # noqa: S101 - what every caller has made sure of
    return view.slip.numbers[view.match.lines[-1] - 1]


def _naively(view: View, moves: Sequence[Any], luck: Luck, bluff: int | None) -> Any:
    auction = view.auction
    if auction is None or view.slip is None:
        return luck.choice(moves)
    number = number_of(view)
    own = {rank: slips.held(number, rank) + (rank == bluff) for rank in RANKS}
    worth = {bid: _worth(view, bid, own[bid.rank]) * (len(auction.players) - 1) for bid in _near(auction)}
    best = max(worth, key=lambda bid: worth[bid], default=None)
    if auction.bid is None:
        return best
    return best if best and worth[best] > _left_alone(view, auction, auction.bid, own) else moves[0]


def _left_alone(view: View, auction: Auction, bid: Bid, own: Mapping[int, int]) -> float:
    """What comes of it if the bid that stands is played: to its bidder from all the others, to another from one."""
    if auction.phase == "rebid":
        return _worth(view, bid, own[bid.rank]) * (len(auction.players) - 1)
    return -_worth(view, bid, own[bid.rank])


def _near(auction: Auction) -> Iterator[Bid]:
    """Yield the bids a novice thinks of: each rank, from the least count that is stronger on some steps up."""
    least = auction.bid.count if auction.bid else 1 + len(auction.players) // 2
    for count in range(least, min(least + _STEPS, auction.most) + 1):
        for rank in RANKS:
            bid = Bid(count, rank)
            if auction.bid is None or bid.beats(auction.bid):
                yield bid


def _worth(view: View, bid: Bid, own: int) -> float:
    """Return the stakes that a bid, one's own or another's, should win from each, when one holds `own` of its rank.

    Each digit of the others is taken to be of that rank one time in ten; heroes and skunks are not thought of.
    """
    made = chance(bid.count - own, (len(view.match.players) - 1) * slips.LONG)
    return made * stakes.multiplier(bid, len(view.match.players), view.match.options) - (1 - made)


@cache
def chance(wanted: int, digits: int) -> float:
    """Return how likely so many digits hold `wanted` of a rank or more."""
    return fsum(comb(digits, held) * 0.1**held * 0.9 ** (digits - held) for held in range(max(0, wanted), digits + 1))


LEVELS: Mapping[str, Strategy] = {"novice": novice, "club": club, "shark": shark}
"""The house players of Liar's Poker by level."""
STYLES: Mapping[str, Strategy] = {"naive": naive}
"""Another to measure them by: the novice without its slips."""
