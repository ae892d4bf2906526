"""The rooms in which tables are opened: a game's home room, or the first free one of `ohell-2`, `ohell-3` and so on."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.game import Game


class Homes:
    """Gives out rooms; `taken` returns the names of those that have a table."""

    def __init__(self, host: Host, taken: Callable[[], set[str]]) -> None:
        self._host = host
        self._taken = taken
        self._opening: set[str] = set()
        """Rooms whose table is being written down: two who open one at once get two rooms."""

    async def claimed(self, game: Game, *, private: bool) -> str:
        """Return the name of a free room that is this node's to give out, held until it is let go of.

        Raises `StoreUnavailable`.
        """
        refused: set[str] = set()
        try:
            while True:
                room = self.free(game, private=private)
                self._opening.add(room)
                refused.add(room)
                if await self._host.cluster.claim(f"room {fold(room)}"):
                    refused.discard(room)
                    return room
        finally:
            self._opening -= refused

    def free(self, game: Game, *, private: bool = False) -> str:
        """Return the name of the game's home room, or the first of `ohell-2`, `ohell-3`, ... whose table is free.

        A private table is in a room of its own, in which nobody is yet.
        """
        taken = self._opening | self._taken()
        taken |= {room.name for room in self._host.rooms.values()} if private else set()
        others = (f"{game.name}-{n}" for n in itertools.count(2))
        return next(name for name in itertools.chain([game.name], others) if name not in taken)

    def let_go(self, room: str) -> None:
        """Hold a room no more: its table is there, or will not be."""
        self._opening.discard(room)
