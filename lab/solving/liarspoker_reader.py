"""A reader of Liar's Poker with two players, who thinks about many positions at once.

It knows how often its opponent makes which move with which digits. It imagines many numbers for its opponent, and
weighs each by how likely it makes the moves so far. Then it compares its last word with its bids. After a bid it hears
one answer, and from then on it only challenges or stands. So a bid is worth the mean of what it is worth against each
number, and one array operation does all bids and numbers. A deal takes a twelfth of the time of the same reader in
plain Python (`tests/games/liarspoker/solved/plain_reader.py`), and a test compares their moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from statistics import fmean
from typing import Any, Self

import attrs
import numpy as np

from lab.solving.liarspoker import (
    ANSWER_SIZES,
    ANSWERS,
    EXTRAS,
    MEMBERS,
    OPENING_SIZES,
    OPENINGS,
    RISE,
    SIZE,
    Array,
    Hands,
    Turns,
    answering,
    counted,
    opening,
)
from lilygames.games.liarspoker import headsup
from lilygames_rules.bidding import ladder, slips
from lilygames_rules.bidding.ladder import RANKS, Auction, Bid, Challenge
from lilygames_rules.bidding.stakes import Options, judged

Hand = Sequence[int]
"""Digits of each rank; index 0 is unused."""
Policy = Callable[[Auction, Hand], Mapping[Any, float]]
"""Returns how often a player with such digits makes which move."""
IMAGINED, FEW = 100, 40
"""Hands imagined at first, and those for which bids are compared."""
AHEAD, TOO_MANY = 2, 2.2
"""Counts above the lowest legal one, and above the expected digits, up to which bids are considered."""
RULES = Options()
Rung = tuple[int, int]
"""A count and a rank; the last word has none of either."""
WORD = (0, 0)
NOTHING = (0, 0, -1, 0, 0, 0)
"""The numbers of `Turns` before the first bid."""
Table = Mapping[headsup.Key, Mapping[headsup.Kind, float]]
"""How often to make which kind of move, by position."""
Worlds = list[tuple[float, int]]
"""Numbers that the opponent may have, as weights and places in `Hands`."""


def number(luck: Random) -> Hand:
    """Deal a number."""
    held = [0] * (len(RANKS) + 1)
    for _ in range(slips.LONG):
        held[1 + int(luck.random() * len(RANKS))] += 1
    return held


def opened(seat: int) -> Auction:
    """Return the bidding before the first bid."""
    return Auction((0, 1), 2 * slips.LONG, rebids=True, turn=seat)


def moved(auction: Auction, move: Any) -> Auction:
    """Return the bidding after a move."""
    match move:
        case Bid():
            return ladder.climb(auction, move)
        case Challenge():
            return ladder.challenge(auction)
    return ladder.stand(auction)


def rung_of(move: Any) -> Rung:
    """Return the count and the rank of a move."""
    return (move.count, move.rank) if isinstance(move, Bid) else WORD


def move_at(auction: Auction, rung: Rung) -> Any:
    """Return the bid of this count and rank, or the last word."""
    return ladder.choices(auction)[0] if rung == WORD else Bid(*rung)


def won(auction: Auction, hands: Sequence[Hand], seat: int) -> int:
    """Return the stakes that a seat wins when the standing bid is counted."""
    bid, bidder = auction.standing
    held = [hand[bid.rank] for hand in hands]
    stakes = judged(bid, len(hands), held[bidder], sum(held), RULES)[1]
    return stakes if seat == bidder else -stakes


@attrs.frozen(eq=False)
class Positions:
    """Positions after an auction: the turns, with a row for each, and the moves that led there as rungs."""

    since: Auction
    turns: Turns
    path: Array
    """By row, move, and count or rank."""

    @classmethod
    def first(cls, auction: Auction, places: Sequence[int]) -> Self:
        """Return the position of an auction, in a row for each of the opponent's numbers."""
        bids = [(call.seat, call.bid) for call in auction.calls if call.bid is not None]
        last = [next((bid.rank for seat, bid in reversed(bids) if seat == one), 0) for one in (0, 1)]
        heard = headsup.heard(auction)
        said = (heard.count, heard.rank, auction.bidder, heard.rebid, heard.again, heard.raised) if heard else NOTHING
        row = (auction.turn, *said, last)
        turns = Turns(
            np.array(places, np.int64), *(np.repeat(np.array([one], np.int64), len(places), axis=0) for one in row)
        )
        return cls(auction, turns, np.zeros((len(places), 0, 2), np.int64))

    def at(self, rows: Array) -> Self:
        """Return some of the positions."""
        return attrs.evolve(self, turns=self.turns.at(rows), path=self.path[rows])

    def after(self, count: Array, rank: Array) -> Self:
        """Return the positions after these moves; challenges to bids have a count of 0."""
        path = np.concatenate([self.path, np.stack([count, rank], 1)[:, None]], 1)
        return attrs.evolve(self, turns=self.turns.after(count == 0, count, rank), path=path)

    def auction(self, row: int) -> Auction:
        """Return the bidding of a row."""
        auction = self.since
        for count, rank in self.path[row].tolist():
            auction = moved(auction, move_at(auction, (count, rank)))
        return auction


