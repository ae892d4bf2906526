"""Solve how to play the steps of Liars Dice that keep pairs or better, by linear programming with all hands apart.

How often each claim is believed holds against a player who may keep any dice and make any claim. How the player rolls
and claims is about the dice that are worth keeping, and about claims that these dice can become.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from lab.solving.apart import FALLS, ROLLED, RUNGS, Array
from lab.solving.breaking import breaks
from lilygames.games.liarsdice.solved.mixes import STOP, added, junk, reached
from lilygames.games.liarsdice.solved.solution import keeps, keeps_of, places
from lilygames_rules.dice.cup import DICE, SIDES

SHADE = 1e-6
"""The loss of a true claim for each hand by which it is too low, so that the truth is told if nothing else is."""
HARDLY = 1e-12
"""The least probability of a claim or a choice that counts."""
Hand = int
Seconds = Mapping[Hand, Sequence[int]]


@attrs.frozen(eq=False)
class Bluff:
    """How often the dice are broken up, and then: rolls by number of dice, and claims by what the opponent sees."""

    often: float
    rolls: Array
    told: Array


@attrs.frozen(eq=False)
class Played:
    """How often to make which choice: by hand, and claims by what the opponent sees, too.

    `trust` is how often each claim is believed.
    """

    rolls: Array
    told: Array
    trust: Array
    bluff: Bluff | None


def played(kept: int, low: int, worth: Array) -> Played:
    """Solve the step that keeps these dice under claims that so many of the hands don't beat."""
    hands = reached(kept)
    own = _firsts(kept) if breaks(kept) else [kept]
    some = {hand: added(kept, hand) if hand in hands else _useless(kept, hand) for hand in _after(own)}
    return _mixed(kept, Linear(own, some, hands[low:], worth, hands), hands[low:], trusted(kept, low, worth))


def trusted(kept: int, low: int, worth: Array) -> Array:
    """Return how often each claim is believed, by what the opponent sees, in such a step."""
    firsts, hands = _firsts(kept), reached(kept)
    ways = range(1 + ROLLED[kept])
    every = {hand: [one for one in keeps_of(hand) if ROLLED[one] in ways] for hand in _after(firsts)}
    return Linear(firsts, every, range(hands[low], RUNGS), worth, hands).believed(hands[low:])


def _firsts(kept: int) -> list[int]:
    """Return all ways to keep so many dice of a hand with these dice and other ones."""
    return [one for one in keeps_of(_example(kept)) if ROLLED[one] == ROLLED[kept]]


def _example(kept: int) -> Hand:
    """Return a hand with these dice and other ones."""
    dice = keeps()[kept]
    others = [face for face in range(1, SIDES + 1) if face not in dice]
    return places()[tuple(sorted((*dice, *others[1 : 1 + DICE - len(dice)])))]


def _after(firsts: Sequence[int]) -> list[Hand]:
    return [int(hand) for hand in np.flatnonzero(FALLS[[*firsts]].sum(0))]


def _useless(kept: int, hand: Hand) -> list[int]:
    """Return what to keep from a hand that the dice can't become."""
    return [junk(kept, hand, dice) for dice in range(1, 1 + ROLLED[kept])]


