"""One row of a screen: how wide letters are, how a charset shows them, and which part of a long line is in sight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import attrs
from prompt_toolkit.utils import get_cwidth

from lilygames.edge.render import encoded


@lru_cache(maxsize=4096)
def cells(letter: str) -> int:
    """Return how many columns a letter takes: two for a wide one, none for a mark or a joiner."""
    return 1 if letter == "\n" else max(get_cwidth(letter), 0)


@lru_cache(maxsize=4096)
def shown(letter: str, charset: str) -> str:
    """Return what a screen of this charset shows for a letter that is typed: no joiners, and line ends as arrows."""
    if letter in "\u200c\u200d\ufe0e\ufe0f":
        return ""
    letter = "↵" if letter == "\n" else letter
    return encoded(letter, charset).replace(b"\xff\xff", b"\xff").decode(charset)


@attrs.frozen
class Row:
    """What of a line is in sight: the text, the columns it takes, and where the cursor is.

    `start` is the place in the line where it begins, so that the next row can begin there too; `whole` if all is there.
    """

    text: str = ""
    columns: int = 0
    cursor: int = 0
    start: int = 0
    whole: bool = True


def row(line: str, cursor: int, width: int, charset: str, start: int = 0) -> Row:
    """Return the part of `line` to show in `width` columns: all if it fits, else from `start` where it may be."""
    pieces: Sequence[str] = line if line.isascii() and line.isprintable() else [shown(one, charset) for one in line]
    widths = [1] * len(line) if pieces is line else [sum(map(cells, piece)) for piece in pieces]
    start = _start(widths, cursor, width, start)
    end, columns = start, 0
    while end < len(line) and columns + widths[end] <= width:
        columns += widths[end]
        end += 1
    whole = not start and end == len(line)
    return Row("".join(pieces[start:end]), columns, sum(widths[start:cursor]), start, whole)


def _start(widths: Sequence[int], cursor: int, width: int, start: int) -> int:
    """Return where to begin: half a width before the cursor when it is out of sight, and never at a mark."""
    if sum(widths) <= width:
        return 0
    if start <= cursor and sum(widths[start:cursor]) < width:
        return start
    begin, room = cursor, width // 2
    while begin and widths[begin - 1] <= room:
        begin -= 1
        room -= widths[begin]
    while 0 < begin < len(widths) and not widths[begin]:
        begin += 1
    return begin
