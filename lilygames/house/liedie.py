"""House players for Lie Die: each a function from what its seat may know to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from lilygames.game import Strategy
from lilygames.house.dice import best_roll, chance
from rules.dicecup import Accept, Challenge, Roll
from rules.kit import Luck
from rules.liedie import Claim, Match, Turn, View
from rules.throws import Thirteen, Throw, ladder, rungs

_CALM = 0.12
"""How often five dice must fall as well as a claim, by and large, for a novice to believe it."""
_BLUFF = 6
"""One true claim in so many a novice makes better than it is."""
_NEAR = 12
"""How many throws above the last claim a novice who lies picks from."""


def novice(view: View, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a novice: the truth if it will do, else a small lie; it doubts what seldom falls."""
    now, cup = view.turn, view.cup
    if now is None or cup is None or len(moves) == 1:
        return moves[0]
    dice = tuple(face for face in cup.dice if face is not None) if cup.known else ()
    if not now.taken:
        return _answer(view, now, Throw.of(dice) if dice else None, luck)
    thirteen = view.match.options.thirteen
    least = 0 if now.claim is None else rungs(thirteen)[now.claim] + 1
    rung = rungs(thirteen)[Throw.of(dice)]
    if rung < least and not now.thrown:
        return Roll(best_roll(dice, lambda fall: rungs(thirteen)[Throw(fall)] >= least))
    return Claim(ladder(thirteen)[_said(rung, least, luck)])


def _said(rung: int, least: int, luck: Luck) -> int:
    """Return the rung to claim: one's own where it is high enough, now and then more, else one of the next."""
    if rung >= least and luck.roll(_BLUFF) > 1:
        return rung
    lowest = max(rung + 1, least)
    above = range(lowest, min(lowest + _NEAR, len(ladder())))
    return luck.choice(above) if above else rung


def _answer(view: View, now: Turn, dice: Throw | None, luck: Luck) -> Any:
    if now.claim is None:
        return Accept()
    if dice:
        return Challenge() if is_lie(view.match, now.claim, dice) else Accept()
    mood = luck.roll(100) / 50
    return Accept() if likelihood(now.claim, view.match.options.thirteen) > _CALM * mood else Challenge()


def is_lie(match: Match, claim: Throw, dice: Throw) -> bool:
    """Return whether a claim about these dice is a lie at this table."""
    return claim.beats(dice, match.options.thirteen) if match.options.truth == "atleast" else claim != dice


@cache
def likelihood(claim: Throw, thirteen: Thirteen) -> float:
    """Return how likely five dice fall as well as that, or better."""
    return chance((), lambda fall: not claim.beats(Throw(fall), thirteen))


LEVELS: Mapping[str, Strategy] = {"novice": novice}
"""The house players of Lie Die by level."""