class Linear:
    """The linear program of a step, and its solution.

    It has the dice that can be kept first and then by hand, and the claims that may be made. A claim that isn't among
    the usual ones is believed as often as the next higher one of those, or never.
    """

    def __init__(
        self, firsts: Sequence[int], seconds: Seconds, claims: Sequence[int], worth: Array, usual: Sequence[int]
    ) -> None:
        self._firsts, self._seconds, self._claims, self._worth = firsts, seconds, claims, worth
        self._as_true = {said: next((one for one in usual if one >= said), None) for said in claims}
        self._number: dict[object, int] = {}
        self._terms: list[tuple[int, int, float]] = []
        self._least: list[float] = []
        self._rows: dict[object, int] = {}
        for key, terms, least in self._constraints():
            self._rows[key] = len(self._least)
            self._terms += [(len(self._least), self._variable(one), share) for one, share in terms]
            self._least.append(least)
        self._found = self._solved()

    def _variable(self, key: object) -> int:
        return self._number.setdefault(key, len(self._number))

    def _solved(self) -> tuple[Array, Array]:
        """Return the variables, and how often the choice behind each constraint is made."""
        rows, columns, shares = map(np.array, zip(*self._terms, strict=True))
        bounds = [(0, 1) if isinstance(key, tuple) and key[0] == "believed" else (-1, 1) for key in self._number]
        cost = np.zeros(len(bounds))
        cost[self._number["worth"]] = 1
        found = linprog(
            cost, A_ub=-csr_array((shares, (rows, columns))), b_ub=-np.array(self._least), bounds=bounds, method="highs"
        )
        return found.x, np.maximum(0, -found.ineqlin.marginals)

    def _constraints(self) -> Iterator[tuple[object, list[tuple[object, float]], float]]:
        """Yield what each choice is worth, at most: its name, the terms, and what they must come to at least."""
        ends: dict[int, set[Hand]] = {0: set(self._seconds)}
        for first in self._firsts:
            yield first, [("worth", 1.0), *_minus("after", first)], 0.0
        for hand, some in self._seconds.items():
            yield (hand, STOP), [(("after", hand), 1.0), (("end", 0, hand), -1.0)], 0.0
            for second in some:
                way = int(ROLLED[second])
                ends.setdefault(way, set()).update(map(int, np.flatnonzero(FALLS[second])))
                yield (hand, second), [(("after", hand), 1.0), *_minus("end", second, way)], 0.0
        for way, some_hands in ends.items():
            for hand in sorted(some_hands):
                for said in self._claims:
                    yield (way, hand, said), *self._claimed(way, hand, said)

    def _claimed(self, way: int, hand: Hand, said: int) -> tuple[list[tuple[object, float]], float]:
        """Return the terms of a claim, and what they must come to at least."""
        as_true, true = self._as_true[said], hand >= said
        shade = SHADE * (hand - said) if true else 0.0
        pays = 1.0 if true else -1.0
        terms: list[tuple[object, float]] = [(("end", way, hand), 1.0)]
        if as_true is not None:
            terms.append((("believed", way, as_true), pays + self._worth[said, hand]))
        return terms, pays - shade

    def believed(self, said: Sequence[int]) -> Array:
        """Return how often each claim is believed, by what the opponent sees."""
        ways = range(1 + max(key[1] for key in self._number if isinstance(key, tuple) and key[0] == "believed"))
        return np.array([[self._found[0][self._number["believed", way, one]] for one in said] for way in ways])

    def often(self, *key: object) -> float:
        """Return how often a choice is made; 0 for one that isn't there."""
        row = self._rows.get(key if len(key) > 1 else key[0])
        return 0.0 if row is None else float(self._found[1][row])


def _minus(kind: str, kept: int, *way: int) -> list[tuple[object, float]]:
    """Return what a roll of all dice but these is worth, to be subtracted."""
    return [((kind, *way, int(hand)), -float(FALLS[kept, hand])) for hand in np.flatnonzero(FALLS[kept])]


def _mixed(kept: int, found: Linear, said: Sequence[int], trust: Array) -> Played:
    hands, ways = reached(kept), range(1 + int(ROLLED[kept]))
    choices = [(STOP, *added(kept, hand)) for hand in hands]
    rolls = np.zeros((len(hands), max(map(len, choices))))
    for row, hand, some in zip(rolls, hands, choices, strict=True):
        row[: len(some)] = [found.often(hand, one) for one in some]
        row[0] += row.sum() < HARDLY
    told = np.array([[[_told(found, way, hand, one) for one in said] for hand in hands] for way in ways])
    return Played(rolls, told, trust, _bluff(kept, found, said) if breaks(kept) else None)


def _told(found: Linear, way: int, hand: Hand, said: int) -> float:
    """Return how often a claim is made; one that is too low counts as the truth."""
    often = found.often(way, hand, said)
    return often if said >= hand else 0.0


def _bluff(kept: int, found: Linear, said: Sequence[int]) -> Bluff:
    """Return how often the dice are broken up, and what follows."""
    dice = range(1, 1 + int(ROLLED[kept]))
    useless = np.setdiff1d(np.arange(RUNGS), reached(kept))
    rolls = [sum(found.often(int(hand), STOP) for hand in useless)]
    rolls += [sum(found.often(int(hand), junk(kept, int(hand), many)) for hand in useless) for many in dice]
    told = [[sum(found.often(way, int(hand), one) for hand in useless) for one in said] for way in (0, *dice)]
    return Bluff(1 - found.often(kept), np.array(rolls), np.array(told))
