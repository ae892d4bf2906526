"""Check the public rows of a server alone, once a start has restored all tables. Several nodes check them often."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.tables.open.tables import Tables
from lilygames.tables.sight.public_row import KIND, PublicRow, from_text, row_of, says_the_same, to_text

_AT_ONCE = 20
"""Rows that are written together, because each commit waits for the disk."""


async def complete_rows(tables: Tables) -> None:
    """Write the rows of open tables that are missing or wrong, as after another release. Raises `StoreUnavailable`."""
    marks = await tables.restoring.kept_open()
    wrong = [*filter(None, await run_in_slices(_checked(tables, marks), "rows"))]
    for first in range(0, len(wrong), _AT_ONCE):
        await tables.host.foreground.quiet()
        await asyncio.gather(*(_correct(tables, row, marks[row.number]) for row in wrong[first : first + _AT_ONCE]))


async def _correct(tables: Tables, row: PublicRow, mark: str) -> None:
    """Write a row in place of a table's mark. Raises `StoreUnavailable`."""
    if await tables.store.swap(KIND, str(row.number), mark, to_text(row)):
        tables.remote.learn(row)


def _checked(tables: Tables, marks: Mapping[int, str]) -> Iterator[PublicRow | None]:
    """Yield the row of each table whose mark doesn't tell it, and None for each other table."""
    for number, bot in [*tables.open.items()]:
        row = None if bot.case or number not in marks else row_of(bot.table, "")
        yield None if says_the_same(row, from_text(marks.get(number, ""))) else row
