"""How a player of two-player Liars Dice plays who rolls all five dice first, so that no answer wins from it.

`lab/solve-liarsdice` solves these steps with all hands apart, for some claims to beat; other claims use the next
higher one of these. Their plans follow one another, each after the claim and its length. A plan has the choices of dice
to roll, by what the opponent has seen, and by hand. Then it has the claims after each way to roll. It says how often
each hand that is good enough is lied about, and how often a lie is which claim. Hands of the same group tell the same
lies. Each share is one byte; a choice that is always made is one byte, too. Rare rolls and hands are left out. The file
is compressed by zlib.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO

import attrs

from lilygames.games.liarsdice.solved.mixes import STOP, Hand, Shares, row
from lilygames.games.liarsdice.solved.solution import FRESH, hands, heads, keeps_of
from lilygames_rules.dice.cup import DICE

LOWEST = 143
"""The lowest claim to beat that has a plan of its own: lower ones are worth the same."""
STAGES = range(1 + DICE)
"""Ways to see the rolls when the player may roll again: the first roll, or the number of dice in the second."""
MIXED = 32
"""A byte from this number on says how many choices follow with their shares; a lower one is a choice."""
LENGTH = 3
"""Bytes for the length of a plan, the lowest one first."""
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

    def _lies(self, way: Way, hand: Hand) -> Iterator[tuple[int, int]]:
        return zip(range(self.claim + 1, len(hands())), self.lies[way][heads()[hand]], strict=True)


def plan(claim: int) -> Plan:
    """Return the plan to beat a claim, or the next higher one that has a plan."""
    some = planned()
    return _plan(some[min(bisect_left(some, claim), len(some) - 1)])


def planned() -> tuple[int, ...]:
    """Return the claims to beat that have a plan of their own, lowest first."""
    return tuple(_written())


@cache
def _written() -> Mapping[int, bytes]:
    """Return the plans as they are written, by claim. One is read when it's first needed: all take too long."""
    file, found = BytesIO(zlib.decompress((files(__package__) / "fresh.bin").read_bytes())), {}
    while head := file.read(1 + LENGTH):
        found[head[0]] = file.read(int.from_bytes(head[1:], "little"))
    return found


@cache
def _plan(claim: int) -> Plan:
    file, many = BytesIO(_written()[claim]), len(hands()) - claim - 1
    choices = [[_choice((*keeps_of(hand), STOP), file) for hand in range(len(hands()))] for _ in STAGES]
    bluffs, lies = {}, {}
    for way in range(FRESH):
        if file.read(1)[0]:
            bluffs[way] = file.read(many)
            lies[way] = [file.read(many) for _ in range(1 + max(heads()))]
    return Plan(claim, choices, bluffs, lies)


def _choice(choices: Sequence[int], file: BytesIO) -> Shares:
    (first,) = file.read(1)
    if first < MIXED:
        return {choices[first]: 1.0}
    pairs = file.read(2 * (first - MIXED))
    return row((choices[pairs[at]], pairs[at + 1]) for at in range(0, len(pairs), 2))
