"""Rate older games again by the present model, in the background.

The first release stored the ratings after each game, but not its places. They are found by replaying the table, or in
its players' histories if its rules aren't installed any more. Each game that is done is an entry of the second log.
So a restart continues where the last one stopped, and several nodes never rate a game twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import attrs
import structlog

from lilygames.store import StoreUnavailable
from lilygames.tables.finished_tables import FinishedTables
from lilygames.tables.ratings import Rated, RatedGame, RatedPlayer
from lilygames.tables.results import Results, level_name, parts, places

log = structlog.get_logger()
_SHARE = 4
"""After each game, the task rests this many times as long as it worked: at most a fifth of a core."""


@attrs.frozen
class Rerating:
    """Rates the games that wait, oldest first."""

    results: Results
    finished: FinishedTables
    key: Callable[[str], str]
    """Returns the account key of a name."""

    async def run(self) -> None:
        """Rate every game that waits; raises `StoreUnavailable`. The next call continues where this one stopped."""
        while True:
            began = time.monotonic()
            if not await self.results.ratings.rate_next(self.places_of):
                return
            await asyncio.sleep(_SHARE * (time.monotonic() - began))

    async def places_of(self, rated: Rated) -> RatedGame | None:
        """Return a game of the first model with its places; None if they can't be found any more."""
        try:
            found = await self._replayed(rated.table) or await self._from_history(rated)
        except StoreUnavailable:
            raise
        except Exception as problem:  # noqa: BLE001 - an old log may raise anything, and mustn't block the next one
            log.warning("cannot replay an older game to rate it", table=rated.table, why=type(problem).__name__)
            found = await self._from_history(rated)
        if not all(one.key in found for one in rated.now):
            log.warning("an older game isn't rated again: its places are unknown", table=rated.table)
            return None
        players = (RatedPlayer(one.key, one.name, found[one.key]) for one in rated.now)
        return RatedGame(rated.kind, rated.table, tuple(players))

    async def _replayed(self, number: int) -> dict[str, int]:
        """Return the places at a table by key, people's and bot levels'; empty if it can't be replayed."""
        replayed = await self.finished.replayed(number)
        if replayed is None or replayed[0].outcome is None:
            return {}
        everybody = parts(*replayed, self.key)
        placed = [*zip(everybody, places(everybody), strict=True)]
        house = {self.key(level_name(part.level)): place for part, place in reversed(placed) if part.level}
        return house | {self.key(part.name): place for part, place in placed if part.name}

    async def _from_history(self, rated: Rated) -> dict[str, int]:
        """Return the places that the players' histories give."""
        found = {}
        for one in rated.now:
            rows = (row for row in await self.results.played(one.name) if row.table == rated.table)
            if row := next(rows, None):
                found[one.key] = row.place
        return found
