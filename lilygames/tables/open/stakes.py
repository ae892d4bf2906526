"""Stakes: what a player can bring to a table that is played for chips."""

from __future__ import annotations

import time

from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.log.acts import Sitter
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.results.purses import Purses
from lilygames.tables.state.table import Table


class Stakes:
    """Checks purses, and what is staked at other tables."""

    def __init__(self, purses: Purses, tables: OpenTables) -> None:
        self._purses = purses
        self._tables = tables

    async def brought(self, table: Table, who: Sitter) -> int:
        """Return what a player brings to a table, less what they have staked at others.

        Raises `UserError`, `StoreUnavailable`.
        """
        game = table.game
        purse = game.purse
        if purse is None:
            return 0
        if not who.person or not await self._purses.kept(who.name):
            return purse.brings(table.options, purse.first)
        staked = await self.staked(game, who.name)
        held = await self._purses.held(game, who.name)
        if purse.staked and not (held or staked):
            held = await self._purses.refill(game, who.name, time.strftime("%Y-%m-%d", time.gmtime()))
        return purse.brings(table.options, held - staked)

    async def staked(self, game: Game, name: str) -> int:
        """Return what a player has staked at open tables of a game and not cashed out.

        Their tables that a start has left for later, or that only other nodes follow, are read first, which cashes out
        what is due there. Raises `UserError` if an unreadable log may contain more stakes, and `StoreUnavailable`.
        """
        if not (game.purse and game.purse.staked):
            return 0
        await self._tables.unrestored.ready_for(name)
        await self._tables.remote.stakes_ready(name)
        for table in self._tables.unplayable.holding_unknown(game.name, name):
            raise UserError(f"your {game.purse.unit}s may be at {table.called}, which is {table.why}.")
        here = sum(
            bot.end_of_game.unsettled(name) for bot in self._tables.bots.values() if bot.table.game.name == game.name
        )
        return here + await self._tables.unplayable.staked(game.name, name)
