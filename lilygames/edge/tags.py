"""Tags that name a line's table, on screens that have recently shown lines of another table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import attrs

from lilygames.text import Line, Tag

_LATELY = 40
"""Game lines for which another table counts as recent."""


class Tags:
    """The tables recently shown on one screen."""

    def __init__(self) -> None:
        self._rooms: deque[str] = deque(maxlen=_LATELY)

    def named(self, lines: Iterable[Line], *, always: bool) -> list[Line]:
        """Return lines with a tag for their table's number (`#12 `) if several tables are shown.

        With `always`, every game line names its room, as in `[ohell] `, for programs that read rows.
        """
        return [self._named(line, line.tag, always) if line.tag else line for line in lines]

    def _named(self, line: Line, tag: Tag, always: bool) -> Line:  # noqa: FBT001 - as above
        self._rooms.append(tag.room)
        several = self._rooms.count(tag.room) < len(self._rooms)
        lead = f"[{tag.room}] " if always else f"#{tag.number} " if several else ""
        return attrs.evolve(line, text=lead + line.text, tag=None) if lead else line
