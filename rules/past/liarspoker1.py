"""Version 1 of the rules of Liar's Poker: at most ten seats, and `last_double` for bills only.

Everything else is as in version 2, whose functions this module shares.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.kit import Join, Luck, Refused, Seat, Step
from rules.past import liarspoker2
from rules.past.liarspoker2 import Move, Options, State, View, default, moves, outcome, sample, view

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

NAME = liarspoker2.NAME
VERSION = 1
SEATS = range(2, 11)


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    """Return the first state; raises `Refused` for a number of seats or hands, or a stake, that isn't allowed."""
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    return liarspoker2.start(seats, options, purses, luck)


def apply(state: State, seat: Seat, move: Move, luck: Luck) -> Step[State]:
    """Return the result of `move` by `seat`; raises `Refused` if it isn't legal."""
    if isinstance(move, Join) and len(state.match.sitting) >= SEATS[-1]:
        raise Refused("table-full")
    return liarspoker2.apply(state, seat, move, luck)
