"""What statistics count of games in which dice are passed with a claim: who sees a lie, and whose lie is believed."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.game import Attempt
from rules.kit import Seat

CAUGHT, BELIEVED = "bluffs caught", "bluffs that worked"


def challenged(challenger: Seat, claimant: Seat, *, lied: bool) -> Iterator[Attempt]:
    """Yield what a challenge was for both: a bluff caught or not, and a bluff that did not work."""
    yield Attempt(challenger, CAUGHT, lied)
    if lied:
        yield Attempt(claimant, BELIEVED, success=False)


def believed(claimant: Seat, *, lied: bool) -> Iterator[Attempt]:
    """Yield a bluff that worked, where a claim that was believed was one."""
    if lied:
        yield Attempt(claimant, BELIEVED, success=True)
