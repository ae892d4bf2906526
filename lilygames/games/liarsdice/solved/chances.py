"""Probabilities of claims about poker dice: how likely a claim is true, and how to lie convincingly.

A good lie is the truth about another roll of the same dice: it looks just like a true claim.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import attrs

from lilygames.games.families.dice.chances import falls
from lilygames_rules.dice.claims import Category, Claim, best, ladder, rungs
from lilygames_rules.dice.cup import DICE, SIDES
from lilygames_rules.kit import Luck

Dice = tuple[int, ...]
"""Up to five dice, sorted from low to high."""
Rung = int
"""A position on the ladder of claims."""

AIM = Claim.parse("three")
"""The hand players roll for before a first claim."""
_BLUFF, _FIRST_BLUFF = 0.1, 0.5
"""Share of claims above a sufficient truth: in later claims, and in a first claim."""
_LEAST, _LIKELY, _ANY = 0.3, 0.3, 0.4
"""How liars choose: near the lowest sufficient claim, a likely result of the roll, or any claim."""
_STOP = 0.25
"""Probability of taking each claim when going up from the lowest sufficient one."""


@attrs.frozen
class Passed:
    """How dice were passed on: the claim to beat, the kept dice, and the rolls of the others."""

    over: Claim | None
    kept: Dice
    rolls: int

    @property
    def least(self) -> Rung:
        """The lowest legal claim."""
        return self.over.rung + 1 if self.over else 0


def credible(claim: Claim, passed: Passed) -> float:
    """Return the probability that a claim is true: honest players against liars who would claim the same."""
    reached = reach(passed.kept, passed.least, passed.rolls)
    bluff = _BLUFF if passed.over else _FIRST_BLUFF
    honest = reached * (1 - bluff) * _told(passed.kept, passed.least, claim)
    lying = (1 - reached + reached * bluff * (1 - at_least(passed.kept, claim.rung))) * _lied(passed, claim)
    return honest / (honest + lying) if honest else 0.0


def reach(kept: Dice, least: Rung, rolls: int) -> float:
    """Return the probability of reaching a rung after that many rolls of the dice not kept."""
    return 1 - (1 - at_least(kept, least)) ** rolls


def at_least(kept: Dice, least: Rung) -> float:
    """Return the probability of reaching a rung with one roll of the dice not kept."""
    return float(sum(ways for rung, ways in _truths(kept) if rung >= least) / SIDES ** (DICE - len(kept)))


@cache
def _truths(kept: Dice) -> tuple[tuple[Rung, int], ...]:
    """Return the possible truths after a roll of the dice not kept, with the number of ways for each."""
    return tuple((best(tuple(sorted((*kept, *fall)))).rung, ways) for fall, ways in falls(DICE - len(kept)))


def _told(kept: Dice, least: Rung, claim: Claim) -> float:
    """Return the probability that a truth from `least` up supports the claim and has its category and first rank."""
    high = at_least(kept, least)
    return (at_least(kept, max(claim.rung, least)) - at_least(kept, _end(claim))) / high if high else 0.0


@cache
def _end(claim: Claim) -> Rung:
    """Return the first rung above all claims with its category and first rank."""
    named = 1 + len(claim.ranks[:1])
    return 1 + max(one.rung for one in ladder() if one.key[:named] == claim.key[:named])


def _lied(passed: Passed, claim: Claim) -> float:
    """Return the probability that a liar makes exactly this claim."""
    aim = max(passed.least, AIM.rung)
    steps = _plain(claim.rung) - _plain(passed.least)
    return (
        _LEAST * _STOP * (1 - _STOP) ** steps
        + (_LIKELY * _told(passed.kept, aim, claim) if claim.rung >= aim else 0.0)
        + _ANY / max(1, _plain(len(ladder())) - _plain(passed.least))
    )


@cache
def _plain(rung: Rung) -> int:
    """Return the number of claims without kickers below a rung."""
    return sum(not claim.kickers for claim in ladder()[:rung])


def worth_keeping(dice: Dice, rolled: int, least: Rung) -> Dice:
    """Return the dice to keep when rolling that many for a rung."""
    return max(sorted(set(combinations(dice, DICE - rolled))), key=lambda kept: at_least(kept, least))


def another_fall(kept: Dice, least: Rung, luck: Luck) -> Claim | None:
    """Draw the truth about another roll of the dice not kept, from a rung up; None if no roll gets there."""
    high = [rung for rung, ways in _truths(kept) if rung >= least for _ in range(ways)]
    return ladder()[luck.choice(high)] if high else None


def falls_from(kept: Dice, least: Rung) -> dict[Rung, int]:
    """Return the truths from a rung up after a roll of the dice not kept, with the number of ways for each."""
    return {rung: ways for rung, ways in _truths(kept) if rung >= least}


def still_true(kept: Dice, claim: Claim, higher: Claim) -> float:
    """Return the probability that a true claim supports a higher one, too.

    Its player said the category and the first rank of the whole truth.
    """
    end = _end(claim)
    told = at_least(kept, claim.rung) - at_least(kept, end)
    return max(0.0, at_least(kept, higher.rung) - at_least(kept, end)) / told if told else 0.0


def vaguer(claim: Claim, least: Rung) -> tuple[Claim, ...]:
    """Return a claim and vaguer versions of it, as long as they reach a rung."""
    less = [Claim(claim.category, ranks) for ranks in (claim.ranks, claim.ranks[:1], ())]
    return tuple(one for one in dict.fromkeys((claim, *less)) if one in rungs() and one.rung >= least)


def named(claim: Claim) -> Dice:
    """Return the dice in a claim that the next holder might keep; none for a straight."""
    if claim.category is Category.STRAIGHT:
        return ()
    groups = zip(claim.ranks, claim.category.groups, strict=False)
    return tuple(sorted(rank for rank, size in groups for _ in range(size)))


def lowest_whole(least: Rung) -> Claim:
    """Return the lowest claim that names all five dice, from a rung up."""
    return next(one for one in ladder()[least:] if names_all(one))


def names_all(claim: Claim) -> bool:
    """Tell whether a claim names all five dice."""
    return claim.rung in _wholes()


@cache
def _wholes() -> frozenset[Rung]:
    return frozenset(rung for rung, _ in _truths(()))
