"""Version 1 of the rules of Liars Dice: without `first=turns`.

Every game that version 1 allowed is played the same way today, so this module shares the functions of
`rules.liarsdice`. If those change, copy what version 1 needs from their last release to here first.
"""

from __future__ import annotations

from rules import liarsdice
from rules.liarsdice import Move, Options, State, View, apply, default, moves, outcome, sample, start, view

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

NAME, SEATS = liarsdice.NAME, liarsdice.SEATS
VERSION = 1
