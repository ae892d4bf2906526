"""Average points of each move in Lie Die, from what the master computes.

With two players these are the values of the solved steps. With more, passing the dice on costs nothing, a true claim
loses nothing, and a lie is challenged as often as such claims aren't believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import attrs

from lilygames.game import Budget
from lilygames.games.liedie import ring
from lilygames.games.liedie.house import answer_step, claim_step, dice_thrown, is_lie, rung_of
from lilygames.games.liedie.ladder import Step, fallen, learned
from lilygames.games.liedie.master_steps import solved
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Named, Roll, found, others
from lilygames_rules.dice.throws import Throw, ladder
from lilygames_rules.liedie import Claim, Turn, View

_TWO = 2
_SELDOM = 0.01
"""Probability below which a shark's move counts as an error of its rounding."""


@attrs.frozen
class Worth:
    """A move with its average points and the probabilities behind them.

    For an answer, `true` is the probability that the claim is true. For a claim, `believed` is the probability that the
    others accept it, and `held` is 1 if it is true. For a throw, `reached` is the probability that it beats the claim.
    """

    move: Any
    points: float
    odds: Mapping[str, float] = attrs.field(factory=dict)


class Scale:
    """The values of moves for a seat at its turn."""

    def __init__(self, view: View, budget: Budget) -> None:
        if view.turn is None or view.cup is None:
            raise ValueError("the game is over")
        self._view = view
        self._now: Turn = view.turn
        self._cup: Glimpse = view.cup
        self._budget = budget
        self._two = len(view.match.scores) == _TWO
        self._rung = rung_of(view, view.turn.claim)
        self._ladder = ladder(view.match.options.thirteen)

    def choices(self) -> list[Worth]:
        """Return the moves that a shark may make here with any luck, best first."""
        return sorted(map(self.worth, self._choices()), key=lambda one: -one.points)

    def _choices(self) -> Iterable[Any]:
        if not self._now.taken:
            return (Accept(), Challenge())
        own = self._own
        if self._two or self._now.claim is None:
            return map(Claim, self._told(own)) if self._now.thrown else self._throws(own)
        if not self._now.thrown:
            return (Roll(() if own > self._rung else ring.roll(self._cup.seen, self._rung)),)
        lies = ring.lie(self._rung, dice_thrown(self._view, self._now, DICE))
        return (Claim(self._ladder[rung]) for rung in ([own] if own > self._rung else lies))

    @property
    def _own(self) -> int:
        """The rung of the dice."""
        return rung_of(self._view, Throw.of(self._cup.seen))

    def _told(self, own: int) -> list[Throw]:
        """Return the claims of the solved step."""
        shares = self._claims.told(own, self._rung)
        return [self._ladder[rung] for rung, share in shares.items() if share >= min(_SELDOM, max(shares.values()))]

    def _throws(self, own: int) -> list[Roll]:
        """Return the throws of the solved step."""
        thrown = learned().throws[self._rung * len(self._ladder) + own]
        if not thrown:
            return [Roll(())]
        kept = self._solved(thrown).kept
        often = [dice for dice, share in kept.items() if share >= min(_SELDOM, max(kept.values()))]
        return [Roll(others(found(Named((), dice), self._cup.dice))) for dice in often]

    def worth(self, move: Any) -> Worth:
        """Return a legal move with its value."""
        match move:
            case Claim(throw):
                return self._claim(move, rung_of(self._view, throw))
            case Roll(places):
                return self._roll(move, tuple(sorted(self._cup.seen[place - 1] for place in others(places))))
        true, taken = self._answer()
        return Worth(move, taken if isinstance(move, Accept) else 1 - 2 * true, {"true": true})

    # answers

    def _answer(self) -> tuple[float, float]:
        """Return the probability that the claim is true, and the value of the dice to their taker."""
        worth = learned().worth[self._rung]
        if self._cup.known:
            return float(self._true(self._rung, self._own)), worth[self._own]
        if not self._two:
            over, thrown = rung_of(self._view, self._now.over), dice_thrown(self._view, self._now, DICE)
            true = ring.honest(self._rung, over, thrown)
            return true, ring.taken(self._rung, true)
        arrives = self._arrives()
        total = sum(arrives.values())
        true = sum(share for own, share in arrives.items() if self._true(self._rung, own)) / total
        return true, sum(share * worth[own] for own, share in arrives.items()) / total

    def _arrives(self) -> Mapping[int, float]:
        """Return how often each throw leads to the claim; as often as it falls if the solution never claims it."""
        step = answer_step(self._view, self._now, self._cup, self._budget, solve=solved)
        over = rung_of(self._view, self._now.over)
        arrives = {own: share * step.told(own, over).get(self._rung, 0.0) for own, share in step.mass.items()}
        return arrives if sum(arrives.values()) else step.mass or {self._rung: 1.0}

    def _true(self, said: int, own: int) -> bool:
        return not is_lie(self._view.match, self._ladder[said], self._ladder[own])

    # claims

    def _claim(self, move: Claim, said: int) -> Worth:
        held, believed = self._true(said, self._own), self._believed(said)
        alone = 0.0 if held else believed - 1
        points = self._passed(self._claims, said, self._own) if self._two else alone
        return Worth(move, points, {"believed": believed, "held": held})

    def _believed(self, said: int) -> float:
        """Return the probability that others believe a claim; sharks make first claims by the step for two."""
        if self._two or self._now.claim is None:
            return self._claims.believed.get(said, 0.0)
        return ring.honest(said, self._rung, dice_thrown(self._view, self._now, DICE) if self._now.thrown else 0)

    @cached_property
    def _claims(self) -> Step:
        """The solved step of the claims, with no dice thrown if the seat hasn't yet."""
        if not self._now.thrown:
            return self._solved(0)
        dice = Throw.of(self._cup.seen)
        return claim_step(self._view, self._now, self._cup, dice, self._budget, solve=solved)

    def _passed(self, step: Step, said: int, own: int) -> float:
        """Return the value of a claim about a throw with two players."""
        believed = step.believed.get(said, 0.0)
        caught = 1 if self._true(said, own) else -1
        return (1 - believed) * caught - believed * learned().worth[said][own]

    # throws

    def _roll(self, move: Roll, kept: tuple[int, ...]) -> Worth:
        falls = fallen(kept)
        reached = sum(share for rung, share in falls.items() if rung > self._rung)
        if self._two:
            step = self._solved(len(move.places))
            points = sum(share * self._then(step, own) for own, share in falls.items())
        else:
            points = -(1 - reached) * self._risk(len(move.places))
        return Worth(move, points, {"reached": reached})

    def _then(self, step: Step, own: int) -> float:
        """Return the value of a throw with two players, if the seat claims like a shark."""
        shares = step.told(own, self._rung)
        return sum(share * self._passed(step, said, own) for said, share in shares.items()) / sum(shares.values())

    def _risk(self, thrown: int) -> float:
        """Return the probability that a shark's lie is challenged."""
        lies = ring.lie(self._rung, thrown)
        doubts = sum(share * (1 - ring.honest(rung, self._rung, thrown)) for rung, share in lies.items())
        return doubts / sum(lies.values())

    def _solved(self, thrown: int) -> Step:
        """Return the solution if that many of these dice are thrown."""
        return solved(self._rung, Throw.of(self._cup.seen).dice, thrown, self._budget.iterations)
