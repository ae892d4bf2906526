"""Statistics of Lie Die: bluffs caught, and bluffs that worked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Attempt
from lilygames.games.families.dice.attempts import believed, challenged
from lilygames_rules.dice.cup import Accepted, Looked, Rolled
from lilygames_rules.dice.throws import Throw
from lilygames_rules.liedie import Challenged, ClaimMade, Options


def attempts(events: Sequence[Any], options: Options) -> Iterator[Attempt]:
    """Yield each challenge, and each false claim that was believed."""
    dice: Throw | None = None
    claim: ClaimMade | None = None
    for event in events:
        match event:
            case Rolled() | Looked():
                dice = Throw.of(event.dice) if event.dice else dice
            case ClaimMade():
                claim = event
            case Accepted() if claim and dice:
                yield from believed(claim.seat, lied=lied(claim.throw, dice, options))
            case Challenged():
                yield from challenged(event.seat, event.claimant, lied=event.lied)
                dice = claim = None


def lied(claim: Throw, dice: Throw, options: Options) -> bool:
    """Whether a claim is a lie about these dice, as the table plays it."""
    return claim.beats(dice, options.thirteen) if options.truth == "atleast" else claim != dice
