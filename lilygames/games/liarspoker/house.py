"""Bots for Liar's Poker; each is a function from a view to a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import comb, fsum
from typing import Any

from lilygames.game import Habit, Memory, Strategy
from lilygames.games.liarspoker import headsup, reading
from lilygames.games.liarspoker import worth as liarsworth
from lilygames.games.liarspoker.habits import USUAL, lies_behind
from lilygames.games.liarspoker.reading import Multiplier, Talk
from lilygames.games.liarspoker.worth import Worth
from lilygames.house.draws import drawn
from lilygames.house.habits import STRANGER, Remembering, believed
from lilygames.house.moods import has_just_lost
from lilygames_rules.bidding import ladder, slips, stakes
from lilygames_rules.bidding.ladder import RANKS, Auction, Bid
from lilygames_rules.bidding.stakes import Options, Row
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.liarspoker import View

_HOPES, _CHASES = 36, 12
"""A novice takes one decision in this many as if it held one digit more of its best rank: usually, and after a loss."""
_STEPS = 4
"""How many counts above the minimum a novice considers."""
_ALIKE = 0.04
"""Difference in stakes below which options count as equal and are chosen at random, so that bids reveal less."""
_IMAGINED, _BLUFFS = 2, 0.3
"""A bot begins with so many imagined bids of each bidder, and holds that this share of them said nothing."""


def novice(view: View, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
    """Return a novice's move: the naive one, or one that hopes for more. It chases its losses."""
    hopes = view.slip is not None and luck.roll(_CHASES if has_just_lost(view.seat, view.match.sheet) else _HOPES) == 1
    return naively(view, moves, luck, _best_rank(number_of(view)) if hopes else None, memory)


def _best_rank(number: str) -> int:
    return max(RANKS, key=lambda rank: slips.held(number, rank))


