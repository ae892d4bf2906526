"""Who has asked the table to pass for them, and the passing."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from lilygames.chat.names import fold
from lilygames.errors import UserError
from lilygames.tables.log import Noted
from lilygames.tables.runner import Advanced, Runner
from lilygames.tables.table import Table, first_moves
from rules.kit import Refused, Seat


class Autopass:
    """Passes for those who have asked for it, whenever the rules let them."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._passing: set[str] = set()

    def passes(self, name: str) -> bool:
        """Whether the table passes for somebody of that name."""
        return fold(name) in self._passing

    def observe(self, advanced: Advanced) -> None:
        """Take note of who lets the table pass for them, and who plays again."""
        match advanced.act:
            case Noted("passes", name):
                self._passing.add(fold(name))
            case Noted("plays", name):
                self._passing.discard(fold(name))

    def pass_of(self, table: Table, seat: Seat) -> Any:
        """Return the move by which the table passes for a seat that asked for it, None where it did not or cannot."""
        who = table.seats[seat]
        if not (self._passing and who.person and self.passes(who.name)):
            return None
        return next((move for move in first_moves(table, seat) if table.game.spell(move) == "pass"), None)

    @property
    def may_pass(self) -> bool:
        """Whether there is anything to pass now."""
        table = self._runner.table
        return bool(self._passing) and any(self.pass_of(table, seat) is not None for seat in range(len(table.seats)))

    async def pass_for_all(self) -> None:
        """Pass for those who asked the table to, as long as there is anything to pass."""
        table = self._runner.table
        for seat, who in enumerate(table.seats):
            move = self.pass_of(table, seat)
            if move is not None:
                with suppress(Refused, UserError):
                    await self._runner.make(seat, move, who.name)
                return
