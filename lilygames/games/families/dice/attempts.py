"""Statistics of the games with hidden dice and claims: bluffs caught, and bluffs that worked."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.game import Attempt
from lilygames_rules.kit import Seat

CAUGHT, BELIEVED = "bluffs caught", "bluffs that worked"


def challenged(challenger: Seat, claimant: Seat, *, lied: bool) -> Iterator[Attempt]:
    """Yield the result of a challenge for both seats: a bluff caught or not, and a bluff that did not work."""
    yield Attempt(challenger, CAUGHT, lied)
    if lied:
        yield Attempt(claimant, BELIEVED, success=False)


def believed(claimant: Seat, *, lied: bool) -> Iterator[Attempt]:
    """Yield a bluff that worked, if the accepted claim was false."""
    if lied:
        yield Attempt(claimant, BELIEVED, success=True)
