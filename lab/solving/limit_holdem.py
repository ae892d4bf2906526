"""Linear Monte Carlo CFR for two-player limit hold'em whose players tell only groups of hole cards apart.

Each round samples complete boards, deals 23 hands on each, and lets every hand play every other one in the whole
betting tree at once. Regrets and strategies of round t weigh t (Brown and Sandholm, Solving Imperfect-Information Games
via Discounted Regret Minimization, 2019). Both players make any move with a small probability, so that the answers to
moves that a good player never makes are sensible, too. Arrays have a row for each line and a column for each hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import attrs
import numpy as np

from lab.solving.holdem_deals import CLASSES, HOLES, Deals
from lilygames.games.lilypoker.solved.groups import PAIR_CLASSES
from lilygames.games.lilypoker.solved.solution import MIXES, STEPS
from lilygames.games.lilypoker.views.lines import (
    CALL,
    FOLD,
    RAISE,
    STREETS,
    after_raise,
    by_second,
    decisions,
    ends,
    lines,
    may,
)

Array = np.ndarray
HANDS = 23
"""Hands that can be dealt from the cards that aren't on a board; a card is left."""
TREMBLE = 0.01
BLIND = 0.5
"""The small blind, in small bets."""
BETS = (1, 1, 2, 2)
"""Size of a bet by street, in small bets."""
NOTHING = np.float32(1e-9)
CHOICES = (FOLD, CALL, RAISE)


