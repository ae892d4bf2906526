"""Tables that aren't over, and questions about them as a group."""

from __future__ import annotations

from collections.abc import Mapping

from lilygames.chat.people import Person
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables import coach
from lilygames.tables.bot import TableBot
from lilygames.tables.typed_moves import is_move
from lilygames.tables.unplayable import UnplayableTables


class OpenTables:
    """Open tables by number: playable and unplayable ones."""

    def __init__(self, games: Mapping[str, Game], unplayable: UnplayableTables) -> None:
        self.games = games
        self.unplayable = unplayable
        self.bots: dict[int, TableBot] = {}

    def playing(self) -> int:
        """Return the number of public tables with a game running."""
        return sum(bot.table.started and not bot.table.header.private for bot in self.bots.values())

    def keeps_seat(self, name: str) -> bool:
        """Return whether the person with this name has a seat at a table that isn't over."""
        return bool(self.unplayable.keeping(name)) or any(bot.keeps_seat(name) for bot in self.bots.values())

    def check_talk(self, person: Person, text: str) -> None:
        """Raise `UserError` if a line is a move for an unplayable table where the person has a seat.

        In a lesson's room it does so for every line, because nobody is there to read it.
        """
        for bot in person.seats:
            if isinstance(bot, TableBot) and bot.table.lesson and bot.room is person.room:
                raise UserError(coach.unread(bot.table, person.voice))
        for table in self.unplayable.keeping(person.name):
            game = self.games.get(table.header.game)
            if is_move(text, game.commands if game else ()):
                raise UserError(
                    f"you have a seat at {table.called}, which is {table.why}. To say it, type '{text[:20]}"
                )
