"""One row of a screen: how wide letters are, how a charset shows them, and which part of a long line is in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import repeat, takewhile

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
    """Return the part of `line` to show in `width` columns: all if it fits, else from `start` where it may be.

    Only letters that may be in sight are measured, since a line can be much longer than a row.
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
    """Return how many columns a letter takes as a screen of this charset shows it."""
    return sum(map(cells, shown(letter, charset)))


def _start(line: str, widths: Callable[[str], Iterator[int]], cursor: int, width: int, start: int) -> int:
    """Return where to begin: half a width before the cursor when it is out of sight, and never at a mark."""
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
    """Whether letters so wide have room; those after one that has none are not looked at."""
    for letter_width in widths:
        room -= letter_width
        if room < 0:
            return False
    return True
