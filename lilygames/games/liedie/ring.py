"""How Lie Die is played among more than two: who has passed the dice on is out of danger for a while."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from lilygames.games.families.dice.chances import best_roll
from lilygames.games.liedie.ladder import OPEN, fallen, learned
from rules.dice.cup import DICE, Place
from rules.dice.throws import Throw, ladder, rungs

_NEAR, _HUMBLE = 12, 0.6
"""Of those who lie so many in ten take one of the next throws that would do, the others what is likely."""
_BLUFF = 0.12
"""How often somebody claims more than the dice show though they would do."""


def roll(dice: tuple[int, ...], claim: int) -> tuple[Place, ...]:
    """Return the places of the dice to throw so that they are most likely better than the claim."""
    return best_roll(dice, lambda fall: rungs()[Throw(fall)] > claim)


@lru_cache(512)
def honest(claim: int, over: int, thrown: int) -> float:
    """Return how likely a claim is true when so many dice were thrown to get over another, which is taken as true."""
    fell = chances(over, thrown)
    above = sum(share for rung, share in fell.items() if rung > over)
    lies = 1 - above + _BLUFF * above
    near = _HUMBLE / _NEAR if claim - over <= _NEAR and over != OPEN else 0.0
    far = (1 - (_HUMBLE if over != OPEN else 0.0)) * fell.get(claim, 0.0) / max(above, 1e-9)
    truth = fell.get(claim, 0.0) * (1 - _BLUFF)
    lie = lies * (near + far)
    return truth / (truth + lie) if truth else 0.0


def chances(over: int, thrown: int) -> Mapping[int, float]:
    """Return how the dice fall when so many of the throw of that rung are thrown, chosen well."""
    if over == OPEN or thrown == DICE:
        return fallen(())
    dice = ladder()[over].dice
    return fallen(best_kept(dice, over, DICE - thrown))


@lru_cache(1024)
def best_kept(dice: tuple[int, ...], over: int, number: int) -> tuple[int, ...]:
    """Return which so many dice to keep so that the throw is most likely better."""
    keeps = sorted(set(combinations(dice, number)))
    return max(keeps, key=lambda kept: sum(share for rung, share in fallen(kept).items() if rung > over))


def believes(claim: int, over: int, thrown: int) -> bool:
    """Return whether taking the dice is worth more than challenging the claim."""
    likely, worth = honest(claim, over, thrown), learned().worth[claim]
    others = [worth[rung] for rung in range(0, claim, _NEAR)]
    taken = likely * worth[claim] + (1 - likely) * (sum(others) / len(others) if others else 0.0)
    return taken > 1 - 2 * likely


def lie(claim: int, thrown: int) -> Mapping[int, float]:
    """Return what to claim in place of dice that will not do: what they might have come to, rather less than more."""
    fell = {rung: share for rung, share in chances(claim, thrown).items() if rung > claim}
    if not any(fell.values()):
        return dict.fromkeys(range(claim + 1, min(claim + 2 + _NEAR, len(ladder()))), 1.0)
    return {rung: share * max(0.02, honest(rung, claim, thrown)) for rung, share in fell.items()}
