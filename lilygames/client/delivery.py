"""Typed lines that the server hasn't acknowledged yet. After a lost connection they are given back."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Mapping, Sequence

LINE, DONE = "Lily.Line", "Lily.Done"
"""The GMCP modules for a line that is acknowledged, and for its acknowledgement."""
MOST = 200
"""Maximum lines that wait for an acknowledgement; the oldest are forgotten."""


class Delivery:
    """The lines of one person at one server.

    Each line has a text of its own, by which the server knows a move that is sent twice. A line that was given back
    keeps it, so sending the same line again makes its move once.
    """

    def __init__(self) -> None:
        self.offered = False
        """Whether the server acknowledges lines, on this connection."""
        self._own = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._waiting: dict[str, str] = {}
        """Lines by their text of their own, in the order in which they were sent."""
        self._returned: dict[str, str] = {}
        """The texts of lines that were given back, by line."""

    def sent(self, line: str, seen: Mapping[int, int]) -> Mapping[str, object]:
        """Return the message for a line; `seen` has the last log entry of each table on the screen."""
        once = self._returned.pop(line, "") or f"{self._own}-{next(self._numbers)}"
        self._waiting[once] = line
        if len(self._waiting) > MOST:
            del self._waiting[next(iter(self._waiting))]
        return {"line": line, "once": once, "seen": {str(number): seq for number, seq in seen.items()}}

    def told(self, package: str, value: object) -> None:
        """Handle a GMCP message from the server."""
        match package, value:
            case "Lily.Line", {"acknowledged": True}:
                self.offered = True
            case "Lily.Done", {"once": str(once)}:
                self._waiting.pop(once, None)

    def lost(self) -> Sequence[str]:
        """Return the lines that weren't acknowledged on the connection that is lost, and wait for none."""
        self._returned = {line: once for once, line in self._waiting.items()}
        self._waiting.clear()
        self.offered = False
        return [*self._returned]
