"""Solve how often to believe claims about rolls of a single die first, by linear programming.

The opponent may have kept any four dice, and may roll up to three dice then. Beliefs keep each hand that the dice may
have been taken with from winning more than it is worth anyway, as far as possible. They are made for the lowest claim
of a step, under which the opponent has the most choice, and hands are worth the least under the highest one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from lab.solving.apart import FALLS, KEPT, ROLLED, RUNGS, Array
from lilygames.games.liarsdice.bots.beliefs import SECONDS, asked_about, category
from lilygames.games.liarsdice.solved.mixes import beaten, likeliest
from lilygames.games.liarsdice.solved.solution import hands as every
from lilygames.games.liarsdice.solved.solution import keeps, keeps_of
from lilygames_rules.dice.claims import Category, best

BYTE = 255
LIED_UNDER = {Category.THREE, Category.FULL}
"""Categories of claims under which two pairs or three of a kind are often kept after a lie, too."""
TWO = 2
Step = tuple[int, int, int]
"""The dice kept, the number of their hands that don't beat the claim, and its category."""
Terms = Sequence[tuple[Array | int, Array | float]]


@attrs.frozen
class Taken:
    """The lowest and the highest claim of a step, and all hands from which these dice are taken to be kept."""

    lowest: int
    highest: int
    hands: Sequence[int]


def packed(values: Array, planned: Collection[tuple[int, int]], worth: Array) -> bytes:
    """Return these beliefs as they are shipped (see `lilygames.games.liarsdice.bots.beliefs`)."""
    found = bytearray()
    for (kept, low, _), taken in sorted(steps(values, planned).items()):
        found += bytes((kept, low, taken.lowest))
        for trust in Linear(kept, taken, worth).solved():
            found += np.rint(trust * BYTE).astype(np.uint8).tobytes()
    return bytes(found)


def steps(values: Array, planned: Collection[tuple[int, int]]) -> Mapping[Step, Taken]:
    """Return the steps that keep four dice which have beliefs; four equal dice have plans of their own."""
    claims: dict[Step, list[int]] = {}
    taken: dict[Step, set[int]] = {}
    for claim in range(RUNGS - 1):
        row = values[claim].tolist()
        for hand in range(RUNGS):
            kept = likeliest(claim, _four(hand), row, planned)
            step = kept, beaten(claim, kept), category(claim)
            claims.setdefault(step, []).append(claim)
            taken.setdefault(step, set()).add(hand)
    return {
        step: Taken(claims[step][0], claims[step][-1], sorted(hands))
        for step, hands in taken.items()
        if _matters(step[0], claims[step], hands)
    }


def _matters(kept: int, claims: Sequence[int], hands: Collection[int]) -> bool:
    """Tell whether these dice are taken after a true claim, or often after a lie."""
    faces = len(set(keeps()[kept]))
    lied = faces == TWO and best(every()[claims[0]]).category in LIED_UNDER
    return lied or (faces > 1 and not {*claims}.isdisjoint(hands))


def _four(hand: int) -> list[int]:
    """Return the ways to keep four dice of a hand."""
    return [kept for kept in keeps_of(hand) if ROLLED[kept] == 1]


def _again(hand: int) -> list[int]:
    """Return the dice to keep of a hand for the second roll."""
    return [kept for kept in keeps_of(hand) if ROLLED[kept] in SECONDS]


class Linear:
    """The linear program of a step, whose variables are values of hands and how often claims are believed.

    `worth` is what hands are worth to their taker, by claim. Each constraint says that something is worth no less than
    one of its choices.
    """

    def __init__(self, kept: int, taken: Taken, worth: Array) -> None:
        self._taken, self._worth = taken, worth
        self._asked = asked_about(kept, taken.lowest)
        self._variables = self._constraints = 0
        self._value, self._after, self._thrown = map(self._more, (len(taken.hands), RUNGS, KEPT))
        self._end = [self._more(RUNGS) for _ in SECONDS]
        self._trust = [self._more(len(asked)) for asked in self._asked]
        self._terms: list[tuple[Array, Array, Array]] = []
        self._least: list[Array] = []
        self._constrain()

    def _more(self, many: int) -> Array:
        """Return the numbers of so many new variables."""
        self._variables += many
        return np.arange(self._variables - many, self._variables)

    def solved(self) -> list[Array]:
        """Return how often to believe claims, by the number of dice in the second roll."""
        rows, columns, shares = map(np.concatenate, zip(*self._terms, strict=True))
        cost, bounds = np.zeros(self._variables), np.tile([-1.0, 1.0], (self._variables, 1))
        cost[self._value] = 1
        bounds[self._value, 0] = self._worth[self._taken.highest, self._taken.hands]
        bounds[np.concatenate(self._trust), 0] = 0
        size = self._constraints, self._variables
        found = linprog(
            cost,
            A_ub=-csr_array((shares, (rows, columns)), size),
            b_ub=-np.concatenate(self._least),
            bounds=bounds,
            method="highs-ipm",
        )
        return [found.x[trust] for trust in self._trust]

    def _add(self, terms: Terms, least: Array | float) -> None:
        """Add constraints, one for each of `least`: the sum of variables times their shares is no less."""
        many = np.size(least)
        rows = np.arange(self._constraints, self._constraints + many)
        self._terms += [(rows, np.broadcast_to(one, many), np.broadcast_to(share, many)) for one, share in terms]
        self._least.append(np.broadcast_to(least, many))
        self._constraints += many

    def _constrain(self) -> None:
        for value, hand in zip(self._value, self._taken.hands, strict=True):
            for first in _four(hand):
                self._rolled(value, first, self._after)
        fell = np.flatnonzero(FALLS[sorted({first for hand in self._taken.hands for first in _four(hand)})].sum(0))
        self._add([(self._after[fell], 1.0), (self._end[0][fell], -1.0)], np.zeros(len(fell)))
        for hand in fell.tolist():
            for second in _again(hand):
                self._add([(self._after[hand], 1.0), (self._thrown[second], -1.0)], 0.0)
        seconds = sorted({second for hand in fell.tolist() for second in _again(hand)})
        for second in seconds:
            self._rolled(self._thrown[second], second, self._end[ROLLED[second]])
        for dice in SECONDS:
            ends = [second for second in seconds if ROLLED[second] == dice]
            self._claimed(dice, np.flatnonzero(FALLS[ends].sum(0)) if dice else fell)

    def _rolled(self, value: int, kept: int, after: Array) -> None:
        """Let a value be no less than what follows a roll of all dice but these."""
        fell = np.flatnonzero(FALLS[kept])
        self._add([(value, 1.0), *((after[hand], -FALLS[kept, hand]) for hand in fell)], 0.0)

    def _claimed(self, dice: int, hands: Array) -> None:
        """Let each hand be worth no less than any claim about it: the best of those that are believed alike."""
        for trust, said in zip(self._trust[dice], self._alike(dice), strict=True):
            taken = self._worth[said][:, hands]
            for which, pays in ((said[:, None] <= hands, 1.0), (said[:, None] > hands, -1.0)):
                some = which.any(0)
                least = np.where(which, taken, 1.0).min(0)[some]
                self._add([(self._end[dice][hands[some]], 1.0), (trust, pays + least)], np.full(some.sum(), pays))

    def _alike(self, dice: int) -> Iterator[Array]:
        """Yield the claims that are believed as often as each one in the table."""
        above = self._taken.lowest + 1
        for said in self._asked[dice]:
            yield np.arange(above, said + 1)
            above = said + 1
