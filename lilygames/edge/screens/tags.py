"""Tags that name a line's table, on screens that have recently shown lines of another table."""

from __future__ import annotations

from collections.abc import Sequence

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

    def named(self, lines: Sequence[Line], *, always: bool, narrow: bool = False) -> Sequence[Line]:
        """Return lines with a tag for their table's number (`#12 `) if several tables are shown.

        On a `narrow` screen only the first of several lines of a table has a tag, because the others may fill a row.
        With `always`, every game line names its room, as in `[ohell] `, for programs that read rows.
        """
        for line in lines:
            if line.tag is not None and (always or self._left or line.tag.room != self._room):
                return self._named(lines, always=always, narrow=narrow)
        return lines  # most lines are of the only table that was shown lately

    def _named(self, lines: Sequence[Line], *, always: bool, narrow: bool) -> list[Line]:
        named, before = list[Line](), ""
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
            if narrow and not always and before == tag.room:
                lead = ""
            before = tag.room
            named.append(attrs.evolve(line, text=lead + line.text, tag=None) if lead else line)
        return named
