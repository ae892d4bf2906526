"""How a player of two-player Liars Dice plays who rolls all five dice first, so that no answer wins from it.

`scripts/solve-liarsdice` solves these steps with all hands apart, for some claims to beat; other claims use the next
higher one of these. The file has, for each of them, the choices of dice to roll: by what the opponent has seen, and by
hand. Then it has the claims after each way to roll. It says how often each hand that is good enough is lied about, and
how often a lie is which claim. Hands of the same group tell the same lies. Each share is one byte; a choice that is
always made is one byte, too. Rare rolls and hands are left out. The file is compressed by zlib.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import attrs

from lilygames.games.liarsdice.mixes import STOP, Hand, Shares, row
from lilygames.games.liarsdice.solution import FRESH, KNOTS, hands, heads, keeps_of
from rules.dice.cup import DICE

LOWEST = 143
"""The lowest claim to beat that has a plan of its own: lower ones are worth the same."""
PLANNED = tuple(claim for claim in KNOTS[:-1] if claim >= LOWEST)
"""The claims to beat that have a plan of their own."""
STAGES = range(1 + DICE)
"""Ways to see the rolls when the player may roll again: the first roll, or the number of dice in the second."""
MIXED = 32
"""A byte from this number on says how many choices follow with their shares; a lower one is a choice."""
LEVELS = 63
"""The number that is written for a hand that is always lied about, and for the likeliest lie."""
Way = int


@attrs.frozen(eq=False)
class Plan:
    """How to roll, and how to claim: lies by what the opponent has seen and by group, bluffs by hand."""

    claim: int
    choices: Sequence[Sequence[Shares]]
    bluffs: Mapping[Way, bytes]
    lies: Mapping[Way, Sequence[bytes]]

    def rolls(self, way: Way, hand: Hand) -> Shares | None:
        """Return how often to keep which dice; None if the rolls are over."""
        return self.choices[way][hand] if way in STAGES else None

    def told(self, way: Way, hand: Hand) -> Shares | None:
        """Return how often to make which claim; None if it never rolls like this."""
        if way not in self.lies:
            return None
        above = max(hand, self.claim)
        told = {said: often for said, often in self._lies(way, hand) if said > above and often}
        total = sum(told.values())
        bluff = self.bluffs[way][hand - self.claim - 1] / LEVELS if hand > self.claim and total else float(bool(total))
        lies = {said: bluff * often / total for said, often in told.items()} if bluff else {}
        if bluff < 1:
            lies[max(hand, self.claim + 1)] = 1 - bluff
        return lies

    def believed(self, _: Way, said: Hand) -> float | None:
        """Return 1 for claims below all plans, because doubting those gains less than taking the dice.

        For any other claim return None: how often it is believed follows from what a liar gets.
        """
        return 1.0 if said <= LOWEST else None

    def _lies(self, way: Way, hand: Hand) -> Iterator[tuple[int, int]]:
        return zip(range(self.claim + 1, len(hands())), self.lies[way][heads()[hand]], strict=True)


def plan(claim: int) -> Plan:
    """Return the plan to beat a claim, or the next higher one that has a plan."""
    return plans()[min(bisect_left(PLANNED, claim), len(PLANNED) - 1)]


@cache
def plans() -> Sequence[Plan]:
    """Load the plans of the claims to beat, lowest first."""
    data = iter(zlib.decompress((files(__package__) / "fresh.bin").read_bytes()))
    return [_plan(claim, data) for claim in PLANNED]


def _plan(claim: int, data: Iterator[int]) -> Plan:
    choices = [[_choice((*keeps_of(hand), STOP), data) for hand in range(len(hands()))] for _ in STAGES]
    claims, bluffs, lies = range(claim + 1, len(hands())), {}, {}
    for way in range(FRESH):
        if next(data):
            bluffs[way] = bytes(next(data) for _ in claims)
            lies[way] = [bytes(next(data) for _ in claims) for _ in range(1 + max(heads()))]
    return Plan(claim, choices, bluffs, lies)


def _choice(choices: Sequence[int], data: Iterator[int]) -> Shares:
    first = next(data)
    if first < MIXED:
        return {choices[first]: 1.0}
    pairs = [(choices[next(data)], next(data)) for _ in range(first - MIXED)]
    return row(pairs)
