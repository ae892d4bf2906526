"""Simulation of the betting in a poker hand: all seats bet by rule of thumb on the strength of their cards.

Strength is the share of worse hands, between 0 and 1. Side pots are treated as one pot.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import attrs

from lilygames_rules.kit import Seat
from lilygames_rules.poker.betting import Betting

FOLD, CALL, RAISE = range(3)
"""Actions; a call of nothing is a check, and a raise of nothing is a bet."""
_SHARES = (0.3, 0.12, 0.05, 0.025, 0.015)
"""Share of hands that make the first bet, a raise, a re-raise..."""
_EAGER = 0.95
"""Probability of betting with a strong enough hand."""
_BLUFF = 0.06
"""Probability of betting without one."""
CALLS = 1.7
"""Usual ratio of calling hands to betting hands."""
_OUTS = 0.1
"""Probability that a hand weaker than most betting hands still wins: some opponents bluff."""
_CHANGES = 0.2
"""Extra probability when all cards are still to come."""
_PRIDE = 0.15
"""Extra confidence of seats that have bet themselves."""
_DARING, _DECEIT = 0.15, 0.04
"""Probability that a slightly weaker hand was bet, and that a much weaker one was."""
_ALMOST = 1.5
"""The limit of "slightly weaker"."""
_TRAP = 0.3
"""Probability that a hand that is usually bet was not."""


@attrs.frozen(eq=False)
class Temper:
    """A playing style: hands played, relative to the usual share, and how many more hands others are thought to bet.

    `calls` is how many more hands it is thought to call than to bet. `opens` is how many hands make the first bet,
    relative to the usual share.
    """

    plays: float
    doubts: float
    calls: float = CALLS
    opens: float = 1.0


TEMPERS = (Temper(0.7, 2.2), Temper(1.0, 1.5), Temper(1.0, 2.0), Temper(1.6, 2.2))
"""Equally likely styles of opponents: people call too much."""
OPENER = Temper(1.0, 1.7, opens=3.0)
"""Someone who bets nearly any hand if nobody has bet yet."""
OWN = Temper(1.0, 1.5)
"""The bots' own style."""


@attrs.define(eq=False)
class Chips:
    """The chips of a simulated hand by seat; `carried` is also in the pot."""

    stacks: list[int]
    paid: list[int]
    bets: list[int]
    """Bets on this street; the last one isn't a seat's, but the full big blind, which all have to call."""
    living: list[Seat]
    waiting: list[Seat]
    count: int
    """Bets and raises on this street, without blinds."""
    least: int
    cap: int
    fixed: bool
    carried: int
    outs: float
    """Probability that a hand weaker than most betting hands wins in the end."""

    def copy(self) -> Chips:
        """Return a copy."""
        lists = (self.stacks[:], self.paid[:], self.bets[:], self.living[:], self.waiting[:])
        return Chips(*lists, self.count, self.least, self.cap, self.fixed, self.carried, self.outs)

    @property
    def pot(self) -> int:
        """All chips in the pot."""
        return self.carried + sum(self.paid)

    def street(self, order: Sequence[Seat], least: int) -> None:
        """Begin another street; the seats that are in and have chips act in this order."""
        self.bets, self.count, self.least, self.outs = [0] * len(self.bets), 0, least, _OUTS
        self.waiting = [seat for seat in order if seat in self.living and self.stacks[seat]]

    def act(self, what: int, to: int = 0) -> None:
        """Let the seat to move fold, call, or raise to an amount."""
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
        """Return the usual raise: the minimum, or without fixed limit about two thirds of the pot."""
        top = max(self.bets)
        return top + self.least if self.fixed else top + max(self.least, 2 * self.pot // 3)

    def bet_on(self, good: Mapping[Seat, float], tempers: Mapping[Seat, Temper], rng: random.Random) -> None:
        """Let the waiting seats act until the street is over or one seat is left."""
        while self.waiting and len(self.living) > 1:
            seat = self.waiting[0]
            what = self.decided(good[seat], tempers[seat], rng)
            self.act(what, self.usual() if what == RAISE else 0)

    def _rivals(self) -> int:
        """Return the share of hands an opponent may have; a check shows weakness."""
        return len(self.living) if self.count else len(self.waiting)

    def decided(self, good: float, temper: Temper, rng: random.Random) -> int:
        """Return the action of the seat to move with a hand of this strength."""
        seat, top = self.waiting[0], max(self.bets)
        owed = top - self.bets[seat]
        may = self.count < self.cap and self.stacks[seat] > owed
        wanted = 1 - good < self.bet_share(temper)
        if may and (rng.random() < _EAGER if wanted else not self.count and rng.random() < _BLUFF * temper.plays):
            return RAISE
        if not owed or wanted:
            return CALL
        return CALL if self.won(good, temper) > owed / (self.pot + owed) else FOLD

    def bet_share(self, temper: Temper) -> float:
        """Return the share of hands with which the seat to move bets or raises."""
        more: float = temper.plays * (2 / self._rivals()) ** 0.3
        return _share(self.count, temper) * more

    def won(self, good: float, temper: Temper) -> float:
        """Return the share of pots that the seat to move expects to win by a call with a hand of this strength."""
        share = _SHARES[min(max(0, self.count - 1), 4)] * temper.doubts * temper.plays
        proud = _PRIDE * (self.bets[self.waiting[0]] > 0)
        return 1.3 * self.outs * good + (1 - self.outs) * max(0.0, 1 - (1 - good) / share) + proud


def _share(count: int, temper: Temper) -> float:
    """Return the share of hands that bet or raise after this many bets, if they are played as often as usual."""
    return _SHARES[min(count, 4)] * (1.0 if count else temper.opens)


def chips(now: Betting, *, blinds: bool, to_come: float) -> Chips:
    """Return the chips for the current betting; the big blind isn't a bet, `to_come` is how much may still change."""
    cap = now.terms.cap if now.terms.cap is not None else 4
    lists = (list(now.stacks), list(now.paid), list(now.bets), list(now.living), list(now.waiting))
    fixed, outs = now.terms.limit == "fixed", _OUTS + _CHANGES * to_come
    lists[2].append(now.blind)
    return Chips(*lists, max(0, now.count - blinds), max(1, now.least), cap - blinds, fixed, now.carried, outs)


def standing(count: int, good: float, temper: Temper, *, bettor: bool) -> float:
    """Return the probability that a hand of this strength has bet, or called, on a street with this many bets."""
    if not count:
        return _TRAP if 1 - good < _share(0, temper) * temper.plays else 1.0
    first = _share(count - 1, temper) if bettor else _SHARES[min(count - 1, 4)]
    share = first * temper.plays * (1.0 if bettor else temper.calls)
    return 1.0 if 1 - good < share else _DARING if 1 - good < _ALMOST * share else _DECEIT