@attrs.frozen(eq=False)
class Mixed:
    """Moves of the players in turn: the row of the position, the rung, and how often it is made there."""

    row: Array
    count: Array
    rank: Array
    share: Array


Mixing = Callable[[Hands, Positions], Mixed]
"""Returns how often the players in turn make which moves; those of a row stand together."""


def by_rows(policy: Policy) -> Mixing:
    """Return a policy for many positions that asks one for each of them."""

    def mixed(hands: Hands, positions: Positions) -> Mixed:
        rows = range(len(positions.path))
        return _together([(row, *rung, share) for row in rows for rung, share in _asked(policy, hands, positions, row)])

    return mixed


def _asked(policy: Policy, hands: Hands, positions: Positions, row: int) -> Iterator[tuple[Rung, float]]:
    auction, turns = positions.auction(row), positions.turns
    own = hands.held[2 * turns.deal[row] + turns.seat[row]].tolist()
    for move, share in policy(auction, own).items():
        yield rung_of(move), share


def _together(found: Sequence[tuple[int, int, int, float]]) -> Mixed:
    row, count, rank, share = np.array(found, float).reshape(-1, 4).T
    return Mixed(row.astype(np.int64), count.astype(np.int64), rank.astype(np.int64), share)


def by_table(table: Table, policy: Policy) -> Mixing:
    """Return the policy of a table for many positions, as `headsup.mixed`; `policy` is asked for unknown ones."""
    shares, others = _dense(table), by_rows(policy)

    def mixed(hands: Hands, positions: Positions) -> Mixed:
        choices = (answering if positions.turns.count.any() else opening)(hands, positions.turns)
        kinds = shares[choices.place[:, None] + np.arange(choices.ranks.shape[1])] * (choices.ranks > 0)
        total = kinds.sum(1)
        unknown = np.nonzero(total == 0)[0]
        found = _drawn(hands, positions.turns, choices.ranks, kinds / np.where(total, total, 1)[:, None])
        return _joined(found, others(hands, positions.at(unknown)), unknown) if len(unknown) else found

    return mixed


def _drawn(hands: Hands, turns: Turns, ranks: Array, shares: Array) -> Mixed:
    """Return the moves of these kinds by their shares; the ranks of a kind are equally likely."""
    row, kind = np.nonzero(shares)
    sets = ranks[row, kind] & ~1  # the last word has no rank
    size = np.maximum(SIZE[sets], 1)
    each = np.repeat(np.arange(len(row)), size)
    rank = MEMBERS[sets[each], np.arange(len(each)) - np.repeat(np.cumsum(size) - size, size)]
    share, row, kind = (shares[row, kind] / size)[each], row[each], kind[each]
    if turns.count.any():
        count = np.where(rank > 0, turns.count[row] + (rank <= turns.rank[row]) + RISE[kind], 0)
    else:
        count = hands.held[2 * turns.deal[row] + turns.seat[row], rank] + kind % EXTRAS
    return Mixed(row, count, rank, share)


