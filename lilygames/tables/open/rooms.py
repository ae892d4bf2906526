"""Rooms of tables: a game's home room, or the first free one of `ohell-2`, `ohell-3` and so on."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.charter import Charter
from lilygames.game import Game
from lilygames.tables.open.carried_over import CarriedOver
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.play.services import TableServices
from lilygames.tables.room.bot import TableBot
from lilygames.tables.state.table import Table


class TableRooms:
    """Allocates rooms for tables, and opens the tables there."""

    def __init__(self, host: Host, open_tables: OpenTables, services: TableServices, carried_over: CarriedOver) -> None:
        self._host = host
        self._tables = open_tables
        self._services = services
        self._carried_over = carried_over
        self._opening: set[str] = set()
        """Reserved rooms whose table is not stored yet, so that two tables opened at once get different rooms."""

    async def claimed(self, game: Game, *, private: bool, look: Callable[[str], Awaitable[None]]) -> str:
        """Reserve a free room for this node and return its name; it is held until `let_go`.

        `look` reads the newest tables of a room from the store. Raises `StoreUnavailable`.
        """
        refused: set[str] = set()
        try:
            while True:
                room = self.free(game, private=private)
                self._opening.add(room)
                refused.add(room)
                if not await self._host.cluster.claim(f"room {fold(room)}"):
                    continue
                await look(room)  # a node may have died before the others heard of its table
                if room not in self._tables.rooms:
                    refused.discard(room)
                    return room
        finally:
            self._opening -= refused

    def free(self, game: Game, *, private: bool = False) -> str:
        """Return the game's home room, or the first of `ohell-2`, `ohell-3`, ... without a table.

        A private table gets an empty room of its own.
        """
        taken = self._opening | self._tables.rooms
        taken |= {room.name for room in self._host.rooms.values()} if private else set()
        others = (f"{game.name}-{n}" for n in itertools.count(2))
        return next(name for name in itertools.chain([game.name], others) if name not in taken)

    def let_go(self, room: str) -> None:
        """Release a reserved room, once its table is open or has failed to open."""
        self._opening.discard(room)

    def open(self, name: str, table: Table, since: float | None = None) -> TableBot:
        """Open a table in the room of this name; `since` is when it was opened, or None if that is now."""
        room = self._host.open_room(name, f"{table.game.title} table", lasting=name == table.game.name)
        asleep = self._carried_over.is_asleep(table.header.number)
        bot = TableBot(table, room, self._services, asleep=asleep)
        people = (table.header.host, *table.header.invited, *(who.name for who in table.seats))
        opened = self._host.clock() if since is None else since
        cleared = 0.0 if room.lasting else opened  # hide what was said at an earlier table in a room with the same name
        permitted = frozenset(map(fold, people))
        room.open_table(bot, Charter(private=table.header.private, permitted=permitted, cleared=cleared))
        self._tables.add(bot)
        return bot
