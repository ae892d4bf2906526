"""The rows of a store that are copied, in two tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol

Row = tuple[Any, ...]
TABLES: Mapping[str, tuple[str, ...]] = {
    "entry": ("log", "seq", "at", "maker", "body", "cmd"),
    "record": ("kind", "key", "body"),
}
"""The tables to copy, with their columns. The first two columns are the sort order."""
AT_ONCE = 2000
"""Rows per read and write."""


class Kept(Protocol):
    """A snapshot of a store, or a new store to fill."""

    async def size(self) -> int:
        """Return the number of rows."""

    async def holds(self, table: str, name: str) -> bool:
        """Return whether a table has a row with this log, or of this kind."""

    def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        """Yield the rows of a table in order, in batches."""

    async def put(self, table: str, rows: Sequence[Row]) -> None:
        """Add rows."""
