"""Remarks of bots about challenged claims."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.remarks import Remark
from rules.kit import Seat

_CAUGHT = ("You saw through me.", "Caught! I had to try.", "It was worth a try.")
_HONEST = ("I'd never lie to you.", "The plain truth, as always.", "You could have believed me.")
_SHARP = ("I had a feeling about that.", "That sounded too good.", "I don't believe everything.")
_RASH = ("I should have believed that.", "Honest, of all things!", "I was too suspicious.")


def challenged(challenger: Seat, claimant: Seat, *, honest: bool) -> Iterator[Remark]:
    """Yield what the two seats of a settled challenge may say."""
    yield Remark(claimant, _HONEST if honest else _CAUGHT)
    yield Remark(challenger, _RASH if honest else _SHARP)
