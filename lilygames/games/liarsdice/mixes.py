"""How a player of two-player Liars Dice rolls and claims who keeps pairs or better, so that no answer wins from it.

Only a few such steps differ. A claim to beat matters by how many of the hands that the kept dice can become are no
better, so all low claims lead to the same step. `scripts/solve-liarsdice` solves each one and writes the shares, one
byte each. The file has, for each step, the number of the dice kept and the number of hands that don't beat the claim;
then the choices of dice to roll by hand, then the claims by what the opponent sees and by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import attrs

from lilygames.games.liarsdice.solution import fallen, keeps, keeps_of
from rules.dice.cup import DICE

Hand = int
Shares = Mapping[int, float]
STOP = -1
"""The choice not to roll again."""


@attrs.frozen(eq=False)
class Mix:
    """How often a player makes which choice, by hand; claims by the number of dice in the second roll, too."""

    rolls: Mapping[Hand, Shares]
    told: Sequence[Mapping[Hand, Shares]]


@cache
def reached(kept: int) -> tuple[Hand, ...]:
    """Return the hands that these dice can become, worst first."""
    return tuple(hand for hand, share in enumerate(fallen(keeps()[kept])) if share)


def beaten(claim: int, kept: int) -> int:
    """Return how many of the hands that these dice can become don't beat a claim."""
    return sum(hand <= claim for hand in reached(kept))


def added(kept: int, hand: Hand) -> tuple[int, ...]:
    """Return the dice to keep from a hand without giving up any that are kept already."""
    return tuple(more for more in keeps_of(hand) if not Counter(keeps()[kept]) - Counter(keeps()[more]))


def sayable(kept: int, low: int, hand: Hand) -> tuple[Hand, ...]:
    """Return the claims for a hand: its truth or more, if so many hands are too low."""
    return tuple(said for said in reached(kept)[low:] if said >= hand)


@cache
def mixes() -> Mapping[tuple[int, int], Mix]:
    """Load how to play the steps that come up, by the dice kept and the number of hands too low."""
    data = iter((files(__package__) / "mixes.bin").read_bytes())
    found = {}
    for kept in data:
        low = next(data)
        found[kept, low] = _mix(kept, low, data)
    return found


def _mix(kept: int, low: int, data: Iterator[int]) -> Mix:
    hands, ways = reached(kept), range(1 + DICE - len(keeps()[kept]))
    rolls = {hand: _row((STOP, *added(kept, hand)), data) for hand in hands}
    return Mix(rolls, [{hand: _row(sayable(kept, low, hand), data) for hand in hands} for _ in ways])


def _row(choices: Sequence[int], data: Iterator[int]) -> Shares:
    """Return the choices that are ever made with their shares."""
    often = [next(data) for _ in choices]
    return {choice: share / sum(often) for choice, share in zip(choices, often, strict=True) if share}
