"""Linear Monte Carlo CFR for Liar's Poker with two players, on many deals at once.

In each round one player tries kinds of moves, and the other plays its mixed strategy. This is external sampling
(Lanctot et al., Monte Carlo Sampling for Regret Minimization in Extensive Games, 2009). Kinds of moves that are seldom
chosen are tried less often, and their results count for more. Regrets and strategies of round t weigh t (Brown and
Sandholm, Solving Imperfect-Information Games via Discounted Regret Minimization, 2019).

Arrays have a row for each turn. A set of ranks is a number with one bit for each rank. So one array operation does the
turns of thousands of deals, and a round is 12 times as fast as in plain Python. A test compares the positions and moves
with those of `liarspoker.headsup`, which the shark plays by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

import attrs
import numpy as np

from lilygames.games.liarspoker.headsup import (
    BACK,
    HIGHER,
    HIGHER_BACK,
    HIGHER_OTHER,
    LAST_WORD,
    MUCH_HIGHER,
    OTHER,
    Key,
    Kind,
)
from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import RANKS, Bid
from lilygames_rules.bidding.stakes import SIX, Options, judged

Array = np.ndarray
LEVELS, EXTRAS, NEED = 5, 5, 4
"""Numbers of digits of a rank that are told apart, counts above them to open with, and most digits needed."""
OPENINGS, ANSWERS = LEVELS * EXTRAS, OTHER + 2 * LEVELS + 1
"""Kinds of moves before and after the first bid. The last kind is spare: 16 numbers fill whole cache lines."""
OPENING_SIZES = (6, 6, 4)
"""Values of the numbers in the key of a first bid: most digits, second most, and sixes."""
ANSWER_SIZES = (2, 8, LEVELS, 2, LEVELS, 2, 2 * LEVELS + 2, 2, 2, 3)
"""Values of the numbers in a later key, where the first two begin at 1."""
TRIED = 0.1
"""The least probability of trying a kind of move."""
SETS = 1 << (len(RANKS) + 1)
BITS = np.array([0, *(1 << rank for rank in RANKS)])
ABOVE = np.array([sum(1 << one for one in RANKS if one > rank) for rank in range(len(RANKS) + 1)])
"""Ranks above a rank, as a set; the ranks up to it cost a count more."""
SIZE = np.array([number.bit_count() for number in range(SETS)])
MEMBERS = np.array(
    [([rank for rank in RANKS if number >> rank & 1] + [0] * len(RANKS))[: len(RANKS)] for number in range(SETS)]
)
"""The ranks in each set."""
RISE = np.array([0, 0, 1, *(kind % 2 == HIGHER_BACK % 2 for kind in range(BACK, ANSWERS))])
"""Counts above the lowest for each kind of later move."""
RULES = Options()
STAKES = np.array(
    [
        [
            [judged(Bid(max(1, count), rank or 1), 2, own, slips.LONG * 2, RULES)[1] for own in (0, 1)]
            for rank in (0, *RANKS)
        ]
        for count in range(2 * slips.LONG + 1)
    ]
)
"""Stakes that a made bid wins, by count, rank, and whether the bidder holds any."""


@attrs.frozen(eq=False)
class Hands:
    """The digits of two players in many deals; row 2 * deal + seat."""

    held: Array
    """Digits of each rank; column 0 is unused."""
    levels: Array
    """The ranks with 0, 1, 2, 3, and 4 or more digits, as sets."""
    least: Array
    """The ranks with at least 0, 1, 2... digits, as sets; the last set is empty."""

    @classmethod
    def dealt(cls, rng: np.random.Generator, deals: int) -> Self:
        """Deal two numbers each."""
        digits = rng.integers(RANKS[0], RANKS[-1] + 1, size=(2 * deals, slips.LONG))
        return cls.of(np.stack([(digits == rank).sum(1) for rank in (0, *RANKS)], 1))

    @classmethod
    def of(cls, held: Array) -> Self:
        """Return the hands with so many digits of each rank."""
        level = np.minimum(held, LEVELS - 1)
        return cls(
            held,
            np.stack([(level == one) @ BITS for one in range(LEVELS)], 1),
            np.stack([(held >= one) @ BITS for one in range(slips.LONG + 2)], 1),
        )


@attrs.frozen(eq=False)
class Turns:
    """Turns in some deals: who is to move, and what has been bid. Count and rank 0 are none."""

    deal: Array
    seat: Array
    count: Array
    rank: Array
    bidder: Array
    rebid: Array
    again: Array
    raised: Array
    last: Array
    """The rank that each seat bid last, by row and seat."""

    @classmethod
    def first(cls, rng: np.random.Generator, deals: int) -> Self:
        """Return the first turns, of any seat."""
        nothing = np.zeros(deals, np.int64)
        return cls(
            deal=np.arange(deals),
            seat=rng.integers(0, 2, deals),
            count=nothing,
            rank=nothing,
            bidder=nothing - 1,
            rebid=nothing,
            again=nothing,
            raised=nothing,
            last=np.zeros((deals, 2), np.int64),
        )

    def at(self, rows: Array) -> Self:
        """Return some of the turns."""
        return type(self)(*(getattr(self, one.name)[rows] for one in attrs.fields(type(self))))

    def after(self, word: Array, count: Array, rank: Array) -> Self:
        """Return the turns after these moves: challenges that bidders may answer where `word` is true, or bids."""
        rows, mine = np.arange(len(self.deal)), own_last(self)
        last = self.last.copy()
        last[rows, self.seat] = np.where(word, mine, rank)
        raised = np.where(self.count == 0, 0, 1 + (count > self.count + (rank <= self.rank)))
        return type(self)(
            self.deal,
            np.where(word, self.bidder, 1 - self.seat),
            np.where(word, self.count, count),
            np.where(word, self.rank, rank),
            np.where(word, self.bidder, self.seat),
            np.where(word, self.rebid, self.seat == self.bidder),
            np.where(word, self.again, mine == rank),
            np.where(word, self.raised, raised),
            last,
        )


def own_last(turns: Turns) -> Array:
    """Return the rank that the player in turn bid last; 0 if none."""
    return turns.last[np.arange(len(turns.deal)), turns.seat]


@attrs.frozen(eq=False)
class Choices:
    """The choices in some turns: the place of each position in the sums, and the ranks of each kind of move."""

    place: Array
    ranks: Array
    """Sets of ranks by row and kind; the last word has rank 0 only."""


def opening(hands: Hands, turns: Turns) -> Choices:
    """Return the choices before the first bid."""
    row = 2 * turns.deal + turns.seat
    most = np.sort(hands.held[row], 1)
    key = (np.minimum(most[:, -1], 5), np.minimum(most[:, -2], 5), np.minimum(hands.held[row, SIX], 3))
    ranks = np.repeat(hands.levels[row], EXTRAS, axis=1)
    ranks[:, 0] = 0  # a count of none isn't a bid
    return Choices(np.ravel_multi_index(key, OPENING_SIZES) * OPENINGS, ranks)


def answering(hands: Hands, turns: Turns) -> Choices:
    """Return the choices after the first bid, as `headsup.answers` and `headsup.answer_key` do."""
    row, count, rank, mine = 2 * turns.deal + turns.seat, turns.count, turns.rank, own_last(turns)
    least, above = hands.least[row], ABOVE[rank]
    low, high = (_likely(least, above, count + more) for more in (0, 1))
    others = hands.levels[row] & ~(BITS[rank] | BITS[mine])[:, None]
    back = np.where(mine == rank, 0, BITS[mine])
    ranks = np.zeros((len(row), ANSWERS), np.int64)
    ranks[:, LAST_WORD] = 1
    ranks[:, HIGHER], ranks[:, MUCH_HIGHER] = BITS[rank] & low, BITS[rank] & high
    ranks[:, BACK], ranks[:, HIGHER_BACK] = back & low, back & high
    for level in range(LEVELS):
        some = others[:, level] & low
        cheapest = np.where(some & above, some & above, some)
        ranks[:, OTHER + 2 * level] = cheapest
        if level > 1:
            ranks[:, HIGHER_OTHER + 2 * level] = cheapest & high
    return Choices(OPENINGS * np.prod(OPENING_SIZES) + ANSWERS * _position(hands, turns, others), ranks)


def _likely(least: Array, above: Array, count: Array) -> Array:
    """Return the ranks of which a bid needs few enough digits: `count` of a rank above, or one more of another."""
    rows, top = np.arange(len(count)), least.shape[1] - 1
    enough = least[rows, np.clip(count - NEED, 0, top)]
    return (enough & above) | (least[rows, np.clip(count + 1 - NEED, 0, top)] & ~above)


def _position(hands: Hands, turns: Turns, others: Array) -> Array:
    """Return the number of each position, given the sets of other ranks by level."""
    row, rank, mine = 2 * turns.deal + turns.seat, turns.rank, own_last(turns)
    most = LEVELS - 1 - (others[:, ::-1] > 0).argmax(1)
    cheap = (others[np.arange(len(row)), most] & ABOVE[rank]) > 0
    level = np.minimum(hands.held, LEVELS - 1)
    back = np.where(
        (mine == 0) | (mine == rank), 2 * LEVELS + (mine == rank), level[row, mine] + LEVELS * (mine > rank)
    )
    own, count = turns.seat == turns.bidder, np.minimum(turns.count, ANSWER_SIZES[1]) - 1
    key = (own, count, level[row, rank], rank == SIX, most, cheap, back, turns.again, turns.rebid, turns.raised)
    return np.ravel_multi_index([np.asarray(one, np.int64) for one in key], ANSWER_SIZES)


@attrs.frozen(eq=False)
class Moves:
    """Moves in some turns: their kinds, and the ranks that each may bid, as sets."""

    turns: Turns
    ranks: Array
    kind: Array

    @property
    def word(self) -> Array:
        """Which of them challenge or stand."""
        return (self.kind == LAST_WORD) & (self.turns.count > 0)

    def at(self, rows: Array) -> Self:
        """Return some of the moves."""
        return type(self)(self.turns.at(rows), self.ranks[rows], self.kind[rows])

    def made(self, rng: np.random.Generator, hands: Hands) -> Turns:
        """Return the turns after these moves; the rank of each bid is drawn."""
        turns, some = self.turns, self.ranks & ~1
        rank = MEMBERS[some, (rng.random(len(some)) * SIZE[some]).astype(np.int64)]
        if turns.count.any():
            return turns.after(self.word, turns.count + (rank <= turns.rank) + RISE[self.kind], rank)
        return turns.after(self.word, hands.held[2 * turns.deal + turns.seat, rank] + self.kind % EXTRAS, rank)


def counted(hands: Hands, turns: Turns, learner: int) -> Array:
    """Return the stakes that the learner wins when the standing bids are counted."""
    own = hands.held[2 * turns.deal + turns.bidder, turns.rank]
    total = own + hands.held[2 * turns.deal + 1 - turns.bidder, turns.rank]
    won = np.where(total < turns.count, -1, STAKES[turns.count, turns.rank, np.minimum(own, 1)])
    return np.where(turns.bidder == learner, won, -won).astype(float)


def shared(numbers: Array, allowed: Array) -> Array:
    """Return numbers as shares of those above zero, by row; equal shares if none is."""
    above = np.where(allowed & (numbers > 0), numbers, 0.0)
    total = above.sum(1, keepdims=True)
    return np.where(total > 0, above / np.where(total > 0, total, 1), allowed / allowed.sum(1, keepdims=True))


class Solver:
    """The sums of all positions: regrets, and how often each kind of move was chosen."""

    def __init__(self, seed: int, deals: int) -> None:
        places = int(OPENINGS * np.prod(OPENING_SIZES) + ANSWERS * np.prod(ANSWER_SIZES))
        self.regrets, self.chosen = np.zeros(places), np.zeros(places)
        self.rounds = 0
        self._seed, self._deals = seed, deals

    def save(self, file: Path) -> None:
        """Write the sums to a file beside the old one, then replace that."""
        new = file.with_name("new.npz")
        np.savez(new, rounds=self.rounds, regrets=self.regrets, chosen=self.chosen)
        new.replace(file)

    def load(self, file: Path) -> None:
        """Read the sums of an earlier run, to go on from there."""
        kept = np.load(file)
        self.rounds, self.regrets, self.chosen = int(kept["rounds"]), kept["regrets"], kept["chosen"]

    def learn(self) -> None:
        """Play a round of deals; players take turns to learn. Its luck depends only on the seed and the round."""
        self.rounds += 1
        rng = np.random.default_rng([self._seed, self.rounds])
        hands = Hands.dealt(rng, self._deals)
        self._played(rng, hands, Turns.first(rng, self._deals), self.rounds % 2)

    def _played(self, rng: np.random.Generator, hands: Hands, turns: Turns, learner: int) -> Array:
        """Play on from some turns, all at the same depth, and return what they are worth to the learner."""
        if not len(turns.deal):
            return np.zeros(0)
        first = not turns.count[0]
        choices = (opening if first else answering)(hands, turns)
        allowed, learns = choices.ranks > 0, turns.seat == learner
        places = choices.place[:, None] + np.arange(allowed.shape[1])
        shares = shared(self.regrets[places], allowed)
        tried = np.where(allowed, np.minimum(1, np.maximum(TRIED, shares * (1 + TRIED))), 0)
        makes = np.where(learns[:, None], rng.random(shares.shape) < tried, _drawn(rng, shares))
        row, kind = np.nonzero(makes)
        worths = np.zeros(shares.shape)
        worths[row, kind] = self._made(rng, hands, Moves(turns.at(row), choices.ranks[row, kind], kind), learner)
        worths *= np.where(learns[:, None] & allowed, 1 / np.where(allowed, tried, 1), 1)
        mean = np.where(learns, (shares * worths).sum(1), worths.sum(1))
        self._add(self.regrets, places[learns], np.where(allowed, worths - mean[:, None], 0)[learns])
        self._add(self.chosen, places[~learns], shares[~learns])
        return mean

    def _made(self, rng: np.random.Generator, hands: Hands, moves: Moves, learner: int) -> Array:
        """Return what moves are worth to the learner."""
        turns = moves.turns
        ends = moves.word & ((turns.seat == turns.bidder) | (turns.rebid == 1))
        worth = np.zeros(len(ends))
        worth[ends] = counted(hands, turns.at(ends), learner)
        worth[~ends] = self._played(rng, hands, moves.at(~ends).made(rng, hands), learner)
        return worth

    def _add(self, sums: Array, places: Array, more: Array) -> None:
        np.add.at(sums, places.ravel(), self.rounds / self._deals * more.ravel())

    def positions(self) -> Iterator[tuple[Key, Sequence[tuple[Kind, float]]]]:
        """Yield each position that has come up, with how often each kind of move was chosen in all rounds.

        Sums are rounded, so that their last bits don't change a table.
        """
        split, rounded = OPENINGS * int(np.prod(OPENING_SIZES)), self.chosen.astype(np.float32)
        first, later = rounded[:split].reshape(-1, OPENINGS), rounded[split:].reshape(-1, ANSWERS)
        width = len(ANSWER_SIZES)
        for place in np.nonzero(first.sum(1))[0]:
            key = np.unravel_index(place, OPENING_SIZES)
            yield (0, *map(int, key), *[0] * (width - 1 - len(key))), _kinds(first[place])
        for place in np.nonzero(later.sum(1))[0]:
            own, count, *rest = map(int, np.unravel_index(place, ANSWER_SIZES))
            yield (1 + own, 1 + count, *rest), _kinds(later[place])


def _drawn(rng: np.random.Generator, shares: Array) -> Array:
    """Draw one kind of move in each row, and return which it is, by row and kind."""
    upto = np.cumsum(shares, 1)
    drawn = (upto <= (rng.random(len(shares)) * upto[:, -1] * (1 - 1e-12))[:, None]).sum(1)
    return drawn[:, None] == np.arange(shares.shape[1])


def _kinds(chosen: Array) -> list[tuple[Kind, float]]:
    return [(int(kind), float(chosen[kind])) for kind in np.nonzero(chosen)[0]]
