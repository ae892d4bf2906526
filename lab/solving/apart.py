"""CFR+ for steps of Liars Dice with all hands apart: the rolls, the claims, and how often each is believed."""

from __future__ import annotations

import numpy as np

from lilygames.games.liarsdice.solved.solution import fallen, hands, keeps, keeps_of
from lilygames_rules.dice.cup import DICE

FACES_AT_MOST = 31
"""The most different ways to keep some of five dice."""
Array = np.ndarray

RUNGS, KEPT = len(hands()), len(keeps())
FALLS = np.array([fallen(kept) for kept in keeps()])
ROLLED = DICE - np.array([*map(len, keeps())])
WITH = [np.flatnonzero(rolled == ROLLED) for rolled in range(DICE + 1)]
UP_TO_ALL = range(1, DICE + 1)
CHOICES = np.array([[*keeps_of(one), *[KEPT] * (FACES_AT_MOST - len(keeps_of(one)))] for one in range(RUNGS)])
"""By hand, the ways to keep some of its dice, filled up with a number that stands for none."""
THERE = np.concatenate([CHOICES < KEPT, np.ones((RUNGS, 1), bool)], 1)
"""By hand, which of these are there; the last choice is not to roll."""


class Rolls:
    """CFR+ for what to keep, or whether to stop, by hand."""

    def __init__(self) -> None:
        self.regret, self.sums = np.zeros(THERE.shape), np.zeros(THERE.shape)
        self.plays = shared(self.regret, THERE)

    def worths(self, values: Array) -> Array:
        """Return the value of each hand, and update regrets."""
        gains = (self.plays * values).sum(1)
        self.regret = np.maximum(0, self.regret + values - gains[:, None]) * THERE
        self.plays = shared(self.regret, THERE)
        return gains

    def made(self, mass: Array, weight: float) -> tuple[Array, Array]:
        """Return how often hands that come up so often are kept, and how often which dice; add to the sums."""
        reach = mass[:, None] * self.plays
        self.sums += weight * reach
        return reach[:, -1], np.bincount(CHOICES.ravel(), reach[:, :-1].ravel(), KEPT + 1)


class Claims:
    """CFR+ for the claims above one, by what the opponent sees."""

    def __init__(self, claim: int, worth: Array, ways: int) -> None:
        said, every = np.arange(claim + 1, RUNGS), np.arange(RUNGS)[:, None]
        self.true = np.where(every >= said, 1, -1).astype(np.float32)
        self.able = (every <= said).astype(np.float32)
        self.taken = worth[said].T.astype(np.float32)
        self.gain = -self.taken - self.true
        size = (ways, RUNGS, len(said))
        self.regret, self.sums = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.says = np.broadcast_to(shared(self.able, self.able), size)
        self.accept, self.doubt, self.trust = (np.zeros((ways, len(said))) for _ in range(3))
        self.weights = 0.0

    def often(self) -> Array:
        """Return how often each claim is believed now."""
        total = self.accept + self.doubt
        return np.where(total > 0, self.accept / np.where(total > 0, total, 1), 0.5)

    def worths(self) -> Array:
        """Return the value of each hand, and update regrets."""
        pays = self.true + self.often()[:, None].astype(np.float32) * self.gain
        gains = np.einsum("hgc,hgc->hg", self.says, pays)
        self.regret = np.maximum(self.regret + pays - gains[:, :, None], 0) * self.able
        self.says = shared(self.regret, self.says)
        return gains.astype(float)

    def heard(self, mass: Array, weight: float) -> None:
        """Let the opponent learn from hands that come up so often."""
        often, made = self.often(), mass[:, :, None].astype(np.float32) * self.says
        better = np.einsum("hgc,gc->hc", made, -self.gain)
        self.trust += weight * often
        self.weights += weight
        self.sums += np.float32(weight) * made
        self.accept = np.maximum(0, self.accept + (1 - often) * better)
        self.doubt = np.maximum(0, self.doubt - often * better)

    def believed(self) -> Array:
        """Return how often each claim is believed on average, by way."""
        found: Array = self.trust / self.weights
        return found

    def best(self) -> Array:
        """Return what each hand is worth to someone who knows the mean strategy of the opponent."""
        often = self.believed()[:, None]
        return np.where(self.able > 0, self.true + often * self.gain, -2).max(2)

    def sure(self) -> float:
        """Return what the mean strategy is sure of."""
        believed, challenged = (np.einsum("hgc,gc->hc", self.sums, one) for one in (-self.taken, self.true))
        return float(np.minimum(believed, challenged).sum() / self.weights)

    def liars(self) -> Array:
        """Return what a liar gets who hasn't chosen the dice."""
        lies = np.where(self.true < 0, FALLS[0][:, None], 0)
        some = lies.sum(0)
        mean = np.where(some > 0, (lies * self.taken).sum(0) / np.where(some > 0, some, 1), self.taken.mean(0))
        found: Array = (self.believed() * (1 - mean) - 1).max(1)
        return found


def shared(rows: Array, otherwise: Array) -> Array:
    """Return rows as shares of their sums; those of other rows where a sum is zero."""
    total = rows.sum(-1, keepdims=True)
    return np.where(total > 0, rows, otherwise) / np.where(total > 0, total, otherwise.sum(-1, keepdims=True))


def choices(rolled: dict[int, Array], stopped: Array) -> Array:
    """Return the value of each choice by hand, from those of hands by the dice that were rolled last."""
    thrown = np.full(KEPT + 1, -2.0)
    for dice, after in rolled.items():
        thrown[WITH[dice]] = FALLS[WITH[dice]] @ after
    return np.where(THERE, np.concatenate([thrown[CHOICES], stopped[:, None]], 1), -2)
