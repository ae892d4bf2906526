"""Version 1 of the rules of lily-poker: with smaller all-ins before the first full bet, and short blinds.

An all-in before the first full bet or raise set the size of a full raise, so it let seats that had called raise again.
After a big blind that was all-in for 1, a call cost 1. `Terms.full_bets` is the difference: the state has it from the
first move on, and everything else is shared with `lilygames_rules.lilypoker`. If that changes, copy what version 1
needs from its last release to here first.
"""

from __future__ import annotations

from collections.abc import Sequence

from lilygames_rules import lilypoker
from lilygames_rules.kit import Luck, Step
from lilygames_rules.lilypoker import Move, Options, State, View, apply, default, moves, outcome, sample, turn, view

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

NAME, SEATS = lilypoker.NAME, lilypoker.SEATS
VERSION = 1


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` as `lilygames_rules.lilypoker` does."""
    return lilypoker.begun(seats, options, purses, luck, full_bets=False)
