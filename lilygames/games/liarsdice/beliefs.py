"""How often a player of two-player Liars Dice believes the claims of an opponent who rolled all dice under a low claim.

`scripts/solve-liarsdice` solves that step with all hands apart, for the lowest claim to beat. Higher ones only allow
fewer claims, and are worth the same up to `fresh.LOWEST`, so that no answer wins much from these beliefs under them.

The file has one byte for each claim but the lowest, by what is seen of the rolls. It is compressed by zlib.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import attrs

from lilygames.games.liarsdice.mixes import Hand
from lilygames.games.liarsdice.solution import FRESH, hands

_FULL = 255
Way = int


@attrs.frozen
class Beliefs:
    """How often each claim is believed, by what is seen of the rolls; nobody claims the lowest hand."""

    trust: Sequence[bytes]

    def believed(self, way: Way, said: Hand) -> float:
        """Return how often to believe a claim."""
        return self.trust[way][said - 1] / _FULL


@cache
def all_rolled() -> Beliefs:
    """Load the beliefs about a player who rolls all five dice first under a low claim."""
    data, many = zlib.decompress((files(__package__) / "beliefs.bin").read_bytes()), len(hands()) - 1
    return Beliefs([data[way * many : (way + 1) * many] for way in range(FRESH)])
