"""The bidding of a hand of Liar's Poker: bids rise in turn until all other players challenge.

A bid is stronger if its count is higher, or its rank at the same count. The challenged bidder may rebid once. An
`Auction` is entirely public; it doesn't know the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, Self

import attrs

from lilygames_rules.changed import maker
from lilygames_rules.kit import Ambiguous, Event, Malformed, Refused, Seat

RANKS = range(1, 11)
"""Ranks 1 to 10; ten is the digit 0 and the highest."""

_SINGULAR = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLURAL = tuple(word + ("es" if word == "six" else "s") for word in _SINGULAR)
_ZEROS = ("zeroes", "zeros")
_BID = re.compile(r"([0-9]{1,4})(?: *[x*×] *| +)([0-9]{1,2}|[a-z]+)|([0-9]{1,4})([a-z]+)")


@attrs.frozen
class Bid:
    """Bid that all numbers together hold at least `count` digits of `rank`; rank 10 is the digit 0."""

    count: int
    rank: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a bid as people type it: `5 sevens`, `5x7`, `5 7`, `7 tens` or `7 0`.

        The start of a rank's name is enough. Raises `Malformed`, or `Ambiguous` if it is the start of several.
        """
        match = _BID.fullmatch(" ".join(text.casefold().split()))
        if not match:
            raise Malformed(text)
        count, rank = (match[1], match[2]) if match[1] else (match[3], match[4])
        found = _ranks(rank)
        if len(found) > 1:
            raise Ambiguous(text, [cls(int(count), rank).words for rank in found])
        if not found:
            raise Malformed(text)
        return cls(int(count), found[0])

    @property
    def words(self) -> str:
        """The bid as people say it: `5 sevens`."""
        return f"{self.count} {rank_words(self.rank, self.count)}"

    @property
    def rung(self) -> int:
        """The position on the ladder; `1 one` is rung 0."""
        return (self.count - 1) * len(RANKS) + self.rank - 1

    def beats(self, other: Bid) -> bool:
        """Tell whether this bid is stronger: a higher count, or the same count of a higher rank."""
        return self.count > other.count or (self.count == other.count and self.rank > other.rank)


def _ranks(text: str) -> list[int]:
    """Return the ranks that a word, a digit or the start of a word may mean."""
    if text.isdigit():
        return [rank for rank in RANKS if text in (str(rank), str(rank % 10))]
    if any(word.startswith(text) for word in _ZEROS):
        return [RANKS[-1]]
    return [rank for rank in RANKS if _PLURAL[rank - 1].startswith(text)]


def rank_words(rank: int, count: int = 0) -> str:
    """Return the name of a rank: `sevens`, or `seven` for a count of one."""
    return (_SINGULAR if count == 1 else _PLURAL)[rank - 1]


def bid_on(rung: int) -> Bid:
    """Return the bid on a rung."""
    return Bid(rung // len(RANKS) + 1, rung % len(RANKS) + 1)


@attrs.frozen
class Challenge:
    """Challenge the standing bid."""


@attrs.frozen
class Stand:
    """Stand by the bid that all others have challenged."""


@attrs.frozen
class Call:
    """A seat's turn in the bidding: a bid, or None for a challenge."""

    seat: Seat
    bid: Bid | None


@attrs.frozen
class BidMade(Event):
    """A seat bid; the bid wins or costs so many units per opponent."""

    seat: Seat
    bid: Bid
    wins: int
    costs: int
    rebid: bool


@attrs.frozen
class Challenged(Event):
    """A seat challenged the standing bid; after the last challenge `up_to` may stand or rebid."""

    seat: Seat
    bid: Bid
    up_to: Seat | None


@attrs.frozen
class Stood(Event):
    """The bidder stands by the bid that all have challenged."""

    seat: Seat
    bid: Bid


Phase = Literal["open", "answer", "rebid", "closed"]


@attrs.frozen
class Auction:
    """The bidding of one hand; `turn` is None when it has ended, `calls` holds all bids and challenges."""

    players: tuple[Seat, ...]
    most: int
    """The highest count on the ladder."""
    rebids: bool
    """Whether a bidder challenged by all others may rebid."""
    turn: Seat | None
    calls: tuple[Call, ...] = ()
    bid: Bid | None = None
    bidder: Seat | None = None
    rebid: bool = False
    """Whether the standing bid is a rebid; its bidder may not rebid again."""
    challenges: int = 0
    """Number of challenges since the standing bid."""

    @property
    def phase(self) -> Phase:
        """The phase: first bid, answer to a bid, the bidder's choice after all challenges, or closed."""
        if self.turn is None:
            return "closed"
        if self.bid is None:
            return "open"
        return "rebid" if self.turn == self.bidder else "answer"

    @property
    def standing(self) -> tuple[Bid, Seat]:
        """The standing bid and its bidder; raises `LookupError` before the first bid."""
        if self.bid is None or self.bidder is None:
            raise LookupError("nobody has bid yet")
        return self.bid, self.bidder

    @property
    def top(self) -> int:
        """The number of rungs; no bid is stronger than the one on the last rung."""
        return self.most * len(RANKS)


class Choices(tuple[Any, ...]):  # noqa: SLOT001 - no tuple can have slots of its own
    """A seat's legal moves: up to one move, then all bids from a rung up to `top`, computed on demand."""

    top: int

    def __new__(cls, moves: Iterable[Any], top: int) -> Self:
        """Return these moves as what may be said on a ladder with `top` rungs."""
        self = super().__new__(cls, moves)
        self.top = top
        return self

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Bid):
            return move in self[:1]
        bids = len(self) - (not isinstance(self[0], Bid))
        return move.rank in RANKS and self.top - bids <= move.rung < self.top

    def __reduce__(self) -> tuple[Callable[..., Choices], tuple[Any, ...]]:
        return Choices, (tuple(self), self.top)


