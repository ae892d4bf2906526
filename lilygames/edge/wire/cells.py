"""One screen row: the width of characters, how a charset shows them, and the visible part of a long line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import repeat, takewhile

import attrs
from prompt_toolkit.utils import get_cwidth

from lilygames.edge.wire.render import encoded


@lru_cache(maxsize=4096)
def cells(letter: str) -> int:
    """Return the columns of a character: two if wide, none for a combining mark or joiner."""
    return 1 if letter == "\n" else max(get_cwidth(letter), 0)


@lru_cache(maxsize=4096)
def shown(letter: str, charset: str) -> str:
    """Return how this charset shows a typed character: no joiners, and line ends as arrows."""
    if letter in "\u200c\u200d\ufe0e\ufe0f":
        return ""
    letter = "↵" if letter == "\n" else letter
    return encoded(letter, charset).replace(b"\xff\xff", b"\xff").decode(charset)


@attrs.frozen
class Row:
    """The visible part of a line: its text, its columns, and the cursor's column.

    `start` is where it begins in the line, so that the next row can begin there too. `whole` is true if the whole line
    is visible.
    """

    text: str = ""
    columns: int = 0
    cursor: int = 0
    start: int = 0
    whole: bool = True


def row(line: str, cursor: int, width: int, charset: str, start: int = 0) -> Row:
    """Return the part of `line` to show in `width` columns: all if it fits, else from `start` if possible.

    Only characters that may be visible are measured, because a line can be much longer than a row.
    """
    plain = line.isascii() and line.isprintable()

    def widths(letters: str) -> Iterator[int]:
        return repeat(1, len(letters)) if plain else map(_columns, letters, repeat(charset))

    start = _start(line, widths, cursor, width, start)
    end, columns = start, 0
    for letter_width in widths(line[start:]):
        if columns + letter_width > width:
            break
        columns += letter_width
        end += 1
    text = line[start:end] if plain else "".join([shown(letter, charset) for letter in line[start:end]])
    return Row(text, columns, sum(widths(line[start:cursor])), start, whole=not start and end == len(line))


@lru_cache(maxsize=4096)
def _columns(letter: str, charset: str) -> int:
    """Return the columns of a character as this charset shows it."""
    return sum(map(cells, shown(letter, charset)))


def _start(line: str, widths: Callable[[str], Iterator[int]], cursor: int, width: int, start: int) -> int:
    """Return where the visible part starts: half a width before a hidden cursor, and never at a mark."""
    if _fit(widths(line), width):
        return 0
    if start <= cursor and _fit(widths(line[start:cursor]), width - 1):
        return start
    begin, room = cursor, width // 2
    for letter_width in widths(line[:cursor][::-1]):
        if letter_width > room:
            break
        begin -= 1
        room -= letter_width
    marks = takewhile(lambda letter_width: not letter_width, widths(line[begin:]))
    return begin + len([*marks]) if begin else begin


def _fit(widths: Iterable[int], room: int) -> bool:
    """Whether characters of these widths fit; stops at the first that doesn't."""
    for letter_width in widths:
        room -= letter_width
        if room < 0:
            return False
    return True
