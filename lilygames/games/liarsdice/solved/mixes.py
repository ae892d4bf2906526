"""How a player of two-player Liars Dice rolls and claims who keeps pairs or better, so that no answer wins from it.

Only a few such steps differ. A claim to beat matters by how many of the hands that the kept dice can become are no
better, so all low claims lead to the same step. `lab/solve-liarsdice` solves each one by linear programming, and
writes the shares in one byte each. Someone who keeps three or four of a kind sometimes breaks them up. Lies about dice
that nobody can use are worth more, and the opponent sees only how many are rolled.

The file has, for each step, the number of the dice kept and the number of hands that don't beat the claim. How often
the dice are broken up is next. If they ever are, the dice to roll then and the claims by what the opponent sees follow.
Then come the choices of dice to roll by hand, and the claims by what the opponent sees and by hand. The last numbers
are how often each claim is believed, in two bytes each, the lower one first. The file is compressed by zlib. A second
file has only those numbers, for steps that keep any other four dice, or kings or aces.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import attrs

from lilygames.games.liarsdice.solved.solution import fallen, keeps, keeps_of
from lilygames_rules.dice.cup import DICE

Hand = int
Shares = Mapping[int, float]
STOP = -1
"""The choice not to roll again."""
_FULL, _MORE = 255, 256
_NEAR = 0.1
"""Difference of values, in stakes, up to which a player is taken to keep dice that sharks keep."""


@attrs.frozen(eq=False)
class Bluff:
    """How often the dice are broken up, and how often a player who did so rolls how many dice and claims what."""

    often: float
    rolls: Shares
    claims: Sequence[Shares]


NEVER = Bluff(0.0, {}, ())


@attrs.frozen(eq=False)
class Mix:
    """How often a player makes which choice, by hand; claims by the number of dice in the second roll, too."""

    kept: int
    choices: Mapping[Hand, Shares]
    claims: Sequence[Mapping[Hand, Shares]]
    trust: Sequence[Mapping[Hand, float]]
    """How often each claim is believed, by the number of dice in the second roll."""
    bluff: Bluff = NEVER

    def rolls(self, _: int, hand: Hand) -> Shares | None:
        """Return how often to keep which dice; None if this player never has such a hand."""
        if hand in self.choices or not self.bluff.often:
            return self.choices.get(hand)
        return {junk(self.kept, hand, dice) if dice else STOP: often for dice, often in self.bluff.rolls.items()}

    def told(self, way: int, hand: Hand) -> Shares | None:
        """Return how often to make which claim; None if this player never has such a hand, or rolls like this."""
        if way >= len(self.claims):
            return None
        lies = self.bluff.claims[way] if self.bluff.often else None
        return self.claims[way].get(hand, lies)

    def believed(self, way: int, said: Hand) -> float:
        """Return how often to believe a claim: one that these dice can't become is as true as the next higher one."""
        as_true = as_if(self.kept, said)
        return 0.0 if way >= len(self.trust) or as_true is None else self.trust[way].get(as_true, 0.0)


@cache
def reached(kept: int) -> tuple[Hand, ...]:
    """Return the hands that these dice can become, worst first."""
    return tuple(hand for hand, share in enumerate(fallen(keeps()[kept])) if share)


@lru_cache(4096)
def as_if(kept: int, said: Hand) -> Hand | None:
    """Return the lowest hand that these dice can become for which a claim is true; None if it's a known lie."""
    hands = reached(kept)
    place = bisect_left(hands, said)
    return hands[place] if place < len(hands) else None


@lru_cache(4096)
def beaten(claim: int, kept: int) -> int:
    """Return how many of the hands that these dice can become don't beat a claim."""
    return sum(hand <= claim for hand in reached(kept))


def likeliest(claim: int, some: Sequence[int], values: Sequence[float], planned: Collection[tuple[int, int]]) -> int:
    """Return the best of these dice to keep under a claim, or nearly as good ones that sharks keep: those planned."""
    best = max(some, key=values.__getitem__)
    near = [kept for kept in some if values[kept] > values[best] - _NEAR]
    return max((kept for kept in near if (kept, beaten(claim, kept)) in planned), key=values.__getitem__, default=best)


def added(kept: int, hand: Hand) -> tuple[int, ...]:
    """Return the dice to keep from a hand without giving up any that are kept already."""
    return tuple(more for more in keeps_of(hand) if not Counter(keeps()[kept]) - Counter(keeps()[more]))


def sayable(kept: int, low: int, hand: Hand) -> tuple[Hand, ...]:
    """Return the claims for a hand: its truth or more, if so many hands are too low."""
    return tuple(said for said in reached(kept)[low:] if said >= hand)


@cache
def junk(kept: int, hand: Hand, dice: int) -> int:
    """Return what to keep of a hand to roll so many dice and bluff: as little as possible of the dice to be kept."""
    faces = set(keeps()[kept])
    some = [one for one in keeps_of(hand) if len(keeps()[one]) == DICE - dice]
    return min(some, key=lambda one: sum(face in faces for face in keeps()[one]))


@cache
def mixes() -> Mapping[tuple[int, int], Mix]:
    """Load how to play the steps that come up, by the dice kept and the number of hands too low."""
    data = iter(zlib.decompress((files(__package__) / "mixes.bin").read_bytes()))
    found = {}
    for kept in data:
        low = next(data)
        found[kept, low] = _mix(kept, low, data)
    return found


@cache
def answers() -> Mapping[tuple[int, int], Mix]:
    """Load how often to believe claims about other dice, which no shark keeps, by dice and number of hands too low."""
    data = iter(zlib.decompress((files(__package__) / "answers.bin").read_bytes()))
    found = {}
    for kept in data:
        low = next(data)
        found[kept, low] = Mix(kept, {}, (), _trust(kept, low, data))
    return found


def _mix(kept: int, low: int, data: Iterator[int]) -> Mix:
    hands, ways = reached(kept), range(1 + DICE - len(keeps()[kept]))
    said = hands[low:]
    often = next(data) / _FULL
    bluff = Bluff(often, _row(ways, data), [_row(said, data) for _ in ways]) if often else NEVER
    rolls = {hand: _row((STOP, *added(kept, hand)), data) for hand in hands}
    claims = [{hand: _row(sayable(kept, low, hand), data) for hand in hands} for _ in ways]
    return Mix(kept, rolls, claims, _trust(kept, low, data), bluff)


def _trust(kept: int, low: int, data: Iterator[int]) -> Sequence[Mapping[Hand, float]]:
    ways, said = range(1 + DICE - len(keeps()[kept])), reached(kept)[low:]
    return [{one: (next(data) + _MORE * next(data)) / (_MORE * _FULL + _FULL) for one in said} for _ in ways]


def _row(choices: Sequence[int], data: Iterator[int]) -> Shares:
    return row(zip(choices, data, strict=False))


def row(pairs: Iterable[tuple[int, int]]) -> Shares:
    """Return the choices that are ever made with their shares of all."""
    some = [(choice, often) for choice, often in pairs if often]
    total = sum(often for _, often in some)
    return {choice: often / total for choice, often in some}
