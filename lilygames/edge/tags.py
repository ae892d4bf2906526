"""Tags that name a line's table, on screens that have recently shown lines of another table."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.text import Line

_LATELY = 40
"""Game lines for which another table counts as recent."""


class Tags:
    """The tables recently shown on one screen."""

    __slots__ = ("_lines", "_room", "_run")

    def __init__(self) -> None:
        self._lines = 0
        """Game lines shown, up to that many."""
        self._room = ""
        """The room of the last one."""
        self._run = 0
        """How many lines in a row are of that room."""

    def named(self, lines: Iterable[Line], *, always: bool) -> list[Line]:
        """Return lines with a tag for their table's number (`#12 `) if several tables are shown.

        With `always`, every game line names its room, as in `[ohell] `, for programs that read rows.
        """
        named = []
        for line in lines:
            if tag := line.tag:
                self._lines = self._lines + 1 if self._lines < _LATELY else _LATELY
                self._run = self._run + 1 if tag.room == self._room else 1
                self._room = tag.room
                lead = f"[{tag.room}] " if always else f"#{tag.number} " if self._run < self._lines else ""
                named.append(attrs.evolve(line, text=lead + line.text, tag=None) if lead else line)
            else:
                named.append(line)
        return named
