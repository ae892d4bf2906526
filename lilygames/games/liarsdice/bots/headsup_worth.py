"""Average points of each move in Liars Dice, from the table of the two-player solution.

Both players play like the shark after the move. How often a claim is believed depends on what the opponent has seen.
With more players, the opponent is the one who passed the dice, and they are taken to go back there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from lilygames.games.liarsdice.bots.headsup import heard, opened, recipient, solves
from lilygames.games.liarsdice.bots.steps import (
    BEGIN,
    Step,
    Way,
    best_kept,
    likely,
    opening,
    past,
    seen,
    step,
    truth_of,
)
from lilygames.games.liarsdice.bots.worth import Worth
from lilygames.games.liarsdice.solved.solution import fallen, hands, keep_places, keeps, places, values, worth
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import best
from lilygames_rules.dice.cup import DICE, Accept, Challenge, Glimpse, Named, Roll, found, others
from lilygames_rules.dice.passing import Claim, Passing, Peek
from lilygames_rules.kit import Seat
from lilygames_rules.liarsdice import View

_SELDOM = 0.01
"""Share below which a shark's choice counts as an error of its rounding."""
USUAL = 0.2
"""Share from which an answer is one that sharks give, so that lies don't pay."""


class Solved:
    """The values of moves for a seat at its turn.

    `rolled` is the step whose claim it hears or makes, and `to` the seat to which a shark passes the dice.
    """

    def __init__(self, now: Passing, cup: Glimpse, rolled: tuple[Step, Way] | None, to: Seat | None = None) -> None:
        self._now = now
        self._cup = cup
        self._rolled = rolled
        self._to = to
        self._claim = BEGIN if now.hand is None else past(now.hand)

    @classmethod
    def of(cls, view: View) -> Self | None:
        """Return the values for a view; None if the solution doesn't know what the opponent has seen."""
        now, cup = view.passing, view.cup
        if now is None or cup is None or view.seat is None or not solves(view.match.options):
            return None
        theirs, to = None if now.passer is None else cup.since[now.passer], recipient(view, now)
        if cup.known and now.hand is not None and not now.rolls:
            return cls(now, cup, None, to) if theirs == 0 else None
        rolled = _shown(now, cup, theirs) if cup.known else heard(view, now, cup)
        return cls(now, cup, rolled, to) if rolled else None

    def choices(self) -> list[Worth]:
        """Return the moves that a shark may make here with any luck, best first."""
        return sorted(map(self.worth, self._choices()), key=lambda one: -one.points)

    def _choices(self) -> Sequence[Any]:
        if not self._now.taken:
            return (Challenge(),) if self._now.least is None else (Accept(), Challenge())
        if not self._cup.known:
            return (Peek(),)
        if self._rolled is None:
            kept = best_kept(self._claim, self._own)
            return (self._claim_of(self._own) if kept is None else self._roll(kept),)
        asked, way = self._rolled
        rolls = _often(asked.rolls(way, self._own)) if self._now.left else [None]
        claims = [*map(self._claim_of, _often(asked.told(way, self._own)))] if None in rolls else []
        return [*claims, *(self._roll(kept) for kept in rolls if kept is not None)]

    @property
    def believed(self) -> float | None:
        """How often a shark takes the offered dice; None if it knows them, or if the seat has taken them."""
        if self._now.taken or self._cup.known or self._rolled is None or self._now.hand is None:
            return None
        asked, way = self._rolled
        return asked.believed(way, truth_of(self._now.hand))

    def is_usual(self, move: Any) -> bool:
        """Tell whether sharks often give this answer to the claim."""
        if self.believed is None or not isinstance(move, Accept | Challenge):
            return False
        return (self.believed if isinstance(move, Accept) else 1 - self.believed) >= USUAL

    @property
    def _own(self) -> int:
        """The number of the dice, which the seat knows."""
        return places()[tuple(sorted(self._cup.seen))]

    def _claim_of(self, said: int) -> Claim:
        return Claim(best(hands()[said]), self._to)

    def _roll(self, kept: int) -> Roll:
        return Roll(others(found(Named((), keeps()[kept]), self._cup.dice)))

    def worth(self, move: Any) -> Worth:
        """Return a legal move with its value. Dice that are rolled unseen count like dice that are looked at."""
        match move:
            case Challenge():
                return Worth(move, 1 - 2 * self._true, {"true": self._true})
            case Claim(hand):
                return self._claimed(move, hand)
            case Roll(rolled) if self._cup.known:
                return self._thrown(move, tuple(sorted(self._cup.seen[place - 1] for place in others(rolled))))
            case Roll(rolled) if len(rolled) == DICE:
                return self._thrown(move, ())
        return Worth(move, self._taken, {"true": self._true})

    # the dice that are offered, or known

    @cached_property
    def _arrives(self) -> Mapping[int, float]:
        """The probability of each hand: the dice that the seat knows, or those that lead a shark to the claim.

        A claim that a shark never makes is taken for its next higher one.
        """
        if self._cup.known or self._rolled is None or self._now.hand is None:
            return {self._own: 1.0}
        (asked, way), said = self._rolled, truth_of(self._now.hand)
        fell = asked.ends.get(way) or dict(likely(asked.seen_kept(way)))
        told = {hand: asked.told(way, hand) for hand in fell}
        made = {one for row in told.values() for one, share in row.items() if share and one >= said}
        often = {hand: share * told[hand].get(min(made, default=said), 0.0) for hand, share in fell.items()}
        some = {hand: share for hand, share in often.items() if share} or dict(fell)
        return {hand: share / sum(some.values()) for hand, share in some.items()}

    @cached_property
    def _true(self) -> float:
        """The probability that the last claim is true."""
        said = -1 if self._now.hand is None else truth_of(self._now.hand)
        return sum(share for hand, share in self._arrives.items() if hand >= said)

    @cached_property
    def _taken(self) -> float:
        """The value of the dice to their taker."""
        return sum(share * worth()[self._claim][hand] for hand, share in self._arrives.items())

    # claims and rolls

    def _claimed(self, move: Claim, hand: Hand) -> Worth:
        """Return the value of a claim. An opponent who knows the dice takes the truth, and challenges a lie."""
        said, beyond = truth_of(hand), worth()[past(hand)]
        held = sum(share for own, share in self._arrives.items() if own >= said)
        if not self._cup.known or self._rolled is None:
            points = sum(share * (-beyond[own] if own >= said else -1.0) for own, share in self._arrives.items())
            return Worth(move, points, {"true": self._true, "held": held, "believed": held})
        asked, way = self._rolled
        believed = asked.believed(way, said)
        points = (1 - believed) * (2 * held - 1) - believed * beyond[self._own]
        return Worth(move, points, {"true": self._true, "held": held, "believed": believed})

    def _thrown(self, move: Roll, kept: tuple[int, ...]) -> Worth:
        """Return the value of a roll, after which the seat plays like a shark."""
        number = keep_places()[kept]
        if self._rolled is None or not self._cup.known:
            points = values(self._claim)[number]
        else:
            asked, way = self._rolled
            points = asked.rolled(way)[number]
        return Worth(move, points, {"reached": reached(self._now, self._cup, kept)})


def reached(now: Passing, cup: Glimpse, kept: tuple[int, ...]) -> float:
    """Return the probability that a roll of all dice but these beats the claim; before any claim, the dice in hand."""
    above = places()[tuple(sorted(cup.seen))] if now.hand is None else past(now.hand)
    return sum(fallen(kept)[above + 1 :])


def _shown(now: Passing, cup: Glimpse, since: int | None) -> tuple[Step, Way] | None:
    """Return the seat's own step as its opponent has seen it; None if the opponent doesn't know the dice before."""
    if now.hand is None:
        return opening(), opened(cup, now.rolls)
    if since != sum(now.counts) or not (cup.first or now.whole):
        return None
    if cup.first:
        return seen(past(now.hand), places()[tuple(sorted(cup.first))], now.counts)
    asked = step(past(now.hand), keep_places()[()])
    way = asked.way(now.counts)
    return None if way is None else (asked, way)


def _often(shares: Mapping[Any, float]) -> list[Any]:
    return [one for one, share in shares.items() if share >= min(_SELDOM, max(shares.values()))]
