"""Finished tables, replayed from their logs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import attrs

from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.store import Entry
from lilygames.tables.archive.archive import Archive
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table


@attrs.frozen
class FinishedTables:
    """Replays finished tables, for totals that older games count for, too."""

    archive: Archive
    games: Mapping[str, Game]

    async def replayed(self, number: int) -> tuple[Table, Sequence[Entry]] | None:
        """Return a finished table and its log; None if it isn't finished or can't be played here.

        An old log may raise anything. Raises `StoreUnavailable`.
        """
        try:
            header, entries = await self.archive.read(number)  # both with the same stand-ins for deleted people
        except UserError:
            return None
        game = header.game_in(self.games)
        if game is None or (visible.secret_in(entries) is None and not header.sealed):
            return None
        table = Table(header, game, await self.archive.secret(number, entries))
        return await asyncio.to_thread(_read, table, entries), entries


def _read(table: Table, entries: Iterable[Entry]) -> Table:
    for entry in entries:
        table, _ = table.read(entry)
    return table
