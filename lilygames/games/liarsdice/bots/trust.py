"""How far to trust a claim at a table with more than two players, where most liars claim as little as they can."""

from __future__ import annotations

from functools import cache

from lilygames.games.families.dice.chances import chance
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import best, ladder
from lilygames_rules.dice.passing import Passing
from lilygames_rules.kit import Luck
from lilygames_rules.liarsdice import View

_WORLDS = 40
"""Number of random dice to imagine."""
_DOUBT, _FEAR = 0.4, 0.5
"""Probability of truth at which to take the dice from the highest claim, and how much less a low one needs."""
_LEAST, _NEXT = 0.6, 0.75
"""Share of liars who claim the least, and share of the others that stop at each further claim."""
_TRUTHFUL, _MORE = 0.9, 0.7
"""Trust in first claims, and in later ones without a roll."""


def trusts(view: View, now: Passing, hand: Hand, luck: Luck) -> bool:
    """Return whether a claim about unseen dice is likely enough."""
    rung = hand.rung / len(ladder())
    return _likelihood(view, now, hand, luck) > _DOUBT * (1 - _FEAR + _FEAR * rung)


def _likelihood(view: View, now: Passing, hand: Hand, luck: Luck) -> float:
    """Return the probability that the last claim is true, if most liars claim as little as they can."""
    kickers = view.match.options.kickers
    worlds = [liarsdice.sample(view, luck).cup for _ in range(_WORLDS)]
    bare = sum(hand.true_of(world.dice, kickers) for world in worlds if world) / len(worlds)
    over = now.over
    if over is None:
        return max(bare, _TRUTHFUL)
    reached = _reached(over, now.rolled if now.vouched else 0)
    steps = sum(not one.kickers for one in ladder()[over.rung + 1 : hand.rung + 1])
    honest = reached * _spread(over, hand)
    lying = (1 - reached) * (_LEAST if steps <= 1 else (1 - _LEAST) * _NEXT**steps)
    return max(bare, honest / (honest + lying)) if honest + lying else bare


@cache
def _reached(over: Hand, rolls: int) -> float:
    """Return the probability that dice got better than a true claim in that many rolls."""
    once = chance(_named(over), lambda fall: best(fall).beats(over))
    return 1 - (1 - once) ** (1 + rolls) if rolls else once * _MORE


@cache
def _spread(over: Hand, hand: Hand) -> float:
    """Return the probability of exactly this truth among all above a claim."""
    above = chance(_named(over), lambda fall: best(fall).beats(over))
    told = chance(_named(over), lambda fall: hand.true_of(fall) and best(fall).ranks[: len(hand.ranks)] == hand.ranks)
    return min(1.0, told / above) if above else 0.0


def _named(claim: Hand) -> tuple[int, ...]:
    return tuple(rank for rank, size in zip(claim.ranks, claim.category.groups, strict=False) for _ in range(size))
