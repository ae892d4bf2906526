"""Solve the first step of a round of Liars Dice, in which the dice kept lie open, by linear programming.

The dice that are rolled again carry no secret, so what follows each roll is a game of its own. To roll again has the
same value for all hands that the same dice can be kept from.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from lab.solving.apart import FALLS, KEPT, RUNGS, Array
from lilygames.games.liarsdice.solved.mixes import reached
from lilygames.games.liarsdice.solved.solution import keeps_of

FULL, BYTE = 32767, 255
HARDLY = 1e-12
"""The least probability of a hand that is claimed about at all."""
SHADE = 1e-6
"""The loss of a true claim for each hand by which it is too low, so that the truth is told if nothing else is."""


@attrs.frozen(eq=False)
class Solved:
    """The value of the step, of the dice kept by roll, and what follows each roll, as in the table."""

    value: float
    values: Sequence[Array]
    rounds: Sequence[Round]


@attrs.frozen(eq=False)
class Round:
    """The value of a roll, how often each claim is believed, and how often each hand stops and makes which claim."""

    value: float
    trust: Array
    stops: Array
    told: Array


def solve(worth: Array) -> Solved:
    """Solve the step; `worth` is what hands are worth to their taker, by claim."""
    third = [_round(kept, worth, np.full(RUNGS, -1.0)) for kept in range(KEPT)]
    second = [_round(kept, worth, _best(third)) for kept in range(KEPT)]
    first = _round(0, worth, _best(second))
    values = [np.array([one.value for one in rolls]) for rolls in (second, third)]
    return Solved(first.value, values, [first, *second, *third])


def _best(rolls: Sequence[Round]) -> Array:
    """Return what it is worth to roll again, by hand."""
    return np.array([max(rolls[kept].value for kept in keeps_of(hand)) for hand in range(RUNGS)])


def _round(kept: int, worth: Array, again: Array) -> Round:
    """Solve what follows a roll with these dice open; `again` is what it is worth to roll again, by hand.

    The variables are how often each claim is believed, and what each hand is worth: no less than any claim about it.
    """
    hands = np.array(reached(kept))
    mass, many = FALLS[kept][hands], len(hands)
    own, said = hands[:, None], hands[None, :]
    true, taken = own >= said, worth[said, own]
    trusted = csr_array(
        (np.where(true, -1 - taken, 1 - taken).ravel(), (np.arange(many**2), np.tile(np.arange(many), many)))
    )
    worths = csr_array((np.full(many**2, -1.0), (np.arange(many**2), np.repeat(np.arange(many), many))))
    found = linprog(
        np.concatenate([np.zeros(many), mass]),
        A_ub=hstack([trusted, worths]),
        b_ub=np.where(true, SHADE * (own - said) - 1, 1).ravel(),
        bounds=[*[(0, 1)] * many, *[(least, 1) for least in again[hands]]],
        method="highs",
    )
    told = np.maximum(0, -found.ineqlin.marginals.reshape(many, many))
    stops = np.clip(told.sum(1) / mass, 0, 1)
    told[np.diag_indices(many)] += np.tril(told, -1).sum(1) + (told.sum(1) < HARDLY)
    return Round(found.fun, found.x[:many], stops, np.triu(told))


def packed(found: Solved) -> bytes:
    """Return the step as it is shipped (see `lilygames.games.liarsdice.solved.opening`)."""
    data = b"".join(np.rint(values * FULL).astype("<i2").tobytes() for values in found.values)
    for one in found.rounds:
        data += np.rint(one.trust * FULL).astype("<i2").tobytes() + np.rint(one.stops * BYTE).astype(np.uint8).tobytes()
        told = np.rint(one.told / one.told.max(1, keepdims=True) * BYTE).astype(np.uint8)
        data += b"".join(row[place:].tobytes() for place, row in enumerate(told))
    return data
