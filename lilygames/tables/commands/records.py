"""Game records for the chat commands."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person, Room
from lilygames.errors import UserError
from lilygames.tables.commands import table_info
from lilygames.tables.commands.finished import history
from lilygames.tables.open.tables import Tables
from lilygames.tables.visits.mistakes import costliest, kept_rows
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, count

KEPT = 20
"""Maximum games of a guest that count once they register."""


@attrs.frozen
class TableRecords:
    """The game records behind `/review` and `/finger` (implements `lilygames.chat.host.context.GameRecords`)."""

    tables: Tables

    async def tale(self, person: Person, room: Room) -> Sequence[ChatEvent]:
        """Return the story of the game in a room, as far as the person may see it."""
        return await table_info.tale(self.tables, person, room)

    async def costliest(self, person: Person, words: Sequence[str]) -> Sequence[Line]:
        """Return a report on a player's costliest moves in the numbered game, or in their last one."""
        digits = words[0].removeprefix("#") if words else ""
        if digits:
            if not (digits.isascii() and digits.isdigit()):
                raise UserError(
                    "type /review game for your last game, or /review game 12 for another. Type /played to list yours."
                )
            return await costliest(TableContext(person, self.tables), int(digits[:9]))
        games = await self.tables.results.played(person.name, 1)
        if not games:
            raise UserError("you haven't finished a game yet. Type /quick to play one.")
        return await costliest(TableContext(person, self.tables), games[0].table)

    async def mistakes(self, person: Person) -> Sequence[Line]:
        """Return the costliest moves that a person's reviews have found, the latest review first."""
        moves = await self.tables.costly_moves.of(person.name)
        if not moves:
            raise UserError("your reviews haven't found a costly move yet. Type /review game after a game.")
        head = f"(the costliest moves that your reviews have found, {count(len(moves), 'move')})"
        return [Line(head), *map(Line, kept_rows(moves, self.tables.games))]

    async def registered(self, person: Person) -> None:
        """Count the latest games that a person has finished as a guest since they arrived, as if they end now.

        Games of an earlier guest with the same name aren't theirs. Ratings stay as they are: a guest has none.
        """
        key = self.tables.host.accounts.key(person.name)
        played = await self.tables.results.played(person.name, KEPT)
        for one in reversed([one for one in played if one.at >= person.activity.since]):
            if found := await self.tables.finished.replayed(one.table):
                table, _ = found
                if name := await self.tables.statistics.registered(table, one, key):
                    await self.tables.achievements.registered(table, name, key)

    async def facts(self, name: str) -> Sequence[str]:
        """Return facts about a player's games, one sentence each."""
        return await history.facts(self.tables.results, name)
