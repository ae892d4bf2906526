"""Lie Die with more than two players, where passing the dice on is safe for a while."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from lilygames.games.families.dice.chances import best_roll
from lilygames.games.liedie.ladder import OPEN, fallen, learned
from lilygames_rules.dice.cup import DICE, Place
from lilygames_rules.dice.throws import Throw, ladder, rungs

_NEAR = 12
"""Number of throws above the last claim that are near it."""
_HUMBLE = 0.6
"""Share of liars who claim one of these; the others claim a likely throw."""
_BLUFF = 0.12
"""Share of claims above sufficient dice."""


def roll(dice: tuple[int, ...], claim: int) -> tuple[Place, ...]:
    """Return the places to throw for the best chance to beat the claim."""
    return best_roll(dice, lambda fall: rungs()[Throw(fall)] > claim)


@lru_cache(512)
def honest(claim: int, over: int, thrown: int) -> float:
    """Return the probability that a claim is true after throwing that many dice to beat a claim taken as true."""
    fell = chances(over, thrown)
    above = sum(share for rung, share in fell.items() if rung > over)
    lies = 1 - above + _BLUFF * above
    near = _HUMBLE / _NEAR if claim - over <= _NEAR and over != OPEN else 0.0
    far = (1 - (_HUMBLE if over != OPEN else 0.0)) * fell.get(claim, 0.0) / max(above, 1e-9)
    truth = fell.get(claim, 0.0) * (1 - _BLUFF)
    lie = lies * (near + far)
    return truth / (truth + lie) if truth else 0.0


def chances(over: int, thrown: int) -> Mapping[int, float]:
    """Return the distribution after throwing that many well-chosen dice from the throw on that rung."""
    if over == OPEN or thrown == DICE:
        return fallen(())
    dice = ladder()[over].dice
    return fallen(best_kept(dice, over, DICE - thrown))


@lru_cache(1024)
def best_kept(dice: tuple[int, ...], over: int, number: int) -> tuple[int, ...]:
    """Return the dice to keep for the best chance of a better throw."""
    keeps = sorted(set(combinations(dice, number)))
    return max(keeps, key=lambda kept: sum(share for rung, share in fallen(kept).items() if rung > over))


def believes(claim: int, over: int, thrown: int) -> bool:
    """Tell whether accepting is worth more than challenging."""
    likely = honest(claim, over, thrown)
    return taken(claim, likely) > 1 - 2 * likely


def taken(claim: int, likely: float) -> float:
    """Return the value of accepted dice, in points, given the probability that the claim is true."""
    worth = learned().worth[claim]
    others = [worth[rung] for rung in range(0, claim, _NEAR)]
    return likely * worth[claim] + (1 - likely) * (sum(others) / len(others) if others else 0.0)


def lie(claim: int, thrown: int) -> Mapping[int, float]:
    """Return the claims for insufficient dice: likely results of the throw, low ones preferred."""
    fell = {rung: share for rung, share in chances(claim, thrown).items() if rung > claim}
    if not any(fell.values()):
        return dict.fromkeys(range(claim + 1, min(claim + 2 + _NEAR, len(ladder()))), 1.0)
    return {rung: share * max(0.02, honest(rung, claim, thrown)) for rung, share in fell.items()}
