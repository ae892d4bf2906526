"""Rows that are laid out in columns: groups side by side, aligned sheets, and texts cut to fit a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lilygames.game import Reader
from lilygames.text import columns

WIDE, SLIM = 78, 39
"""Columns of the two layouts: the one for terminals, and the one for phones (`Voice.narrow`)."""


def width_for(reader: Reader) -> int:
    """Return the columns that a reader's layout fills."""
    return SLIM if reader.voice.narrow else WIDE


def short(name: str, most: int) -> str:
    """Return a name cut to at most so many columns."""
    while columns(name) > most:
        name = name[:-1]
    return name


def packed(groups: Iterable[str], width: int, indent: str = "", gap: str = "  ") -> list[str]:
    """Return groups side by side, as many in a row as fit; each row but the first begins with `indent`.

    A group is never split, so one that is wider than a row makes a row that is too wide.
    """
    rows: list[str] = []
    row = ""
    for group in groups:
        joined = f"{row}{gap}{group}" if row.strip() else f"{row}{group}"
        if columns(joined) > width and row.strip():
            rows.append(row)
            joined = f"{indent}{group}"
        row = joined
    return [*rows, row] if row.strip() or not rows else rows


def first_that_fits(layouts: Iterable[Sequence[str]], width: int, most: int) -> Sequence[str]:
    """Return the first layout of at most so many rows and columns; the last one if none is."""
    rows: Sequence[str] = ()
    for rows in layouts:
        if len(rows) <= most and all(columns(row) <= width for row in rows):
            break
    return rows


def sheet(rows: Sequence[Sequence[str]], *, words: int = 1, gap: str = "  ") -> list[str]:
    """Return rows aligned in columns, the first of them the heads; numbers stand to the right.

    The first `words` columns are words and stand to the left. A row may end early, and one that has a cell more than
    the heads keeps it unaligned at its end.
    """
    aligned = len(rows[0])
    widths = [max((columns(row[place]) for row in rows if place < len(row)), default=0) for place in range(aligned)]
    return [gap.join(_cells(row, widths, words)).rstrip() for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], words: int) -> Iterable[str]:
    for place, cell in enumerate(row):
        if place >= len(widths):
            yield cell
            continue
        blanks = " " * (widths[place] - columns(cell))
        yield cell + blanks if place < words else blanks + cell