def paid_before(street: int) -> Array:
    """Return what each player has paid before a street, by line, in small bets."""
    if not street:
        return np.ones(1, np.float32)
    more = np.array([(end + 1) // 2 for end in range(ends(street - 1))], np.float32) * BETS[street - 1]
    return (paid_before(street - 1)[:, None] + more).reshape(-1)


def folded(street: int, decision: int) -> float:
    """Return what the player to decide has paid on this street, in small bets; the small blind lacks half of one."""
    if decision == 0:
        return -BLIND
    return (decision // 2 - 1) * BETS[street]


@attrs.frozen(eq=False)
class Dealt:
    """Hands on some boards, worst first: by board and hand, their groups by street, and their rivals' places.

    The hands before the place in `worse` are worse, and those from the place in `better` on are better.
    """

    groups: Sequence[Array]
    worse: Array
    better: Array


def dealt(deals: Deals, boards: Array, rng: np.random.Generator) -> Dealt:
    """Deal hands on these boards."""
    numbers = np.empty((len(boards), HANDS), int)
    for row, board in enumerate(boards):
        free = np.ones(52, bool)
        free[deals.boards[board]] = False
        cards = np.sort(rng.permutation(np.flatnonzero(free))[: 2 * HANDS].reshape(HANDS, 2), 1)
        numbers[row] = _NUMBER[cards[:, 0], cards[:, 1]]
    strength = np.take_along_axis(deals.strength[boards], numbers, 1)
    order = np.argsort(strength, 1, kind="stable")
    numbers, strength = (np.take_along_axis(rows, order, 1) for rows in (numbers, strength))
    later = [np.take_along_axis(deals.groups[boards, street], numbers, 1) for street in range(STREETS - 1)]
    return Dealt([CLASSES[numbers], *later], *places(strength))


def places(strength: Array) -> tuple[Array, Array]:
    """Return how many hands of the same row are worse than each one, and how many are not better."""
    worse = (strength[:, :, None] > strength[:, None, :]).sum(2)
    return worse, (strength[:, :, None] >= strength[:, None, :]).sum(2)


_NUMBER = np.zeros((52, 52), int)
_NUMBER[HOLES[:, 0], HOLES[:, 1]] = np.arange(len(HOLES))


class Columns:
    """The hands of a round as columns, and their groups on a street."""

    def __init__(self, groups: Array, number: int) -> None:
        self.groups = groups.reshape(-1).astype(np.intp)
        self._number = number
        self._order = np.argsort(self.groups, kind="stable")
        self._present, self._starts = np.unique(self.groups[self._order], return_index=True)

    def each(self, by_group: Array) -> Array:
        """Return a value by group for each hand."""
        return np.take(by_group, self.groups, 1)

    def summed(self, by_hand: Array) -> Array:
        """Return the sums over hands by group."""
        found = np.zeros((len(by_hand), self._number), np.float32)
        found[:, self._present] = np.add.reduceat(np.take(by_hand, self._order, 1), self._starts, 1)
        return found


class Street:
    """The sums of regrets and strategies on a street, by decision, choice, line and group."""

    def __init__(self, street: int, groups: int) -> None:
        shape = (decisions(street), len(CHOICES), lines(street), groups)
        self.street, self.groups = street, groups
        self.regrets, self.told = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self._may = np.array([[may(street, one, choice) for choice in CHOICES] for one in range(shape[0])])

    def choices(self, decision: int) -> list[int]:
        """Return the choices of a decision."""
        return [choice for choice in CHOICES if self._may[decision, choice]]

    def now(self, decision: int) -> Array:
        """Return the present strategy of a decision, by choice, line and group."""
        return _mixed(self.regrets[decision], self._may[decision])

    def mean(self, decision: int) -> Array:
        """Return the mean strategy of a decision; the present one where it never came up."""
        told = self.told[decision]
        total = told.sum(0)
        return np.where(total > 0, told / np.where(total > 0, total, 1), self.now(decision))


def _mixed(regrets: Array, allowed: Array) -> Array:
    """Return shares in proportion to positive regrets; equal ones if there are none."""
    positive = np.maximum(regrets, NOTHING) * allowed[:, None, None]
    positive /= positive.sum(0)
    return positive


def nearest(shares: Array) -> Array:
    """Return the numbers of the mixes nearest to these shares; the first axis has fold, call and raise."""
    wanted = np.moveaxis(shares, 0, -1) * STEPS
    whole = np.floor(wanted).astype(int)
    place = np.argsort(np.argsort(whole - wanted, -1, kind="stable"), -1)
    whole += place < (STEPS - whole.sum(-1))[..., None]
    return _MIXES[whole[..., 0], whole[..., 1]]


_MIXES = np.zeros((STEPS + 1, STEPS + 1), np.uint8)
for _number, (_fold, _call, _) in enumerate(MIXES):
    _MIXES[_fold, _call] = _number


class Solver:
    """The strategies of both players, and the rounds that they have learned from."""

    def __init__(self, groups: Sequence[int]) -> None:
        self.streets = [Street(street, number) for street, number in enumerate((PAIR_CLASSES, *groups))]
        self.rounds = 0

    def learn(self, hands: Dealt) -> None:
        """Let one player learn from the hands, the other one in the next round."""
        self.rounds += 1
        columns = [Columns(groups, one.groups) for groups, one in zip(hands.groups, self.streets, strict=True)]
        all_hands = np.ones((1, columns[0].groups.size), np.float32)
        learning = _Round(self.streets, columns, hands, self.rounds, dealer=bool(self.rounds % 2))
        learning.values(0, Reach(all_hands, all_hands))


@attrs.frozen(eq=False)
class Reach:
    """How often the learner's and the other player's hands get somewhere, by line and hand."""

    own: Array
    other: Array


class _Round:
    """A round of learning for one player: the dealer, who posts the small blind, or the other one."""

    def __init__(
        self, streets: Sequence[Street], columns: Sequence[Columns], hands: Dealt, weight: int, *, dealer: bool
    ) -> None:
        self._streets, self._columns = streets, columns
        self._boards, self._hands = hands.worse.shape
        start = (self._hands + 1) * np.arange(self._boards)[:, None]
        self._worse, self._better = (start + hands.worse).reshape(-1), (start + hands.better).reshape(-1)
        self._dealer, self._weight = dealer, np.float32(weight)

    def values(self, street: int, reach: Reach) -> Array:
        """Return the learner's values by line and hand, times how often the other player's hands get here."""
        mixes = self._mixes(street)
        gone, ended = self._walked(street, reach, mixes)
        return self._valued(street, mixes, gone, self._after(street, ended))

    def _learns(self, street: int, decision: int) -> bool:
        """Return whether the learner makes a decision; the dealer acts second, but before the flop first."""
        return by_second(decision) != (self._dealer == (street == 0))

    def _mixes(self, street: int) -> list[dict[int, Array]]:
        """Return the present strategies of a street's decisions, with all choices now and then."""
        where, found = self._streets[street], []
        for one in range(decisions(street)):
            now, legal = where.now(one), where.choices(one)
            often = np.float32(TREMBLE / len(legal))
            found.append({choice: (1 - TREMBLE) * now[choice] + often for choice in legal})
        return found

    def _walked(
        self, street: int, reach: Reach, mixes: Sequence[Mapping[int, Array]]
    ) -> tuple[dict[int, Array], Reach]:
        """Add to the mean strategies; return how often the other hand is there at each fold, and both at each end."""
        where, columns, gone, there = self._streets[street], self._columns[street], dict[int, Array](), {0: reach}
        shape = (len(reach.own), ends(street), reach.own.shape[1])
        ended = Reach(np.empty(shape, np.float32), np.empty(shape, np.float32))
        for one, mix in enumerate(mixes):
            now, learns = there[one], self._learns(street, one)
            if learns:
                where.told[one] += where.now(one) * (self._weight * columns.summed(now.own))
            for choice, often in mix.items():
                made = columns.each(often)
                after = Reach(now.own * made, now.other) if learns else Reach(now.own, now.other * made)
                if choice == FOLD:
                    gone[one] = after.other
                elif choice == RAISE or one == 0:
                    there[after_raise(one) if choice == RAISE else 1] = after
                else:
                    ended.own[:, one - 1], ended.other[:, one - 1] = after.own, after.other
        return gone, ended

    def _valued(
        self, street: int, mixes: Sequence[Mapping[int, Array]], gone: Mapping[int, Array], after: Array
    ) -> Array:
        """Add to the regrets; return the values at the start of the street."""
        where, columns, found = self._streets[street], self._columns[street], dict[int, Array]()
        before = paid_before(street)[:, None]
        for one, mix in reversed([*enumerate(mixes)]):
            learns, worth = self._learns(street, one), dict[int, Array]()
            for choice in mix:
                if choice == FOLD:
                    lost = before + folded(street, one)
                    worth[choice] = (-lost if learns else lost) * self._against(gone[one])
                elif choice == RAISE or one == 0:
                    worth[choice] = found[after_raise(one) if choice == RAISE else 1]
                else:
                    worth[choice] = after[:, one - 1]
            if not learns:
                found[one] = reduce(np.add, worth.values())
                continue
            found[one] = reduce(np.add, (columns.each(mix[choice]) * row for choice, row in worth.items()))
            sums = {choice: columns.summed(row) for choice, row in worth.items()}
            mean = sum(mix[choice] * row for choice, row in sums.items())
            for choice, row in sums.items():
                where.regrets[one, choice] += self._weight * (row - mean)
        return found[0]

    def _after(self, street: int, ended: Reach) -> Array:
        """Return the values after each end of a street, by line, end and hand."""
        own, other = (rows.reshape(-1, rows.shape[2]) for rows in (ended.own, ended.other))
        if street + 1 < STREETS:
            return self.values(street + 1, Reach(own, other)).reshape(ended.own.shape)
        bets = [(end + 1) // 2 * BETS[street] for end in range(ends(street))]
        paid = (paid_before(street)[:, None] + bets).reshape(-1, 1).astype(np.float32)
        return (self._won(other) * paid).reshape(ended.own.shape)

    def _won(self, other: Array) -> Array:
        """Return how often a worse hand on the same board gets to the showdown, less how often a better one does."""
        sums = np.zeros((len(other), self._boards, self._hands + 1), np.float32)
        np.cumsum(other.reshape(-1, self._boards, self._hands), 2, out=sums[:, :, 1:])
        flat = sums.reshape(len(other), -1)
        found = np.take(flat, self._worse, 1)
        found += np.take(flat, self._better, 1)
        each = found.reshape(-1, self._boards, self._hands)
        each -= sums[:, :, -1:]
        return found

    def _against(self, other: Array) -> Array:
        """Return how often any other hand on the same board gets here."""
        each = other.reshape(-1, self._boards, self._hands)
        return (each.sum(2, keepdims=True) - each).reshape(other.shape)
