"""Solve the steps of Liars Dice whose player keeps some dice and never gives them up, with all hands apart."""

from __future__ import annotations

import attrs
import numpy as np

from lilygames.games.liarsdice.solved.mixes import added, reached
from lilygames.games.liarsdice.solved.solution import fallen, keeps

ALL = 5
ROUNDS = 400
Array = np.ndarray


@attrs.frozen(eq=False)
class Solved:
    """A step's value, and how much more a player gets who knows the opponent's mean strategy."""

    value: float
    gap: float


class Keeping:
    """The rolls of a player who keeps these dice; they are the same whatever the claim to beat."""

    def __init__(self, kept: int) -> None:
        choices = [added(kept, hand) for hand in reached(kept)]
        every = sorted({more for some in choices for more in some})
        none, width = len(every), max(map(len, choices))
        self.hands = np.array(reached(kept))
        self.mass = np.array(fallen(keeps()[kept]))[self.hands]
        self.fall = np.array([np.array(fallen(keeps()[more]))[self.hands] for more in every])
        self.way = np.array([ALL - len(keeps()[more]) for more in every])
        self.ways = 1 + ALL - len(keeps()[kept])
        self.choice = np.array([[*map(every.index, some), *[none] * (width - len(some))] for some in choices])
        self.there = np.concatenate([np.ones((len(choices), 1), bool), self.choice < none], 1)

    def solve(self, _: int, low: int, worth: Array, rounds: int = ROUNDS) -> Solved:
        """Solve the step in which so many hands are too low, by CFR+."""
        hands, said = self.hands, self.hands[low:]
        true, able = np.where(hands[:, None] >= said, 1.0, -1.0), (hands[:, None] <= said).astype(float)
        taken = worth[said][:, hands].T
        size = (self.ways, len(hands), len(said))
        regret, sums, says = np.zeros(size), np.zeros(size), np.broadcast_to(shared(able, able), size)
        accept, doubt, trust = (np.zeros((self.ways, len(said))) for _ in range(3))
        missed = np.zeros(self.there.shape)
        kept = shared(missed, self.there)
        for number in range(1, rounds + 1):
            often = shared(np.stack([accept, doubt], -1), np.ones(2))[..., 0]
            pays = true + often[:, None] * (-taken - true)
            gains = (says * pays).sum(2)
            regret = np.maximum(regret + pays - gains[:, :, None], 0) * able
            says = shared(regret, says)
            values = self._values(gains)
            missed = np.maximum(0, missed + values - (kept * values).sum(1)[:, None]) * self.there
            kept = shared(missed, self.there)
            made = self._ends(kept)[:, :, None] * says
            better, weight = (made * (taken + true)).sum(1), number * number
            trust, sums = trust + weight * often, sums + weight * made
            accept = np.maximum(0, accept + (1 - often) * better)
            doubt = np.maximum(0, doubt - often * better)
        total = sum(number * number for number in range(1, rounds + 1))
        pays = np.where(able > 0, true + (trust / total)[:, None] * (-taken - true), -2)
        high = float(self.mass @ self._values(pays.max(2)).max(1))
        sure = float(np.minimum((sums * -taken).sum(1), (sums * true).sum(1)).sum() / total)
        return Solved((high + sure) / 2, high - sure)

    def _values(self, ends: Array) -> Array:
        """Return the value of each choice by hand, from those of hands that are claimed about; stopping is first."""
        rolled = np.append((self.fall * ends[self.way]).sum(1), -2)
        return np.where(self.there, np.concatenate([ends[0][:, None], rolled[self.choice]], 1), -2)

    def _ends(self, kept: Array) -> Array:
        """Return how often the rolls end with each hand, by what the opponent sees."""
        reach = self.mass[:, None] * kept
        thrown = np.bincount(self.choice.ravel(), reach[:, 1:].ravel(), len(self.way) + 1)[:-1]
        found = np.array([(thrown * (self.way == way)) @ self.fall for way in range(self.ways)])
        found[0] += reach[:, 0]
        return found


def shared(rows: Array, otherwise: Array) -> Array:
    """Return rows as shares of their sums; those of other rows where a sum is zero."""
    total = rows.sum(-1, keepdims=True)
    return np.where(total > 0, rows, otherwise) / np.where(total > 0, total, otherwise.sum(-1, keepdims=True))
