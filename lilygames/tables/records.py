"""What the tables can say to those who only talk."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames.chat.events import ChatEvent
from lilygames.chat.people import Person, Room
from lilygames.tables.commands import history, table_info
from lilygames.tables.tables import Tables


@attrs.frozen
class TableRecords:
    """The games of a place, for `/review` and `/finger` (`lilygames.chat.context.GameRecords`)."""

    tables: Tables

    async def tale(self, person: Person, room: Room) -> Sequence[ChatEvent]:
        """Return what the game in a room has told, as somebody may know it."""
        return await table_info.tale(self.tables, person, room)

    async def facts(self, name: str) -> Sequence[str]:
        """Return what there is to say of somebody's games, sentence by sentence."""
        return await history.facts(self.tables.results, name)
