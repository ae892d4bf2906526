"""A ladder of bids (count, rank), climbed in turn until all others challenge; whom they challenge may climb once more.

The ladder is that of Liar's Poker: a bid is stronger if it calls for more, or for as many of a higher rank. An
`Auction` is public to the last word; what the numbers hold it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, Self

import attrs

from rules.changed import maker
from rules.kit import Ambiguous, Event, Malformed, Refused, Seat

RANKS = range(1, 11)
"""From the one to the ten, which is the digit 0 and the highest."""

_SINGULAR = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLURAL = tuple(word + ("es" if word == "six" else "s") for word in _SINGULAR)
_ZEROS = ("zeroes", "zeros")
_BID = re.compile(r"([0-9]{1,4})(?: *[x*×] *| +)([0-9]{1,2}|[a-z]+)|([0-9]{1,4})([a-z]+)")


@attrs.frozen
class Bid:
    """Say that all numbers together hold the rank so often or more; rank 10, said ten, is the digit 0."""

    count: int
    rank: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the bid that people mean by `5 sevens`, `5x7`, `5 7`, `7 tens` or `7 0`.

        The beginning of a rank's word will do. Raises `Malformed`, or `Ambiguous` where it begins several words.
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
        """Its place on the ladder; `1 one` is on rung 0."""
        return (self.count - 1) * len(RANKS) + self.rank - 1

    def beats(self, other: Bid) -> bool:
        """Whether it is stronger: more of any rank, or as many of a higher one."""
        return self.count > other.count or (self.count == other.count and self.rank > other.rank)


def _ranks(text: str) -> list[int]:
    """Return the ranks that a word, a digit or the beginning of a word may mean."""
    if text.isdigit():
        return [rank for rank in RANKS if text in (str(rank), str(rank % 10))]
    if any(word.startswith(text) for word in _ZEROS):
        return [RANKS[-1]]
    return [rank for rank in RANKS if _PLURAL[rank - 1].startswith(text)]


def rank_words(rank: int, count: int = 0) -> str:
    """Return the rank's name: `sevens`, for a count of one `seven`."""
    return (_SINGULAR if count == 1 else _PLURAL)[rank - 1]


def bid_on(rung: int) -> Bid:
    """Return the bid on a rung."""
    return Bid(rung // len(RANKS) + 1, rung % len(RANKS) + 1)


@attrs.frozen
class Challenge:
    """Doubt the bid that stands."""


@attrs.frozen
class Stand:
    """Play the bid that all others have challenged."""


@attrs.frozen
class Call:
    """What a seat said in its turn: a bid, or None where it challenged."""

    seat: Seat
    bid: Bid | None


@attrs.frozen
class BidMade(Event):
    """A seat has bid; made, the bid wins so many units from each of the others, missed it costs so many to each."""

    seat: Seat
    bid: Bid
    wins: int
    costs: int
    rebid: bool


@attrs.frozen
class Challenged(Event):
    """A seat has challenged the standing bid; where it is the last to do so, `up_to` may stand or rebid."""

    seat: Seat
    bid: Bid
    up_to: Seat | None


@attrs.frozen
class Stood(Event):
    """The bidder plays the bid that all have challenged."""

    seat: Seat
    bid: Bid


Phase = Literal["open", "answer", "rebid", "closed"]


@attrs.frozen
class Auction:
    """The bidding of one hand; `turn` is None when it is closed, `calls` are all that was said."""

    players: tuple[Seat, ...]
    most: int
    """The highest count on the ladder."""
    rebids: bool
    """Whether a bidder whom all others challenge may climb once more."""
    turn: Seat | None
    calls: tuple[Call, ...] = ()
    bid: Bid | None = None
    bidder: Seat | None = None
    rebid: bool = False
    """Whether the standing bid is a rebid, which its bidder may not better."""
    challenges: int = 0
    """How many in a row have challenged it."""

    @property
    def phase(self) -> Phase:
        """What is to be said: a first bid, an answer to a bid, one's choice after all have challenged, nothing."""
        if self.turn is None:
            return "closed"
        if self.bid is None:
            return "open"
        return "rebid" if self.turn == self.bidder else "answer"

    @property
    def standing(self) -> tuple[Bid, Seat]:
        """The bid that stands, and who made it; raises `LookupError` before the first."""
        if self.bid is None or self.bidder is None:
            raise LookupError("nothing is bid yet")
        return self.bid, self.bidder

    @property
    def top(self) -> int:
        """The number of rungs; a bid on the last one cannot be bettered."""
        return self.most * len(RANKS)


class Choices(tuple[Any, ...]):  # noqa: SLOT001 - no tuple can have slots of its own
    """What a seat may say: a move or none, then all bids from some rung up to the `top`; one is found by its rung."""

    top: int

    def __new__(cls, moves: Iterable[Any], top: int) -> Self:
        """Return these moves as what may be said on a ladder of so many rungs."""
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


@lru_cache(maxsize=1024)
def _answers(count: int, rank: int, most: int, move: Literal["challenge", "stand"]) -> Choices:
    ladder, first = _ladder(most * len(RANKS)), Stand() if move == "stand" else Challenge()
    return Choices((first, *ladder[Bid(count, rank).rung + 1 :]), len(ladder))


_auction, _call = maker(Auction), maker(Call)


def choices(now: Auction) -> Sequence[Any]:
    """Return what the seat in turn may say, the likeliest first.

    Who opens may bid anything: first as many of each rank as there are players, then more, then fewer. Afterwards comes
    the challenge (or standing by one's bid), then the stronger bids up the ladder.
    """
    bid = now.bid
    if now.turn is None:
        return ()
    if bid is None:
        return _openings(len(now.players), now.most)
    return _answers(bid.count, bid.rank, now.most, "stand" if now.turn == now.bidder else "challenge")


def climb(now: Auction, bid: Bid) -> Auction:
    """Return the auction after the seat in turn bids; raises `Refused` for a bid off the ladder or not stronger.

    A bid by the bidder is a rebid; anybody else's gives everybody, the last rebidder too, the right to rebid again.
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
    """Return the auction after the seat in turn challenges; raises `Refused` where that is not to be said.

    When all others have, it is up to the bidder, unless no rebid is left to it: after a rebid, by the rules of the
    table, or since no stronger bid exists.
    """
    if now.bid is None or now.turn is None or now.turn == now.bidder:
        raise Refused("wrong-phase", phase=now.phase, bid=now.bid)
    seat, challenges = now.turn, now.challenges + 1
    final = now.rebid or not now.rebids or now.bid.rung == now.top - 1
    turn = None if final and challenges == len(now.players) - 1 else _left_of(now, seat)
    calls = (*now.calls, _call(seat, None))
    return _auction(now.players, now.most, now.rebids, turn, calls, now.bid, now.bidder, now.rebid, challenges)


def stand(now: Auction) -> Auction:
    """Return the auction after the bidder whom all have challenged stands by the bid; raises `Refused` elsewhere."""
    if now.phase != "rebid":
        raise Refused("wrong-phase", phase=now.phase, bid=now.bid)
    return _auction(now.players, now.most, now.rebids, None, now.calls, now.bid, now.bidder, now.rebid, now.challenges)


def round_from(players: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """Return the players clockwise, beginning with `first` or, where that seat does not play, the next one."""
    return (*[seat for seat in players if seat >= first], *[seat for seat in players if seat < first])


def _left_of(now: Auction, seat: Seat) -> Seat:
    """The turn passes clockwise to the next player on the left."""
    players = now.players
    return players[players.index(seat) + 1 - len(players)]
