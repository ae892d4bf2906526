"""Hold back pasted lines of talk until the person has said whether to send them."""

from __future__ import annotations

import time
from asyncio import TimerHandle, get_running_loop
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from lilygames.text import Line, count

WITHIN = 1.0
"""Seconds in which someone may say so many lines, and seconds without another one after which they are asked."""
ASKED = 60.0
"""Seconds until an unanswered question is withdrawn and the lines are dropped."""
MOST = 1000
"""Maximum lines held back for one person."""
LARGEST = 64 * 1024
"""Maximum characters held back for one person."""

_BEGUN = Line("(That's a lot of lines at once, so they aren't sent yet.)")


class Reader(Protocol):
    """The person who pasted."""

    def show(self, *lines: Line) -> None:
        """Show lines on their screen."""

    def give_back(self) -> None:
        """Don't count the line that is being handled against the rate limit."""


class Paste:
    """The lines of talk that someone has just sent, and those that are held back."""

    __slots__ = ("_held", "_left_out", "_recent", "_sent", "_size", "_timer", "asks")

    def __init__(self) -> None:
        self._recent: deque[float] = deque()
        """When the lines of the last second were said."""
        self._sent = 0
        self._held: list[str] = []
        self._size = 0
        self._left_out = 0
        self._timer: TimerHandle | None = None
        self.asks = False
        """Whether the next `yes` or `no` answers the question."""

    def holds(self, reader: Reader, line: str, at_once: int) -> bool:
        """Hold back a line of talk if this many came within a second before it; return False if it may be said now."""
        now, recent = time.monotonic(), self._recent
        while recent and now - recent[0] > WITHIN:
            recent.popleft()
        collects = bool(self._held) and not self.asks
        if not collects and len(recent) < at_once:
            recent.append(now)
            return False
        if not self._held:
            self._sent = len(recent)
            reader.show(_BEGUN)
        if len(self._held) < MOST and self._size + len(line) <= LARGEST:
            self._held.append(line)
            self._size += len(line)
        else:
            self._left_out += 1
        reader.give_back()
        self.asks = False
        self._after(WITHIN, reader)
        return True

    def answered(self, text: str) -> Sequence[str] | None:
        """Return the lines to send after a `yes`, none after a `no`, and None if a line answers no question."""
        word = text.strip().casefold()
        if not self.asks or word not in ("yes", "y", "no", "n"):
            return None
        lines = self._held if word.startswith("y") else ()
        self._clear()
        return lines

    def _after(self, seconds: float, reader: Reader) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = get_running_loop().call_later(seconds, self._go_on, reader)

    def _go_on(self, reader: Reader) -> None:
        """Ask about the lines, or drop them if nobody has answered."""
        if not self.asks:
            self.asks = True
            reader.show(Line(self._question()))  # a page shows no line of the kind "turn"
            self._after(ASKED, reader)
            return
        number = len(self._held)
        self._clear()
        reader.show(Line(f"(The {count(number, 'line')} you pasted weren't sent.)"))

    def _question(self) -> str:
        held, pasted = len(self._held), len(self._held) + self._left_out + self._sent
        them = f"{held} of them" if self._left_out else "them"
        return (
            f"You pasted {pasted} lines. Type yes to send {them}, no to drop them. (The first {self._sent} were sent.)"
        )

    def _clear(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._held, self._size, self._left_out, self._timer, self.asks = [], 0, 0, None, False
