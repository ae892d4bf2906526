"""How often a player of two-player Liars Dice believes claims after some rolls, so that no answer wins from it.

One part is about opponents who roll all dice under a low claim. `lab/solve-liarsdice` solves that step with all
hands apart, for the lowest claim to beat. Higher ones only allow fewer claims, and are worth the same up to
`fresh.LOWEST`, so that no answer wins much from these beliefs under them.

The other part is about opponents who roll a single die first, and up to three dice then: after a true claim, or if
they may have kept two pairs or three of a kind. These steps are solved by linear programming. Four dice are taken to be
kept, but any may be. Claims to beat of one category share a step if they are too high for the same number of hands.
Each step has the best hand of each category. If at most one die is rolled the second time, it has the hands that the
dice can become, too. Other claims are believed as often as the next higher one of these.

The file has one byte for each claim by what is seen of the rolls, first for the dice that are all rolled. Steps that
keep four dice begin with three bytes: the dice, the number of hands that are too low, and the lowest claim to beat. The
file is compressed by zlib.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import pairwise

import attrs

from lilygames.games.liarsdice.solved.mixes import Hand, beaten, reached
from lilygames.games.liarsdice.solved.solution import FRESH, hands
from lilygames_rules.dice.claims import best

SECONDS = range(4)
"""Dice in the second roll about which the second part has beliefs; 0 is to stop."""
_FULL = 255
_HEAD = 3
Way = int


@attrs.frozen
class Beliefs:
    """How often claims are believed, by what is seen of the rolls: the claims there are, and a byte for each."""

    asked: Sequence[Sequence[Hand]]
    trust: Sequence[bytes]

    def believed(self, way: Way, said: Hand) -> float | None:
        """Return how often to believe a claim; None after other rolls."""
        if way >= len(self.trust):
            return None
        return self.trust[way][bisect_left(self.asked[way], said)] / _FULL


@cache
def tops() -> tuple[Hand, ...]:
    """Return the best hand of each category, worst first."""
    categories = [best(dice).category for dice in hands()]
    return (*(place for place, (one, other) in enumerate(pairwise(categories)) if one != other), len(hands()) - 1)


def asked_about(kept: int, claim: int) -> list[list[Hand]]:
    """Return the claims that a step with four dice kept has, by the number of dice in the second roll."""
    every = ({*tops(), *(reached(kept) if dice <= 1 else ())} for dice in SECONDS)
    return [sorted(said for said in some if said > claim) for some in every]


def category(claim: int) -> int:
    """Return the number of a claim's category, from 0 on."""
    return bisect_left(tops(), claim)


def all_rolled() -> Beliefs:
    """Return the beliefs about a player who rolls all five dice first under a low claim."""
    return _tables()[0]


def four_kept(claim: int, kept: int) -> Beliefs | None:
    """Return the beliefs about a player who keeps these four dice under a claim; None if there are none."""
    return _tables()[1].get((kept, beaten(claim, kept), category(claim)))


@cache
def _tables() -> tuple[Beliefs, Mapping[tuple[int, int, int], Beliefs]]:
    file, found = BytesIO(zlib.decompress((files(__package__) / "beliefs.bin").read_bytes())), {}
    first = _beliefs([range(1, len(hands()))] * FRESH, file)
    while head := file.read(_HEAD):
        kept, low, claim = head
        found[kept, low, category(claim)] = _beliefs(asked_about(kept, claim), file)
    return first, found


def _beliefs(asked: Sequence[Sequence[Hand]], file: BytesIO) -> Beliefs:
    return Beliefs(asked, [file.read(len(some)) for some in asked])
