"""Tags that name a line's table, on screens that have recently shown lines of another table."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.text import Line

_LATELY = 40
"""Game lines for which another table counts as recent."""


class Tags:
    """The tables recently shown on one screen."""

    __slots__ = ("_left", "_room")

    def __init__(self) -> None:
        self._room = ""
        """The room of the last game line."""
        self._left = 0
        """Lines of that room from which on no other table is recent."""

    def named(self, lines: Iterable[Line], *, always: bool) -> list[Line]:
        """Return lines with a tag for their table's number (`#12 `) if several tables are shown.

        With `always`, every game line names its room, as in `[ohell] `, for programs that read rows.
        """
        named = []
        for line in lines:
            tag = line.tag
            if tag is None:
                named.append(line)
                continue
            if tag.room != self._room:
                self._left = _LATELY if self._room else 1
                self._room = tag.room
            if self._left:
                self._left -= 1
            lead = f"[{tag.room}] " if always else f"#{tag.number} " if self._left else ""
            named.append(attrs.evolve(line, text=lead + line.text, tag=None) if lead else line)
        return named
