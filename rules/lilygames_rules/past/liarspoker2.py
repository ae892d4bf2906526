"""Version 2 of the rules of Liar's Poker: with `last_double`, a last hand on a tenth number is doubled only once.

`Match.compounds` is the difference: the state has it from the first move on, and everything else is shared with
`lilygames_rules.liarspoker`. If that changes, copy what version 2 needs from its last release to here first.
"""

from __future__ import annotations

from collections.abc import Sequence

from lilygames_rules import liarspoker
from lilygames_rules.kit import Luck, Step
from lilygames_rules.liarspoker import Move, Options, State, View, apply, default, moves, outcome, sample, turn, view

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
    "turn",
    "view",
]

NAME, SEATS = liarspoker.NAME, liarspoker.SEATS
VERSION = 2


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` as `lilygames_rules.liarspoker` does."""
    return liarspoker.begun(seats, options, purses, luck, compounds=False)
