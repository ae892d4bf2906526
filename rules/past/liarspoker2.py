"""Version 2 of the rules of Liar's Poker: with `last_double`, a last hand on a tenth number is doubled only once.

`Match.compounds` is the difference: the state has it from the first move on, and everything else is shared with
`rules.liarspoker`. If that changes, copy what version 2 needs from its last release to here first.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules import liarspoker
from rules.kit import Luck, Step
from rules.liarspoker import Move, Options, State, View, apply, default, moves, outcome, sample, view

__all__ = [
    "NAME",
    "SEATS",
    "VERSION",
    "Move",
    "Options",
    "State",
    "View",
    "apply",
    "default",
    "moves",
    "outcome",
    "sample",
    "start",
    "view",
]

NAME, SEATS = liarspoker.NAME, liarspoker.SEATS
VERSION = 2


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` as `rules.liarspoker` does."""
    return liarspoker.begun(seats, options, purses, luck, compounds=False)
