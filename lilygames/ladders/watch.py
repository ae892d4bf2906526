"""The clock of ladders: midnights, seasons, waits that end, and games of duels that are over."""

from __future__ import annotations

import attrs

from lilygames.chat.tasks.periodic import regularly
from lilygames.ladders import team_match
from lilygames.ladders.ladder_store import PREFIX, Ladders
from lilygames.tables.open.tables import Tables
from lilygames.tables.visits.duplicate_watch import end_table

GLANCE = 15.0
"""Seconds between two looks."""


@attrs.frozen
class LadderWatch:
    """Does what is due for the ladders. Every node runs it: each step happens once."""

    tables: Tables
    ladders: Ladders

    async def watch(self) -> None:
        """Look periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot look after the ladders")

    async def look(self) -> None:
        """Do what is due now; raises `StoreUnavailable`."""
        await self.ladders.look()
        waiting = {
            self.ladders.set_name(game, duel)
            for game in self.ladders.games.values()
            for duel in (self.ladders.known[game.name].duels if game.name in self.ladders.known else ())
        }
        for bot in [*self.tables.open.values()]:
            name = bot.table.header.duplicate
            if (name.startswith(PREFIX) and name not in waiting) or await self._is_late(name):
                await end_table(self.tables, bot)

    async def _is_late(self, name: str) -> bool:
        """Return whether a set is that of a team match whose time is up."""
        if not name.startswith(team_match.PREFIX):
            return False
        found = await self.ladders.duels.sets.find(name)
        return found is not None and found.header.until <= self.ladders.now
