"""Tags that name a line's table, on screens that have recently shown lines of another table."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from lilygames.text import Line, Tag

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
        return [self._named(line, line.tag, always) if line.tag else line for line in lines]

    def _named(self, line: Line, tag: Tag, always: bool) -> Line:  # noqa: FBT001 - as above
        if self._lines < _LATELY:
            self._lines += 1
        self._run = self._run + 1 if tag.room == self._room else 1
        self._room = tag.room
        if not always and self._run >= self._lines:
            return line
        lead = f"[{tag.room}] " if always else f"#{tag.number} "
        return attrs.evolve(line, text=lead + line.text, tag=None)