@lru_cache(maxsize=16)
def _ladder(top: int) -> tuple[Bid, ...]:
    return tuple(map(bid_on, range(top)))


@lru_cache(maxsize=16)
def _openings(players: int, most: int) -> Choices:
    ladder, usual = _ladder(most * len(RANKS)), (players - 1) * len(RANKS)
    return Choices(ladder[usual:] + ladder[:usual], len(ladder))


@lru_cache(maxsize=256)
def _answers(count: int, rank: int, most: int, move: Literal["challenge", "stand"]) -> Choices:
    ladder, first = _ladder(most * len(RANKS)), Stand() if move == "stand" else Challenge()
    return Choices((first, *ladder[Bid(count, rank).rung + 1 :]), len(ladder))


_auction, _call = maker(Auction), maker(Call)


def choices(now: Auction) -> Sequence[Any]:
    """Return the legal moves of the seat to move, most likely first.

    The opener may bid anything: first counts equal to the number of players, then higher, then lower. Later moves are
    the challenge (or to stand), then the stronger bids in order.
    """
    bid = now.bid
    if now.turn is None:
        return ()
    if bid is None:
        return _openings(len(now.players), now.most)
    return _answers(bid.count, bid.rank, now.most, "stand" if now.turn == now.bidder else "challenge")


def climb(now: Auction, bid: Bid) -> Auction:
    """Return the auction after a bid; raises `Refused` if the bid is off the ladder or not stronger.

    A bid by the standing bidder is a rebid. Any other bid restores everyone's right to rebid.
    """
    if bid.rank not in RANKS or not 1 <= bid.count <= now.most:
        raise Refused("bad-bid", most=now.most)
    if now.bid and not bid.beats(now.bid):
        raise Refused("not-higher", bid=now.bid, least=bid_on(now.bid.rung + 1) if now.bid.rung < now.top - 1 else None)
    seat = now.turn
    if seat is None:
        raise Refused("wrong-phase", phase="closed", bid=now.bid)
    calls, left = (*now.calls, _call(seat, bid)), _left_of(now, seat)
    return _auction(now.players, now.most, now.rebids, left, calls, bid, seat, seat == now.bidder)


def challenge(now: Auction) -> Auction:
    """Return the auction after a challenge; raises `Refused` before the first bid.

    After the last challenge the bidder may stand or rebid. Without a rebid (used up, switched off, or no stronger bid)
    the bidding ends.
    """
    if now.bid is None or now.turn is None or now.turn == now.bidder:
        raise Refused("wrong-phase", phase=now.phase, bid=now.bid)
    seat, challenges = now.turn, now.challenges + 1
    final = now.rebid or not now.rebids or now.bid.rung == now.top - 1
    turn = None if final and challenges == len(now.players) - 1 else _left_of(now, seat)
    calls = (*now.calls, _call(seat, None))
    return _auction(now.players, now.most, now.rebids, turn, calls, now.bid, now.bidder, now.rebid, challenges)


def stand(now: Auction) -> Auction:
    """Return the auction after the challenged bidder stands; raises `Refused` in any other phase."""
    if now.phase != "rebid":
        raise Refused("wrong-phase", phase=now.phase, bid=now.bid)
    return _auction(now.players, now.most, now.rebids, None, now.calls, now.bid, now.bidder, now.rebid, now.challenges)


def round_from(players: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """Return the players clockwise from `first`, or from the next player if that seat doesn't play."""
    return (*[seat for seat in players if seat >= first], *[seat for seat in players if seat < first])


def _left_of(now: Auction, seat: Seat) -> Seat:
    """Return the next player clockwise, to the left."""
    players = now.players
    return players[players.index(seat) + 1 - len(players)]
