"""Handles: the numbers by which SLCP clients know people and rooms."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from lilygames.chat.names.names import fold

FIRST = 100
"""The first handle. Lower ones are the server's own: `#0`."""
MOST = 10_000
"""Maximum handles remembered. A name whose handle was forgotten gets a new one: no handle is ever used twice."""


class Handles:
    """One handle for each name of a person (`~bob`) or a room (`-cafe`), the same for all clients of this node."""

    def __init__(self, known: Mapping[str, int] | None = None) -> None:
        self._known = OrderedDict(known or {})
        self._next = max(self._known.values(), default=FIRST - 1) + 1

    def of(self, mark: str) -> int:
        """Return the handle of a person or room, spelled as you like."""
        key = fold(mark)
        handle = self._known.get(key)
        if handle is None:
            handle = self._known[key] = self._next
            self._next += 1
            if len(self._known) > MOST:
                self._known.popitem(last=False)
        return handle

    def move(self, old: str, new: str) -> None:
        """Keep the handle of a person who is called differently from now on."""
        self.share(old, new)
        if fold(old) != fold(new):
            del self._known[fold(old)]

    def share(self, old: str, new: str) -> None:
        """Use the handle of a room for its new name, too: the old one still leads there."""
        self._known[fold(new)] = self.of(old)

    def forget(self, mark: str) -> None:
        """Forget the handle of a room that was closed, for all its names."""
        handle = self.of(mark)
        for one in [one for one, number in self._known.items() if number == handle]:
            del self._known[one]

    def mark_of(self, handle: int) -> str:
        """Return what a handle stands for; empty if it isn't known."""
        return next((mark for mark, number in self._known.items() if number == handle), "")

    def carried(self) -> dict[str, int]:
        """Return all handles, for the next process."""
        return dict(self._known)
