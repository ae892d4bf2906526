"""Rooms for new tables: a game's home room, or the first free one of `ohell-2`, `ohell-3` and so on."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.game import Game


class Homes:
    """Allocates rooms for tables.

    `taken` returns the names of rooms that have one, and `look` reads the newest tables of a room from the store.
    """

    def __init__(self, host: Host, taken: Callable[[], set[str]], look: Callable[[str], Awaitable[None]]) -> None:
        self._host = host
        self._taken = taken
        self._look = look
        self._opening: set[str] = set()
        """Reserved rooms whose table is not stored yet, so that two tables opened at once get different rooms."""

    async def claimed(self, game: Game, *, private: bool) -> str:
        """Reserve a free room for this node and return its name; it is held until `let_go`.

        Raises `StoreUnavailable`.
        """
        refused: set[str] = set()
        try:
            while True:
                room = self.free(game, private=private)
                self._opening.add(room)
                refused.add(room)
                if not await self._host.cluster.claim(f"room {fold(room)}"):
                    continue
                await self._look(room)  # a node may have died before the others heard of its table
                if room not in self._taken():
                    refused.discard(room)
                    return room
        finally:
            self._opening -= refused

    def free(self, game: Game, *, private: bool = False) -> str:
        """Return the game's home room, or the first of `ohell-2`, `ohell-3`, ... without a table.

        A private table gets an empty room of its own.
        """
        taken = self._opening | self._taken()
        taken |= {room.name for room in self._host.rooms.values()} if private else set()
        others = (f"{game.name}-{n}" for n in itertools.count(2))
        return next(name for name in itertools.chain([game.name], others) if name not in taken)

    def let_go(self, room: str) -> None:
        """Release a reserved room, once its table is open or has failed to open."""
        self._opening.discard(room)
