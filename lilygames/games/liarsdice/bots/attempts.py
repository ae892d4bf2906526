"""Statistics of Liars Dice: bluffs caught, and bluffs that worked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Attempt
from lilygames.games.families.dice.attempts import believed, challenged
from lilygames_rules.dice.cup import Accepted, Looked, Rolled
from lilygames_rules.dice.passing import Challenged, ClaimMade
from lilygames_rules.liarsdice import Options


def attempts(events: Sequence[Any], options: Options) -> Iterator[Attempt]:
    """Yield each challenge, and each false claim that was believed: accepted, or passed on unseen."""
    dice: tuple[int, ...] | None = None
    claim: ClaimMade | None = None
    for event in events:
        lied = bool(claim and dice and not claim.hand.true_of(dice, options.kickers))
        match event:
            case Rolled() | Looked():
                dice = event.dice or dice
            case Accepted() if claim:
                yield from believed(claim.seat, lied=lied)
            case ClaimMade():
                if claim and event.unseen:
                    yield from believed(claim.seat, lied=lied)
                claim = event
            case Challenged():
                yield from challenged(event.seat, event.passer, lied=not event.honest)
                dice = claim = None
