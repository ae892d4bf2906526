"""Televisions: shared screens that show a party's table as its spectators see it. Nobody is logged in there."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.people.terminal import Terminal
from lilygames.errors import UserError

MOST = 4
"""Maximum televisions of a table."""


class Televisions:
    """The televisions of this node, by the table that they show."""

    def __init__(self) -> None:
        self._shown: dict[int, list[Terminal]] = {}

    def at(self, number: int) -> Sequence[Terminal]:
        """Return the televisions that show a table."""
        return self._shown.get(number, ())

    def add(self, number: int, television: Terminal) -> None:
        """Show a table on a television; raises `UserError` if enough of them show it."""
        if len(self.at(number)) >= MOST:
            raise UserError(f"{MOST} televisions show this table already. Close the page on one of them first.")
        self._shown.setdefault(number, []).append(television)

    def remove(self, television: Terminal) -> None:
        """Forget a television that was turned off."""
        number = self.number_on(television)
        if number:
            self._shown[number].remove(television)
            if not self._shown[number]:
                del self._shown[number]

    def number_on(self, television: Terminal) -> int:
        """Return the number of the table that a television shows; 0 if it shows none."""
        return next((number for number, shown in self._shown.items() if television in shown), 0)

    def move(self, before: int, after: int) -> None:
        """Let the televisions of a table show the one that follows it: the same people play again."""
        if shown := self._shown.pop(before, None):
            self._shown.setdefault(after, []).extend(shown)
