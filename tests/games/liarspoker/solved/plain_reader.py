"""The reader of Liar's Poker in plain Python: it walks through all moves that it thinks of.

It is slow, but short enough to check by reading. `lab/solving/liarspoker_reader.py` must make the same moves.
"""

from __future__ import annotations

from lab.solving.liarspoker_reader import AHEAD, FEW, IMAGINED, TOO_MANY, moved, number, won
from lilygames_rules.bidding import ladder, slips
from lilygames_rules.bidding.ladder import RANKS, Bid


class Reader:
    """The reader in a seat, with its own digits."""

    def __init__(self, policy, seat, own, luck):
        self._policy, self._seat, self._own, self._luck = policy, seat, own, luck
        self._worlds = [(1 / IMAGINED, number(luck)) for _ in range(IMAGINED)]

    def heard(self, auction, move):
        """Learn from a move of the opponent. If no hand imagined makes it, imagine others."""
        some = [(weight * self._policy(auction, hand).get(move, 0.0), hand) for weight, hand in self._worlds]
        total = sum(weight for weight, _ in some)
        if total:
            self._worlds = [(weight / total, hand) for weight, hand in some if weight]
        else:
            self._worlds = [(1 / IMAGINED, number(self._luck)) for _ in range(IMAGINED)]

    def move(self, auction):
        """Return the move that is worth most."""
        return self._best(self._worlds, auction, 1)[1]

    def _best(self, worlds, auction, ahead):
        """Return the best move with its value; without looking ahead it can't be a bid."""
        found = []
        if auction.bid is not None:
            answer = ladder.choices(auction)[0]
            found.append((self._worth(worlds, moved(auction, answer), ahead), answer))
        if ahead or auction.bid is None:
            some = self._fewer(worlds)
            found += [(self._worth(some, moved(auction, bid), ahead - 1), bid) for bid in self._bids(worlds, auction)]
        return max(found, key=lambda one: one[0])

    def _bids(self, worlds, auction):
        """Return the bids to consider."""
        found = []
        for rank in RANKS:
            least = 1 if auction.bid is None else auction.bid.count + (rank <= auction.bid.rank)
            expected = self._own[rank] + sum(weight * hand[rank] for weight, hand in worlds)
            first = least if auction.bid else max(least, self._own[rank])
            last = min(2 * slips.LONG, int(expected + TOO_MANY), first + AHEAD)
            found += [Bid(count, rank) for count in range(first, last + 1)]
        return found

    def _worth(self, worlds, auction, ahead):
        """Return the value of a position, where the hands' weights sum to 1."""
        if auction.turn is None:
            return sum(weight * won(auction, self._hands(hand), self._seat) for weight, hand in worlds)
        if auction.turn == self._seat:
            return self._best(worlds, auction, ahead)[0]
        after = {}
        for weight, hand in worlds:
            for move, often in self._policy(auction, hand).items():
                after.setdefault(move, []).append((weight * often, hand))
        worth = 0.0
        for move, some in after.items():
            total = sum(weight for weight, _ in some)
            worth += total * self._worth([(weight / total, hand) for weight, hand in some], moved(auction, move), ahead)
        return worth

    def _hands(self, other):
        return (self._own, other) if self._seat == 0 else (other, self._own)

    def _fewer(self, worlds):
        if len(worlds) <= FEW:
            return worlds
        some = self._luck.choices([hand for _, hand in worlds], [weight for weight, _ in worlds], k=FEW)
        return [(1 / FEW, hand) for hand in some]
