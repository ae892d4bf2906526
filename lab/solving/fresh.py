"""Solve the steps of Liars Dice whose player rolls all five dice first, with all hands apart."""

from __future__ import annotations

import attrs
import numpy as np

from lab.solving.apart import FALLS, RUNGS, UP_TO_ALL, WITH, Array, Claims, Rolls, choices
from lilygames.games.liarsdice.solved.fresh import LENGTH, LEVELS, MIXED, STAGES
from lilygames.games.liarsdice.solved.solution import FRESH, heads, keeps_of
from lilygames_rules.dice.cup import DICE

ROUNDS = 300
PLANNED = (
    163, 168, 170, 173, 174, 176, 177, 179, 180, 181, 183, 184, 185, 187, 188, 189, 191, 193, 194, 196, 197, 198,
    199, 201, 203, 204, 206, 208, 209, 211, 212, 213, 214, 215, 217, 219, 221, 223, 224, 225, 226, 227, 228, 229,
    230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250,
)  # fmt: skip
"""The claims to beat whose plans are shipped: no other one loses more than 0.01 of the stake by the next plan."""
BYTE = 255
SEEN, REACHED, HARDLY = 5e-4, 1e-5, 1e-8
"""How often rolls must be seen to have claims, a hand must come up to have a choice, and a claim must be made."""
LEAST = 0.01
"""The least share of a lie, against the likeliest one."""
HEAD = np.array(heads())


@attrs.frozen(eq=False)
class Solved:
    """A step's value, and how often what was chosen: rolls by stage, hand and choice; claims by way, hand and claim.

    `liars` is what a liar gets by what the opponent sees, and `trust` how often each claim is believed.
    """

    value: float
    gap: float
    liars: Array
    trust: Array
    rolls: Array
    told: Array


def solve(claim: int, worth: Array, rounds: int = ROUNDS) -> Solved:
    """Solve the step after a claim; `worth` is what hands are worth to their taker, by claim."""
    claims, first, second = Claims(claim, worth, FRESH), Rolls(), [Rolls() for _ in UP_TO_ALL]
    for number in range(1, rounds + 1):
        ends, weight = claims.worths(), float(number * number)
        gains = [rolls.worths(_again(ends, before)) for before, rolls in enumerate(second, 1)]
        first.worths(_first(ends, gains))
        found = np.zeros((FRESH, RUNGS))
        found[0], thrown = first.made(FALLS[0], weight)
        for before, rolls in enumerate(second, 1):
            found[before], more = rolls.made(thrown[WITH[before]] @ FALLS[WITH[before]], weight)
            for last in UP_TO_ALL:
                found[DICE * before + last] = more[WITH[last]] @ FALLS[WITH[last]]
        claims.heard(found, weight)
    best = claims.best()
    bests = [_again(best, before).max(1) for before in UP_TO_ALL]
    high, low = float(FALLS[0] @ _first(best, bests).max(1)), claims.sure()
    sums = np.array([rolls.sums for rolls in (first, *second)])
    told = claims.sums / claims.weights
    return Solved((high + low) / 2, high - low, claims.liars(), claims.believed(), sums / claims.weights, told)


def _again(ends: Array, before: int) -> Array:
    """Return the value of each choice after a second roll of so many dice."""
    return choices({last: ends[DICE * before + last] for last in UP_TO_ALL}, ends[before])


def _first(ends: Array, gains: list[Array]) -> Array:
    """Return the value of each choice after the first roll."""
    return choices(dict(enumerate(gains, 1)), ends[0])


def packed(claim: int, found: Solved) -> bytes:
    """Return a step as `lilygames.games.liarsdice.solved.fresh` ships it, without what hardly ever comes up."""
    data = bytearray()
    for stage in STAGES:
        for hand in range(RUNGS):
            data += _choice(found.rolls[stage, hand], len(keeps_of(hand)))
    for told in found.told:
        data.append(int(told.sum() >= SEEN))
        if data[-1]:
            data += _claims(claim, told)
    return bytes([claim]) + len(data).to_bytes(LENGTH, "little") + bytes(data)


def believed(found: Solved) -> bytes:
    """Return how often each claim is believed, as it is shipped (see `lilygames.games.liarsdice.bots.beliefs`)."""
    return np.rint(found.trust * BYTE).astype(np.uint8).tobytes()


def _choice(often: Array, stop: int) -> bytes:
    """Return the choices of a hand, which are in a byte if there is just one; the first if the hand hardly comes up."""
    if often.sum() < REACHED:
        return bytes([0])
    shares = np.rint(np.append(often[:stop], often[-1]) / often.max() * BYTE).astype(int)
    some = [(place, share) for place, share in enumerate(shares) if share]
    return (
        bytes([some[0][0]]) if len(some) == 1 else bytes([MIXED + len(some), *(one for pair in some for one in pair)])
    )


def _claims(claim: int, told: Array) -> bytes:
    """Return how often each hand is lied about, and the lies by group of hands."""
    above = np.arange(claim + 1, RUNGS)
    lies = np.where(np.arange(RUNGS)[:, None] < above, told, 0)
    bluffs = np.where(told.sum(1) > HARDLY, lies.sum(1) / np.maximum(told.sum(1), HARDLY), 0)[above]
    groups = np.array([lies[head == HEAD].sum(0) for head in range(1 + HEAD.max())])
    most = groups.max(1, keepdims=True)
    some = np.where(most > HARDLY, groups / np.maximum(most, HARDLY), 0)
    return _levels(bluffs) + _levels(np.where(some < LEAST, 0, some))


def _levels(shares: Array) -> bytes:
    return np.rint(shares * LEVELS).astype(np.uint8).tobytes()