def _joined(found: Mixed, others: Mixed, rows: Array) -> Mixed:
    """Return moves with those of some other rows, in the order of the rows."""
    pairs = zip(
        (found.row, found.count, found.rank, found.share),
        (rows[others.row], others.count, others.rank, others.share),
        strict=True,
    )
    order = np.argsort(np.concatenate([found.row, rows[others.row]]), kind="stable")
    return Mixed(*(np.concatenate(pair)[order] for pair in pairs))


def _dense(table: Table) -> Array:
    """Return a table as an array, at the places that `Choices` names."""
    start = OPENINGS * int(np.prod(OPENING_SIZES))
    found = np.zeros(start + ANSWERS * int(np.prod(ANSWER_SIZES)))
    for (first, *rest), row in table.items():
        if first:
            place = start + ANSWERS * int(np.ravel_multi_index((first - 1, rest[0] - 1, *rest[1:]), ANSWER_SIZES))
        else:
            place = OPENINGS * int(np.ravel_multi_index(rest[: len(OPENING_SIZES)], OPENING_SIZES))
        for kind, share in row.items():
            found[place + kind] = share
    return found


class Reader:
    """The reader in a seat, with its own digits."""

    def __init__(self, mixing: Mixing, seat: int, own: Hand, luck: Random) -> None:
        self._mixing, self._seat, self._own, self._luck = mixing, seat, own, luck
        self._imagine()

    def _imagine(self) -> None:
        """Imagine numbers for the opponent."""
        self._held = [number(self._luck) for _ in range(IMAGINED)]
        self._hands = Hands.of(np.array([hand for other in self._held for hand in self._pair(other)]))
        self._worlds: Worlds = [(1 / IMAGINED, place) for place in range(IMAGINED)]

    def _pair(self, other: Hand) -> Sequence[Hand]:
        """Return both numbers by seat."""
        return (self._own, other) if self._seat == 0 else (other, self._own)

    def heard(self, auction: Auction, move: Any) -> None:
        """Learn from a move of the opponent. If no hand imagined makes it, imagine others."""
        some = self._groups(auction).get(rung_of(move), [])
        if total := sum(weight for weight, _ in some):
            self._worlds = [(weight / total, place) for weight, place in some if weight]
        else:
            self._imagine()

    def move(self, auction: Auction) -> Any:
        """Return the move that is worth most."""
        found = self.worths(auction)
        return max(found, key=found.__getitem__)

    def worths(self, auction: Auction) -> Mapping[Any, float]:
        """Return what each move that the reader considers is worth."""
        found = {}
        if auction.bid is not None:
            answer = ladder.choices(auction)[0]
            found[answer] = self._answered(auction, answer)
        return {**found, **self._bid(auction, self._worlds)}

    def _answered(self, auction: Auction, answer: Any) -> float:
        """Return what it is worth to challenge or to stand. After a challenge, the opponent may bid again."""
        after = moved(auction, answer)
        if after.turn is None:
            return self._counted(auction, self._worlds)
        again = self._groups(after)
        worth = self._counted(after, again.pop(WORD, []))
        for rung, some in again.items():
            total = sum(weight for weight, _ in some)
            worlds, rebid = [(weight / total, place) for weight, place in some], moved(after, Bid(*rung))
            worth += total * max([self._counted(rebid, worlds), *self._bid(rebid, worlds).values()])
        return worth

    def _groups(self, auction: Auction) -> dict[Rung, Worlds]:
        """Return the worlds in which the opponent makes each move, with their weights for that move."""
        made = self._mixing(self._hands, Positions.first(auction, [place for _, place in self._worlds]))
        groups: dict[Rung, Worlds] = {}
        for row, count, rank, share in zip(*map(np.ndarray.tolist, attrs.astuple(made, recurse=False)), strict=True):
            weight, place = self._worlds[row]
            groups.setdefault((count, rank), []).append((weight * share, place))
        return groups

    def _counted(self, auction: Auction, worlds: Worlds) -> float:
        """Return the mean result if the standing bid is counted."""
        return sum(weight * won(auction, self._pair(self._held[place]), self._seat) for weight, place in worlds)

    def _bid(self, auction: Auction, worlds: Worlds) -> Mapping[Any, float]:
        """Return what each bid to consider is worth, against a sample of the numbers."""
        bids, weights = self._bids(auction, worlds), dict[int, float]()
        for weight, place in self._fewer(worlds):
            weights[place] = weights.get(place, 0.0) + weight
        rungs = np.repeat(np.array(bids, np.int64).reshape(-1, 2), len(weights), axis=0)
        worths = self._replied(Positions.first(auction, [*weights] * len(bids)).after(*rungs.T))
        means = worths.reshape(-1, len(weights)) @ np.array([*weights.values()])
        return {Bid(*rung): mean for rung, mean in zip(bids, means.tolist(), strict=True)}

    def _bids(self, auction: Auction, worlds: Worlds) -> list[Rung]:
        """Return the bids to consider."""
        found = []
        for rank in RANKS:
            least = 1 if auction.bid is None else auction.bid.count + (rank <= auction.bid.rank)
            expected = self._own[rank] + sum(weight * self._held[place][rank] for weight, place in worlds)
            first = least if auction.bid else max(least, self._own[rank])
            last = min(2 * slips.LONG, int(expected + TOO_MANY), first + AHEAD)
            found += [(count, rank) for count in range(first, last + 1)]
        return found

    def _fewer(self, worlds: Worlds) -> Worlds:
        if len(worlds) <= FEW:
            return worlds
        some = self._luck.choices([place for _, place in worlds], [weight for weight, _ in worlds], k=FEW)
        return [(1 / FEW, place) for place in some]

    def _replied(self, positions: Positions) -> Array:
        """Return what positions in which the opponent is to move are worth, if the reader then challenges or stands."""
        made = self._mixing(self._hands, positions)
        at, worths, bids = positions.at(made.row), np.zeros(len(made.row)), made.count > 0
        worths[~bids] = counted(self._hands, at.turns.at(~bids), self._seat)
        if bids.any():
            worths[bids] = self._challenged(at.at(bids).after(made.count[bids], made.rank[bids]))
        return np.bincount(made.row, made.share * worths, len(positions.path))

    def _challenged(self, positions: Positions) -> Array:
        """Return what it is worth to challenge the opponent's bids; it may answer, unless it has bid twice."""
        rebid = positions.turns.rebid == 1
        worths = np.zeros(len(rebid))
        worths[rebid] = counted(self._hands, positions.turns.at(rebid), self._seat)
        if not rebid.all():
            rest = positions.at(~rebid)
            nothing = np.zeros(len(rest.path), np.int64)
            worths[~rebid] = self._replied(rest.after(nothing, nothing))
        return worths


def played(policy: Policy, mixing: Mixing, seed: int) -> float:
    """Return what a reader wins on average with both sides of a deal; the same seat begins."""
    luck = Random(seed)  # noqa: S311 - deals must repeat
    hands = [number(luck), number(luck)]
    lucks = [Random(f"{seed} {seat}") for seat in (0, 1)]  # noqa: S311 - same
    ends = [bidding(policy, partial(Reader, mixing), hands, seat, lucks[seat]) for seat in (0, 1)]
    return fmean(won(auction, hands, seat) for seat, auction in enumerate(ends))


def bidding(
    policy: Policy, reader: Callable[[int, Hand, Random], Any], hands: Sequence[Hand], seat: int, luck: Random
) -> Auction:
    """Return the bidding of a hand that a reader plays in a seat; seat 0 begins."""
    mine, auction = reader(seat, hands[seat], luck), opened(0)
    while auction.turn is not None:
        if auction.turn == seat:
            move = mine.move(auction)
        else:
            chances = policy(auction, hands[auction.turn])
            (move,) = luck.choices([*chances], [*chances.values()])
            mine.heard(auction, move)
        auction = moved(auction, move)
    return auction
