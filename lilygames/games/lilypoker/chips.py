"""How a hand of poker may go on when all bet by rule of thumb on how good they think their cards are.

How good is a number between 0 and 1: the share of hands that are worse. Side pots are thought of as one pot.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import attrs

from rules.kit import Seat
from rules.poker.betting import Betting

FOLD, CALL, RAISE = range(3)
"""What may be done; to call nothing is to check, to raise nothing to bet."""
_SHARES = (0.3, 0.12, 0.05, 0.025, 0.015)
"""The share of hands that make a first bet, a raise, a raise of that..."""
_EAGER = 0.95
"""How often somebody bets who has the hand for it."""
_BLUFF = 0.06
"""How often somebody bets who has not."""
_CALLS = 1.7
"""How many more hands have called than have bet."""
_OUTS = 0.1
"""How often somebody wins at the showdown who has a worse hand than most who bet: some bluff."""
_CHANGES = 0.2
"""How much more often, when all cards are yet to come."""
_PRIDE = 0.15
"""How much more often people who have bet themselves think that they win."""
_DARING, _DECEIT = 0.15, 0.04
"""How likely somebody has bet a hand that is a bit worse than those that are usually bet, and one that is not."""
_ALMOST = 1.5
"""What is a bit worse."""
_TRAP = 0.3
"""How likely somebody has not bet a hand that is usually bet."""


@attrs.frozen(eq=False)
class Temper:
    """How somebody plays: how many hands, as a share of the usual ones, and how many more it thinks others bet."""

    plays: float
    doubts: float


TEMPERS = (Temper(0.7, 2.2), Temper(1.0, 1.5), Temper(1.0, 2.0), Temper(1.6, 2.2))
"""Tempers of others, each as likely: people call more than they should."""
OWN = Temper(1.0, 1.5)
"""The temper of a house player."""


@attrs.define(eq=False)
class Chips:
    """The chips of a hand as it goes on, by seat; `carried` is in the pot besides."""

    stacks: list[int]
    paid: list[int]
    bets: list[int]
    living: list[Seat]
    waiting: list[Seat]
    count: int
    """How many bets and raises the street has had, blinds apart."""
    least: int
    cap: int
    fixed: bool
    carried: int
    outs: float
    """How often a hand wins in the end that is worse than most of those who bet."""

    def copy(self) -> Chips:
        """Return the same chips, to go on with otherwise."""
        lists = (self.stacks[:], self.paid[:], self.bets[:], self.living[:], self.waiting[:])
        return Chips(*lists, self.count, self.least, self.cap, self.fixed, self.carried, self.outs)

    @property
    def pot(self) -> int:
        """All that is in the pot."""
        return self.carried + sum(self.paid)

    def street(self, order: Sequence[Seat], least: int) -> None:
        """Begin another street, in which those speak in that order who are in and have chips."""
        self.bets, self.count, self.least, self.outs = [0] * len(self.bets), 0, least, _OUTS
        self.waiting = [seat for seat in order if seat in self.living and self.stacks[seat]]

    def act(self, what: int, to: int = 0) -> None:
        """Let the seat on turn fold, call, or raise to so much."""
        seat = self.waiting.pop(0)
        if what == FOLD:
            self.living.remove(seat)
            return
        top = max(self.bets)
        goal = max(to, top + 1) if what == RAISE else top
        amount = min(goal - self.bets[seat], self.stacks[seat])
        self.stacks[seat] -= amount
        self.paid[seat] += amount
        self.bets[seat] += amount
        if self.bets[seat] > top:
            self.count += 1
            place = self.living.index(seat)
            ring = self.living[place + 1 :] + self.living[:place]
            self.waiting = [other for other in ring if self.stacks[other]]

    def usual(self) -> int:
        """Return to how much one usually raises: the least, or without fixed limit about two thirds of the pot."""
        top = max(self.bets)
        return top + self.least if self.fixed else top + max(self.least, 2 * self.pot // 3)

    def bet_on(self, good: Mapping[Seat, float], tempers: Mapping[Seat, Temper], rng: random.Random) -> None:
        """Let all who wait speak, until nobody does or one is left."""
        while self.waiting and len(self.living) > 1:
            seat = self.waiting[0]
            self.act(self.decided(good[seat], tempers[seat], rng), self.usual())

    def _rivals(self) -> int:
        """Return among how many a hand has to be good: who has checked has shown that it has none."""
        return len(self.living) if self.count else len(self.waiting)

    def decided(self, good: float, temper: Temper, rng: random.Random) -> int:
        """Return what the seat on turn does with so good a hand."""
        seat, top = self.waiting[0], max(self.bets)
        owed, rank, more = top - self.bets[seat], 1 - good, temper.plays * (2 / self._rivals()) ** 0.3
        may = self.count < self.cap and self.stacks[seat] > owed
        wanted = rank < _SHARES[min(self.count, 4)] * more
        if may and (rng.random() < _EAGER if wanted else not self.count and rng.random() < _BLUFF * temper.plays):
            return RAISE
        if not owed or wanted:
            return CALL
        share = _SHARES[min(max(0, self.count - 1), 4)] * temper.doubts * temper.plays
        won = 1.3 * self.outs * good + (1 - self.outs) * max(0.0, 1 - rank / share) + _PRIDE * (self.bets[seat] > 0)
        return CALL if won > owed / (self.pot + owed) else FOLD


def chips(now: Betting, *, blinds: bool, to_come: float) -> Chips:
    """Return the chips as the betting stands; the big blind is no bet, `to_come` how far all may change yet."""
    cap = now.terms.cap if now.terms.cap is not None else 4
    lists = (list(now.stacks), list(now.paid), list(now.bets), list(now.living), list(now.waiting))
    fixed, outs = now.terms.limit == "fixed", _OUTS + _CHANGES * to_come
    return Chips(*lists, max(0, now.count - blinds), max(1, now.least), cap - blinds, fixed, now.carried, outs)


def standing(count: int, good: float, temper: Temper, *, bettor: bool) -> float:
    """Return how likely somebody of so good a hand has bet, or has called, when a street had so many bets."""
    if not count:
        return _TRAP if 1 - good < _SHARES[0] * temper.plays else 1.0
    share = _SHARES[min(count - 1, 4)] * temper.plays * (1.0 if bettor else _CALLS)
    return 1.0 if 1 - good < share else _DARING if 1 - good < _ALMOST * share else _DECEIT
