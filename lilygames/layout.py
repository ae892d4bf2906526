"""Rows in columns: groups side by side, aligned sheets, and texts cut to fit a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lilygames.game import InSequence, Merging, Reader
from lilygames.text import columns, wrap

WIDE, SLIM = 78, 38
"""Columns of the two layouts, on screens of 80 columns and of 40 (`Voice.narrow`): the last two stay free."""


def width_for(reader: Reader) -> int:
    """Return the columns that a reader's layout fills."""
    return SLIM if reader.voice.narrow else WIDE


def short(name: str, most: int) -> str:
    """Return a name cut to this many columns."""
    if name.isascii():
        return name[:most]
    while columns(name) > most:
        name = name[:-1]
    return name


def packed(groups: Iterable[str], width: int, indent: str = "", gap: str = "  ") -> list[str]:
    """Return groups side by side, as many in a row as fit; each row but the first begins with `indent`.

    A group is never split, so a group wider than a row makes a row that is too wide.
    """
    rows: list[str] = []
    row, size = "", 0
    for group in groups:
        before, more = gap if row.strip() else "", columns(group)
        if before and size + len(before) + more > width:
            rows.append(row)
            row, size, before = indent, len(indent), ""
        row = f"{row}{before}{group}"
        size += len(before) + more
    return [*rows, row] if row.strip() or not rows else rows


def sheet(rows: Sequence[Sequence[str]], aligned: int) -> list[str]:
    """Return rows with this many cells aligned in columns: the first to the left, the others to the right.

    Further cells follow unaligned.
    """
    first, *others = zip(*(row[:aligned] for row in rows), strict=True)
    padded = zip(_padded(first, str.ljust), *(_padded(cells, str.rjust) for cells in others), strict=True)
    return ["  ".join([*cells, *row[aligned:]]).rstrip() for cells, row in zip(padded, rows, strict=True)]


def left_aligned(cells: Sequence[str]) -> list[str]:
    """Return the cells of a column, padded on the right so that each takes as many columns of the screen."""
    return _padded(cells, str.ljust)


def _padded(cells: Sequence[str], pad: Callable[[str, int], str]) -> list[str]:
    """Return the cells of a column, padded so that each takes as many columns of the screen."""
    sizes = [*map(len if "".join(cells).isascii() else columns, cells)]
    widest = max(sizes)
    return [pad(cell, len(cell) + widest - size) for cell, size in zip(cells, sizes, strict=True)]


def listed(items: Iterable[tuple[int, str, str]], reader: Reader) -> list[str]:
    """Return rows for numbered texts, aligned: the number, its mark or owner, and the text, continued below."""
    items = [*items]
    leads = [f" {lead}" if lead else "" for lead in left_aligned([lead for _, lead, _ in items])] if items else []
    rows = (f"{number:>3}{lead}  {text}" for (number, _, text), lead in zip(items, leads, strict=True))
    return [row for long in rows for row in wrap(long, width_for(reader), margin="     ")]


def side_by_side(
    tell: Callable[[Any, Reader], str], *waits: type[Any], shown: Callable[[Reader], bool] = lambda _: False
) -> Merging:
    """Return a `Merging` that joins the sentences of such events in a row, as `tell` words them.

    `shown` says whether a reader's turn shows them all: then a reader who is asked gets no row of what others did.
    """

    def rows(moves: InSequence) -> list[str]:
        rows: list[str] = []
        waiting, skips = False, moves.asked and shown(moves.reader)
        for event in moves.events:
            waited, waiting = waiting, isinstance(event, waits)
            if skips and waiting and event.seat != moves.person:
                continue
            told = [row for row in tell(event, moves.reader).split("\n") if row]
            if told and waited and waiting and rows:
                rows[-1] += f" {told.pop(0)}"
            rows += told
        return rows

    return Merging(waits, rows)
