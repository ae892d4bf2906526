"""Remarks of bots about challenged claims."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.remarks import Remark, sayings
from rules.kit import Seat

_CAUGHT = sayings(
    "You saw through me.",
    "Caught! I had to try.",
    "It was worth a try.",
    bold="I'd tell it again.",
    careful="I knew I shouldn't have.",
    talkative="And I told it so well!",
    grumpy="Fine. You got me.",
)
_HONEST = sayings(
    "I'd never lie to you.",
    "The plain truth, as always.",
    "You could have believed me.",
    bold="Truth is the boldest lie of all.",
    careful="I'd rather tell the truth.",
    talkative="Honest! I can hardly believe it myself.",
    grumpy="Nobody ever believes me.",
)
_SHARP = sayings(
    "I had a feeling about that.",
    "That sounded too good.",
    "I don't believe everything.",
    bold="You'll have to try harder.",
    careful="I wasn't sure, you know.",
    talkative="It was a lovely story, though!",
    grumpy="I've heard better ones.",
)
_RASH = sayings(
    "I should have believed that.",
    "Honest, of all things!",
    "I was too suspicious.",
    bold="I'd challenge it again.",
    careful="That's what I get for it.",
    talkative="Sorry! I'll never doubt you again.",
    grumpy="Honest people. How annoying.",
)


def challenged(challenger: Seat, claimant: Seat, *, honest: bool) -> Iterator[Remark]:
    """Yield what the two seats of a settled challenge may say."""
    yield Remark(claimant, _HONEST if honest else _CAUGHT)
    yield Remark(challenger, _RASH if honest else _SHARP)
