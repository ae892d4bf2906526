"""What a claim about five poker dice is worth: how likely it is true, and how to lie so that nobody can tell.

A good lie is what another fall of the same dice would have shown: then it looks just like a truth.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import attrs

from lilygames.games.families.dice.chances import falls
from rules.dice.claims import Category, Claim, best, ladder, rungs
from rules.dice.cup import DICE, SIDES
from rules.kit import Luck

Dice = tuple[int, ...]
"""Some of the five dice, or all of them, from the lowest to the highest."""
Rung = int
"""A place on the ladder of claims."""

AIM = Claim.parse("three")
"""What players would like to have for a first claim."""
_BLUFF, _FIRST_BLUFF = 0.1, 0.5
"""How often players claim more than they have although the truth would do: later on, and in a first claim."""
_LEAST, _LIKELY, _ANY = 0.3, 0.3, 0.4
"""How liars choose a claim: about the lowest that will do, one that the dice could have come to, or any."""
_STOP = 0.25
"""How often those who look for the lowest that will do take a claim, and do not go on to the next."""


@attrs.frozen
class Passed:
    """Dice that were passed on: the claim to beat, the dice that were kept, and how often the others were rolled."""

    over: Claim | None
    kept: Dice
    rolls: int

    @property
    def least(self) -> Rung:
        """The lowest claim that was allowed."""
        return self.over.rung + 1 if self.over else 0


def credible(claim: Claim, passed: Passed) -> float:
    """Return how likely a claim is true: weigh those who tell this truth against all liars who say the same."""
    reached = reach(passed.kept, passed.least, passed.rolls)
    bluff = _BLUFF if passed.over else _FIRST_BLUFF
    honest = reached * (1 - bluff) * _told(passed.kept, passed.least, claim)
    lying = (1 - reached + reached * bluff * (1 - at_least(passed.kept, claim.rung))) * _lied(passed, claim)
    return honest / (honest + lying) if honest else 0.0


def reach(kept: Dice, least: Rung, rolls: int) -> float:
    """Return how likely the truth about dice is so high after so many rolls of those not kept."""
    return 1 - (1 - at_least(kept, least)) ** rolls


def at_least(kept: Dice, least: Rung) -> float:
    """Return how likely the truth about dice is so high after one roll of those not kept."""
    return float(sum(ways for rung, ways in _truths(kept) if rung >= least) / SIDES ** (DICE - len(kept)))


@cache
def _truths(kept: Dice) -> tuple[tuple[Rung, int], ...]:
    """Return what the truth may be after a roll of the dice not kept, each with the number of ways it falls."""
    return tuple((best(tuple(sorted((*kept, *fall)))).rung, ways) for fall, ways in falls(DICE - len(kept)))


def _told(kept: Dice, least: Rung, claim: Claim) -> float:
    """Return how likely the truth, if it is so high, bears out a claim and is of its kind: category and first rank."""
    high = at_least(kept, least)
    return (at_least(kept, max(claim.rung, least)) - at_least(kept, _end(claim))) / high if high else 0.0


@cache
def _end(claim: Claim) -> Rung:
    """Return the first rung above all claims of its kind."""
    named = 1 + len(claim.ranks[:1])
    return 1 + max(one.rung for one in ladder() if one.key[:named] == claim.key[:named])


def _lied(passed: Passed, claim: Claim) -> float:
    """Return how likely a liar says just this."""
    aim = max(passed.least, AIM.rung)
    steps = _plain(claim.rung) - _plain(passed.least)
    return (
        _LEAST * _STOP * (1 - _STOP) ** steps
        + (_LIKELY * _told(passed.kept, aim, claim) if claim.rung >= aim else 0.0)
        + _ANY / max(1, _plain(len(ladder())) - _plain(passed.least))
    )


@cache
def _plain(rung: Rung) -> int:
    """Return how many claims below a rung name no other dice."""
    return sum(not claim.kickers for claim in ladder()[:rung])


def worth_keeping(dice: Dice, rolled: int, least: Rung) -> Dice:
    """Return which of these dice a player keeps who rolls so many of them to come so high."""
    return max(sorted(set(combinations(dice, DICE - rolled))), key=lambda kept: at_least(kept, least))


def another_fall(kept: Dice, least: Rung, luck: Luck) -> Claim | None:
    """Return the truth about another fall of the dice not kept, so high at least; None if no fall is."""
    high = [rung for rung, ways in _truths(kept) if rung >= least for _ in range(ways)]
    return ladder()[luck.choice(high)] if high else None


def vaguer(claim: Claim, least: Rung) -> tuple[Claim, ...]:
    """Return a claim and those that say less of the same dice, as far as they are so high at least."""
    less = [Claim(claim.category, ranks) for ranks in (claim.ranks, claim.ranks[:1], ())]
    return tuple(one for one in dict.fromkeys((claim, *less)) if one in rungs() and one.rung >= least)


def named(claim: Claim) -> Dice:
    """Return the dice that a claim is made of and its next holder might keep: of a straight none."""
    if claim.category is Category.STRAIGHT:
        return ()
    groups = zip(claim.ranks, claim.category.groups, strict=False)
    return tuple(sorted(rank for rank, size in groups for _ in range(size)))


def lowest_whole(least: Rung) -> Claim:
    """Return the lowest claim of all five dice from a rung of the ladder on."""
    return next(one for one in ladder()[least:] if names_all(one))


def names_all(claim: Claim) -> bool:
    """Return whether a claim leaves none of the five dice open."""
    return claim.rung in _wholes()


@cache
def _wholes() -> frozenset[Rung]:
    return frozenset(rung for rung, _ in _truths(()))
