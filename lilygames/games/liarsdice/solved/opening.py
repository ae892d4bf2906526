"""How a player of two-player Liars Dice plays the first step of a round, so that no answer wins from it.

The dice that this player keeps lie open. So what everyone sees after a roll are the dice kept in it, and only the
others are secret. `lab/solve-liarsdice` solves what follows each such roll by linear programming, with all hands
apart.

The file has two bytes for the value of each choice of dice to keep in the second roll, and in the third. Then it has
what follows the first roll, and each choice of dice for the second roll and for the third: two bytes for how often each
claim is believed, and one for how often each hand stops, and makes each claim. The file is compressed by zlib.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO

import attrs

from lilygames.games.liarsdice.solved.mixes import STOP, Hand, Shares, reached, row
from lilygames.games.liarsdice.solved.solution import feared, keeps, keeps_of, numbers

_BYTE = 255
Way = int
"""0 after the first roll; later the dice kept in the second, and after those the dice kept in the third."""


@attrs.frozen(eq=False)
class Round:
    """The play after a roll with these dice open: how often to believe each claim, and by hand to stop and claim what.

    The numbers are in the order of the hands that can be reached.
    """

    kept: int
    trust: Sequence[float]
    stops: bytes
    claims: Sequence[bytes]

    def believed(self, said: Hand) -> float:
        """Return how often to believe a claim: one that no roll makes is as true as the next higher one."""
        place = bisect_left(reached(self.kept), said)
        return self.trust[place] if place < len(self.trust) else 0.0

    def told(self, hand: Hand) -> Shares | None:
        """Return how often to make which claim; None for a hand that can't come up."""
        hands = reached(self.kept)
        place = bisect_left(hands, hand)
        if place == len(hands) or hands[place] != hand:
            return None
        return row(zip(hands[place:], self.claims[place], strict=True))

    def stopped(self, hand: Hand) -> float:
        """Return how often to stop with a hand that can come up."""
        return self.stops[bisect_left(reached(self.kept), hand)] / _BYTE

    def lie(self) -> float:
        """Return what a liar gets on average over the dice lied about."""
        fears = feared(self.kept)
        return max(often * (1 - fears[said]) for said, often in zip(reached(self.kept), self.trust, strict=True)) - 1


@attrs.frozen(eq=False)
class Opening:
    """The first step: the values of dice to keep by roll, and what follows each roll."""

    values: Sequence[Sequence[float]]
    rounds: Sequence[Round]

    def rolls(self, way: Way, hand: Hand) -> Shares | None:
        """Return how often to keep which dice; None if the rolls are over."""
        later = int(way > 0)
        if way > len(keeps()):
            return None
        stop = self.rounds[way].stopped(hand)
        best = max(keeps_of(hand), key=self.values[later].__getitem__)
        return {choice: often for choice, often in ((STOP, stop), (best, 1 - stop)) if often}

    def told(self, way: Way, hand: Hand) -> Shares | None:
        """Return how often to make which claim; None for a hand that can't come up."""
        return self.rounds[way].told(hand)

    def believed(self, way: Way, said: Hand) -> float:
        """Return how often to believe a claim."""
        return self.rounds[way].believed(said)


@cache
def first_step() -> Opening:
    """Load the first step."""
    file = BytesIO(zlib.decompress((files(__package__) / "opening.bin").read_bytes()))
    every = range(len(keeps()))
    values = [numbers(file.read(2 * len(every))) for _ in range(2)]
    return Opening(values, [_round(kept, file) for kept in (0, *every, *every)])


def _round(kept: int, file: BytesIO) -> Round:
    many = len(reached(kept))
    trust, stops = numbers(file.read(2 * many)), file.read(many)
    return Round(kept, trust, stops, [file.read(left) for left in range(many, 0, -1)])