def naive(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move that pays best if the bidding ended with it, ignoring what bids reveal."""
    return naively(view, moves, luck, None)


def club(view: View, moves: Sequence[Any], luck: Luck, *, memory: Memory | None = None) -> Any:
    """Return a club bot's move: infer digits from bids, and value options by rule of thumb."""
    return _reading(view, moves, luck, doubting, liarsworth.guessed, memory=memory)


def doubt_of(seat: Seat, sheet: Sequence[Row]) -> int:
    """Return the step of doubt about a bidder: how many of ten bids like theirs say nothing about their digits."""
    held = [row.counts[seat] for row in sheet if row.bidder == seat]
    return round(reading.DOUBTS_IN * (held.count(0) + _IMAGINED * _BLUFFS) / (len(held) + _IMAGINED))


def shark(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a shark's move: with two players one that is drawn, so that it tells little; else by past hands."""
    return _mixed(view, luck) or _reading(view, moves, luck, doubting, liarsworth.learned)


def _mixed(view: View, luck: Luck) -> Any:
    """Return the move that a shark draws if there are two players and the usual scoring; else None."""
    auction, options = view.auction, view.match.options
    if auction is None or view.slip is None or len(auction.players) > headsup.TWO or not headsup.usual(options):
        return None
    return drawn(chances(auction, liarsworth.counted(number_of(view)), options), luck)


def chances(auction: Auction, own: Sequence[int], options: Options) -> Mapping[Any, float]:
    """Return how often a shark makes which move against one opponent."""
    mixed = headsup.mixed(auction, own)
    if mixed:
        return {bid or ladder.choices(auction)[0]: share for bid, share in mixed.items()}
    return _past_chances(auction, own, options)


def _past_chances(auction: Auction, own: Sequence[int], options: Options) -> Mapping[Any, float]:
    """Return how often a bot that goes by past hands makes which move."""
    alike = _alike(talk_of(auction, options), auction, own, options, liarsworth.learned)
    return dict.fromkeys(alike, 1 / len(alike))


def by_past_hands(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a bot that infers digits from bids, and values options by the results of past hands."""
    return _reading(view, moves, luck, heard, liarsworth.learned)


def _reading(
    view: View, moves: Sequence[Any], luck: Luck, hears: Hearing, worth: Worth, *, memory: Memory | None = None
) -> Any:
    """Return the best option given the bidding, or a random one of about equal value."""
    auction, options = view.auction, view.match.options
    if auction is None or view.slip is None:
        return luck.choice(moves)
    own, lies = liarsworth.counted(number_of(view)), lies_behind(auction, view.match, memory)
    return luck.choice(_alike(hears(view, auction), auction, own, options, worth, lies=lies))


def _alike(
    talk: Talk, auction: Auction, own: Sequence[int], options: Options, worth: Worth, *, lies: Habit = STRANGER
) -> Sequence[Any]:
    """Return the best options of about equal value."""
    found = liarsworth.valued(talk, auction, own, options, worth, lies=lies)
    return [move for value, move in found if value >= found[0][0] - _ALIKE] or [plain(auction, own)]


def plain(auction: Auction, own: Sequence[int]) -> Bid:
    """Return the first bid of a seat that finds no sensible one: its best rank."""
    return Bid(1 + len(auction.players) // 2, max(RANKS, key=own.__getitem__))


Hearing = Callable[[View, Auction], Talk]
"""Returns the clues in the bids and challenges of an auction."""


def heard(view: View, auction: Auction) -> Talk:
    """Return the clues in the bids and challenges of an auction, if everyone is believed."""
    return talk_of(auction, view.match.options)


def doubting(view: View, auction: Auction) -> Talk:
    """Return the clues of an auction; a bidder is believed less, the more often they have held none of the rank."""
    doubts = {seat: doubt_of(seat, view.match.sheet) for seat in auction.players if seat != view.seat}
    known = reading.doubted(len(auction.players))
    return reading.heard(known, auction, _multiplier(auction, view.match.options), doubts)


def talk_of(auction: Auction, options: Options) -> Talk:
    """Return the clues in the bids and challenges of an auction with these options."""
    return reading.heard(reading.learned(len(auction.players)), auction, _multiplier(auction, options))


def _multiplier(auction: Auction, options: Options) -> Multiplier:
    return lambda bid: stakes.multiplier(bid, len(auction.players), options)


def number_of(view: View) -> str:
    """Return the seat's number; it must have one."""
    assert view.slip is not None  # noqa: S101 - every caller has checked this
    return view.slip.numbers[view.match.lines[-1] - 1]


def naively(view: View, moves: Sequence[Any], luck: Luck, bluff: int | None, memory: Memory | None = None) -> Any:
    """Return the naive move of a seat that thinks it holds one more digit of a rank."""
    auction = view.auction
    if auction is None or view.slip is None:
        return luck.choice(moves)
    number = number_of(view)
    own = {rank: slips.held(number, rank) + (rank == bluff) for rank in RANKS}
    worth = {bid: _worth(view, bid, own[bid.rank]) * (len(auction.players) - 1) for bid in _near(auction)}
    best = max(worth, key=lambda bid: worth[bid], default=None)
    if auction.bid is None:
        return best
    left = _left_alone(view, auction, auction.bid, own, lies_behind(auction, view.match, memory))
    return best if best and worth[best] > left else moves[0]


def _left_alone(view: View, auction: Auction, bid: Bid, own: Mapping[int, int], lies: Habit) -> float:
    """Return the expected result if the standing bid is counted: from everyone for the bidder, from one for others."""
    if auction.phase == "rebid":
        return _worth(view, bid, own[bid.rank]) * (len(auction.players) - 1)
    return -_worth(view, bid, own[bid.rank], lies)


def _near(auction: Auction) -> Iterator[Bid]:
    """Yield the bids a novice considers: for each rank, some counts from the lowest stronger one up."""
    least = auction.bid.count if auction.bid else 1 + len(auction.players) // 2
    for count in range(least, min(least + _STEPS, auction.most) + 1):
        for rank in RANKS:
            bid = Bid(count, rank)
            if auction.bid is None or bid.beats(auction.bid):
                yield bid


def _worth(view: View, bid: Bid, own: int, lies: Habit = STRANGER) -> float:
    """Return the expected stakes per opponent of a bid, if this seat holds `own` digits of its rank.

    Each hidden digit has that rank with probability 1/10; heroes and skunks are ignored. `lies` is how often bids like
    this one were missed.
    """
    made = believed(chance(bid.count - own, (len(view.match.players) - 1) * slips.LONG), lies, USUAL)
    return made * stakes.multiplier(bid, len(view.match.players), view.match.options) - (1 - made)


@cache
def chance(wanted: int, digits: int) -> float:
    """Return the probability that this many digits include at least `wanted` of a rank."""
    return fsum(comb(digits, held) * 0.1**held * 0.9 ** (digits - held) for held in range(max(0, wanted), digits + 1))


LEVELS: Mapping[str, Strategy] = {"novice": Remembering(novice), "club": Remembering(club), "shark": shark}
"""The bots by level."""
VERSIONS: Mapping[str, str] = {"novice": "3", "club": "3", "shark": "4"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
STYLES: Mapping[str, Strategy] = {"naive": naive, "past hands": by_past_hands}
"""Opponents for duels: the novice without its mistakes, and the shark before it mixed its moves."""
