"""Average points of each move in Liars Dice, from the shark's odds.

A challenge wins a point or loses one. Other moves lose a point if the seat has to lie and someone challenges the lie.
Lies are challenged as often as such claims are false by the shark's odds. A true claim loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from lilygames.games.liarsdice.bots.house import kept_dice, likelihood, odds, passed
from lilygames.games.liarsdice.solved.chances import (
    Passed,
    at_least,
    credible,
    falls_from,
    lowest_whole,
    named,
    reach,
    still_true,
    vaguer,
)
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import best, ladder
from lilygames_rules.dice.cup import DICE, Challenge, Glimpse, Roll, others
from lilygames_rules.dice.passing import ROLLS, ROLLS_AFTER_ALL, Claim, Passing
from lilygames_rules.kit import Luck
from lilygames_rules.liarsdice import View


@attrs.frozen
class Worth:
    """A move with its average points and the probabilities behind them.

    `true` is the probability that the last claim is true. For a claim, `held` is the probability that it is true as its
    player sees it, and `credible` as the others see it. For a roll, `reached` is the probability of good enough dice.
    """

    move: Any
    points: float
    odds: Mapping[str, float] = attrs.field(factory=dict)


def choices(view: View, moves: Sequence[Any], luck: Luck) -> list[Worth]:
    """Return the moves that a shark may make here with any luck, best first; bluffs it needn't make are left out."""
    move, scale = odds(view, moves, luck), Scale(view, luck)
    some = map(Claim, scale.sayings()) if isinstance(move, Claim) else [move]
    return sorted(map(scale.worth, some), key=lambda one: -one.points)


class Scale:
    """The values of moves for a seat at its turn."""

    def __init__(self, view: View, luck: Luck) -> None:
        if view.passing is None or view.cup is None:
            raise ValueError("the game is over")
        self._view = view
        self._now: Passing = view.passing
        self._cup: Glimpse = view.cup
        self._least = self._now.least or ladder()[0]
        self._true = likelihood(view, self._now, luck)

    def worth(self, move: Any) -> Worth:
        """Return a legal move with its value."""
        match move:
            case Challenge():
                return Worth(move, 1 - 2 * self._true, {"true": self._true})
            case Claim(hand):
                return self._claim(move, hand)
            case Roll(places) if self._cup.known:
                kept = tuple(sorted(self._cup.seen[place - 1] for place in others(places)))
                return self._roll(move, kept, len(places))
            case Roll(places) if len(places) == DICE:
                return self._roll(move, (), DICE)
        return Worth(move, -self._taken(), {"true": self._true})

    def sayings(self) -> Sequence[Hand]:
        """Return the truth if it is high enough, else the lies that a shark tells."""
        truth, least = best(tuple(sorted(self._cup.seen))), self._least.rung
        if truth.rung >= least:
            return [truth]
        lies = [ladder()[rung] for rung in falls_from(kept_dice(self._cup, self._now), least)]
        return [*dict.fromkeys(one for lie in lies or [lowest_whole(least)] for one in vaguer(lie, least))]

    def _claim(self, move: Claim, hand: Hand) -> Worth:
        """Return the value of a claim; without a look at the dice it may be true."""
        now, cup = self._now, self._cup
        held = float(hand.true_of(cup.seen, self._view.match.options.kickers)) if cup.known else self._unseen(hand)
        believed = credible(hand, self._passed(self._shown(), now.rolls))
        return Worth(move, -(1 - held) * (1 - believed), {"true": self._true, "held": held, "credible": believed})

    def _unseen(self, hand: Hand) -> float:
        """Return the probability that a higher claim about the unseen dice is true."""
        if self._now.hand is None:
            return 0.0
        return self._true * still_true(passed(self._cup, self._now, self._view.seat), self._now.hand, hand)

    def _roll(self, move: Roll, kept: tuple[int, ...], rolled: int) -> Worth:
        """Return the value of a roll, and of the same roll again if it fails and another one is left."""
        now = self._now
        left = ROLLS_AFTER_ALL if rolled == DICE and now.rolls == 0 else now.left
        lost = self._lost(kept, kept if self._shows() else self._shown(), left)
        return Worth(move, -lost, {"reached": at_least(kept, self._least.rung)})

    def _taken(self) -> float:
        """Return the average loss with dice that were passed on: those of the claim if it's true, else any."""
        if self._now.hand is None:
            return 0.0
        kept = named(self._now.hand)
        honest, lied = self._lost(kept, kept, ROLLS), self._lost((), kept, ROLLS)
        return self._true * honest + (1 - self._true) * lied

    def _lost(self, kept: tuple[int, ...], shown: tuple[int, ...], rolls: int) -> float:
        """Return the probability of a lie that is challenged, after that many rolls of the dice not kept.

        The lie is the truth about another roll of the same dice. The others think that the dice in `shown` were kept.
        """
        least, before = self._least.rung, self._passed(shown, self._now.rolls + rolls)
        falls = falls_from(kept, least) or {lowest_whole(least).rung: 1}
        doubts = sum(ways * (1 - credible(ladder()[rung], before)) for rung, ways in falls.items())
        return (1 - reach(kept, least, rolls)) * doubts / sum(falls.values())

    def _passed(self, shown: tuple[int, ...], rolls: int) -> Passed:
        return Passed(self._now.hand, shown, max(1, rolls))

    def _shows(self) -> bool:
        """Tell whether the dice kept in a roll are turned face up."""
        reveal = self._view.match.options.reveal
        return reveal == "always" or (reveal == "opener" and self._now.hand is None)

    def _shown(self) -> tuple[int, ...]:
        """Return the dice that the others think were kept, as far as everyone can tell."""
        seen = zip(self._cup.dice, self._cup.open, strict=True)
        lying = tuple(sorted(face for face, is_open in seen if is_open and face))
        return lying if self._now.hand is None else max(lying, named(self._now.hand), key=len)
