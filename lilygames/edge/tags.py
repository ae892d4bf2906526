"""Which table a line is of: named before the line on a screen that has lately shown lines of another table, too."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import attrs

from lilygames.text import Line, Tag

_LATELY = 40
"""Lines of games within which a screen has lately shown another table."""


class Tags:
    """The tables whose lines one screen has shown lately."""

    def __init__(self) -> None:
        self._rooms: deque[str] = deque(maxlen=_LATELY)

    def named(self, lines: Iterable[Line], *, always: bool) -> list[Line]:
        """Return lines to show: those of a table led by its number (`#12 `) if several are heard.

        For programs that read rows they are `always` led by the room, as in `[ohell] `.
        """
        return [self._named(line, line.tag, always) if line.tag else line for line in lines]

    def _named(self, line: Line, tag: Tag, always: bool) -> Line:  # noqa: FBT001 - as above
        self._rooms.append(tag.room)
        several = any(room != tag.room for room in self._rooms)
        lead = f"[{tag.room}] " if always else f"#{tag.number} " if several else ""
        return attrs.evolve(line, text=lead + line.text, tag=None)
