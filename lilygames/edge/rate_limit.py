"""How fast lines are taken from one connection: first slowly, then not at all, and at last the connection ends."""

from __future__ import annotations

from typing import Literal

from lilygames.edge.limits import Allowance

AT_ONCE = 4
"""Seconds' worth of lines that may come at once: a paste, or a list of moves."""

SLOWED = 30
"""Seconds' worth of lines taken slowly, while more are waiting, before lines are refused; as many again are refused."""

Word = Literal["heard", "refused", "cut"]


class Pace:
    """The pace of one connection, and of the lines that its address shares.

    Who waits for answers is at most slowed, however many lines that makes.
    """

    __slots__ = ("_allowance", "_patience", "_pressed")

    def __init__(self, lines_per_second: float, shared: Allowance | None = None) -> None:
        self._allowance = Allowance(lines_per_second, lines_per_second * AT_ONCE, shared)
        self._patience = lines_per_second * SLOWED
        self._pressed = 0

    def wait(self, now: float) -> float:
        """Return the seconds to wait before another line is taken."""
        return self._allowance.owed(now)

    def take(self, now: float, *, more: bool) -> Word:
        """Return what becomes of the line that is taken now; `more` says that others are waiting behind it."""
        pressing = more and self._allowance.spent(now)
        self._allowance.take(now)
        if not more:
            self._pressed = 0
        self._pressed += pressing
        if self._pressed <= self._patience:
            return "heard"
        return "refused" if self._pressed <= 2 * self._patience else "cut"
