"""The clock of duplicate sets: fix daily deals ahead, end games that are overdue, and publish secrets."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from lilygames.chat.periodic import regularly
from lilygames.errors import UserError
from lilygames.tables import daily, seating
from lilygames.tables.bot import TableBot
from lilygames.tables.duplicates import DuplicateSet
from lilygames.tables.tables import Tables
from rules.kit import Refused

GLANCE = 30.0
"""Seconds between two looks."""


class DuplicateWatch:
    """Does what is due for the duplicate sets of a place. Every node may run it: each step happens once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def watch(self) -> None:
        """Look periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot look after the duplicate sets")

    async def look(self) -> None:
        """Do what is due now; raises `StoreUnavailable`."""
        await self._tables.dailies.prepare()
        now = self._tables.duplicates.now()
        for bot in [*self._tables.open.values()]:
            name = bot.table.header.duplicate
            found = await self._tables.duplicates.find(name) if name.startswith(daily.PREFIX) else None
            if found and _overdue(found, bot, now):
                with suppress(UserError, Refused):
                    await bot.room.do(partial(seating.break_off, bot))
        await self._tables.duplicates.look()


def _overdue(found: DuplicateSet, bot: TableBot, now: float) -> bool:
    """Return whether a daily game should have been finished."""
    table = found.tables.get(bot.table.header.number)
    return table is not None and daily.due(table.added.at) <= now
