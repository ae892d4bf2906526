"""The clock of duplicate sets: fix daily deals ahead, end games that are overdue, and publish secrets."""

from __future__ import annotations

from contextlib import suppress

from lilygames.chat.tasks.periodic import regularly
from lilygames.errors import UserError
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.duplicate_set import SetTable
from lilygames.tables.duplicate.duplicate_sets import LOST
from lilygames.tables.open.tables import Tables
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames_rules.kit import Refused

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
        await self._tables.daily_deals.prepare()
        now = self._tables.duplicates.now()
        for bot in [*self._tables.open.values()]:
            found = await self._tables.duplicates.readable(bot.table.header.duplicate)
            table = found.tables.get(bot.table.header.number) if found else None
            if table and _is_due(bot, table, now):
                await end_table(self._tables, bot)
        await self._tables.duplicates.look()


async def end_table(tables: Tables, bot: TableBot) -> None:
    """Break off a game of a set, or close a table that hasn't started; one that a bug stopped leaves its set."""
    if not bot.table.started:
        tables.closing.close(bot)
        return
    with suppress(UserError, Refused):
        await bot.room.do(seating.break_off, bot)
    if not bot.over:
        await tables.duplicates.dropped(bot.table.header.duplicate, bot.table.header.number)


def _is_due(bot: TableBot, table: SetTable, now: float) -> bool:
    """Return whether a daily game should have been finished, or nobody has sat down at another table of a set."""
    if table.added.key:
        return daily_rules.is_daily(bot.table.header.duplicate) and daily_rules.due(table.added.at) <= now
    return not (bot.table.started or seating.people_at(bot)) and table.added.at + LOST <= now
