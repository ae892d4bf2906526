"""The questions of a table: which seats are asked for a move, and since which entry of its log."""

from __future__ import annotations

import itertools
from typing import Any

import attrs

from lilygames.tables.log import Act, Expired, Moved, Seated, Undone, UndoneUncounted
from lilygames.tables.table import Table
from rules.kit import Seat

COMPARED = 64
"""How many of a long list of moves are compared to see whether a question is a new one."""


def first_moves(table: Table, seat: Seat) -> tuple[Any, ...]:
    """Return the legal moves of a seat, the first of a very long list."""
    return tuple(itertools.islice(table.moves(seat), COMPARED))


@attrs.frozen
class Asked:
    """What a seat is asked: the first of its legal moves, since which entry, and at what time."""

    moves: tuple[Any, ...]
    seq: int
    at: float


class Questions:
    """The open questions of a table's people, by seat. Whoever reads the same log finds the same questions."""

    def __init__(self) -> None:
        self.open: dict[Seat, Asked] = {}

    def after(self, table: Table, act: Act, at: float) -> tuple[list[Seat], list[Seat]]:
        """Take note of the table as it is after an act at some time; return who is asked anew, and who no longer is.

        A seat that has just moved, or that has changed hands, is asked anew even if its moves are the same; after moves
        were taken back everyone is.
        """
        before = dict(self.open)
        match act:
            case Moved(seat) | Expired(seat) | Seated(seat):
                self.open.pop(seat, None)
            case Undone() | UndoneUncounted():
                self.open = {}
        same, self.open = self.open, {}
        for seat, who in enumerate(table.seats):
            if who.person and (moves := first_moves(table, seat)):
                asked = same.get(seat)
                self.open[seat] = asked if asked and asked.moves == moves else Asked(moves, table.seq, at)
        anew = [seat for seat, asked in self.open.items() if before.get(seat) is not asked]
        return anew, [seat for seat in before if seat not in self.open]
