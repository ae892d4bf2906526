"""Version 1 of Lie Die's rules: at most eight seats, and no `first=turns`.

Every game that version 1 allowed is played the same way today, so this module shares the functions of `rules.liedie`.
If those change, copy what version 1 needs from their last release to here first.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules import liedie
from rules.kit import Luck, Refused, Step
from rules.liedie import Move, Options, State, View, apply, default, moves, outcome, sample, view

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

NAME = liedie.NAME
VERSION = 1
SEATS = range(2, 9)


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` for a number of seats or games that isn't allowed."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    return liedie.start(seats, options, purses, luck)
