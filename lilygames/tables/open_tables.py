"""Tables that aren't over, and questions about them as a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables import choices, coach, move_list, packets
from lilygames.tables.bot import TableBot
from lilygames.tables.table_index import TableList, TablesByName
from lilygames.tables.typed_moves import is_move
from lilygames.tables.unplayable import UnplayableTables
from lilygames.tables.unrestored import Unrestored


class OpenTables:
    """Open tables by number: playable and unplayable ones."""

    def __init__(self, games: Mapping[str, Game], unplayable: UnplayableTables, unrestored: Unrestored) -> None:
        self.games = games
        self.unplayable = unplayable
        self.unrestored = unrestored
        self.ready_for, self.all_ready = unrestored.ready_for, unrestored.all_ready
        self.bots: dict[int, TableBot] = {}
        """The playable ones. Only `add` and `drop` change it."""
        self.joinable: dict[int, TableBot] = {}
        """Those that people can still join: the game hasn't started, or people join it in progress."""
        self._playing: set[int] = set()
        """The public ones with a game running."""
        self._rooms: dict[str, TableBot] = {}
        """The playable ones by the folded names of their rooms."""
        self._seated = TablesByName()
        """The playable ones by the names of everyone who has a seat there."""
        self.listed = TableList()
        """The playable ones in the order of `/tables`."""

    def add(self, bot: TableBot) -> None:
        """Add a playable table."""
        number = bot.table.header.number
        self.bots[number] = bot
        self._rooms[fold(bot.room.name)] = bot
        self.changed(number)

    def drop(self, number: int) -> None:
        """Remove a playable table, if it is there."""
        bot = self.bots.pop(number, None)
        if bot and self._rooms.get(fold(bot.room.name)) is bot:
            del self._rooms[fold(bot.room.name)]
        self.changed(number)

    def changed(self, number: int) -> None:
        """Learn again who has a seat at a table, who watches it, and whether its game has started."""
        bot = self.bots.get(number)
        self._playing.discard(number)
        if bot and bot.table.started and not bot.table.header.private:
            self._playing.add(number)
        if bot is None or (bot.table.started and not bot.table.game.joins):
            self.joinable.pop(number, None)
        else:
            self.joinable[number] = bot
        if bot:
            self._seated.put(number, bot.table.seats.holders)
            self.listed.put(number, bot)
        else:
            self._seated.drop(number)
            self.listed.drop(number)

    def in_room(self, name: str) -> TableBot | None:
        """Return the playable table in the room with this name, or None."""
        return self._rooms.get(fold(name))

    def seating(self, name: str) -> list[TableBot]:
        """Return the playable tables where someone has a seat, even if a bot keeps it."""
        return [self.bots[number] for number in sorted(self._seated.of(fold(name)))]

    def playing(self) -> int:
        """Return the number of public tables with a game running."""
        return len(self._playing)

    def facts(self, person: Person | None) -> Sequence[Mapping[str, object]]:
        """Return what a person may know of each open table, for programs; None is someone who hasn't logged in."""
        return [packets.facts(bot.room.name, bot.table) for bot in self._seen_by(person)]

    def inform(self, person: Person, number: int) -> bool:
        """Send a person's program a whole table, as they may know it; return False if they see no such table."""
        bot = self.bots.get(number)
        if bot is None or bot not in self._seen_by(person):
            return False
        with suppress(UserError), bot.runner.bugs_stop_this_table():
            bot.publisher.inform(bot.table, person)
        return True

    def completed(self, person: Person, number: int, text: str) -> Sequence[Mapping[str, str]]:
        """Return a person's moves at a table that a text begins, as they are typed and read aloud."""
        bot = self.bots.get(number)
        seat = bot.seat_of(person.name) if bot else None
        if bot is None or seat is None:
            return ()
        with suppress(UserError), bot.runner.bugs_stop_this_table():
            return move_list.completed(bot.table, seat, text)
        return ()

    def choices(self, person: Person, number: int) -> bool:
        """Send a person's program their legal moves at a table in parts; return False if they have no seat there."""
        bot = self.bots.get(number)
        seat = bot.seat_of(person.name) if bot else None
        if bot is None or seat is None or not bot.table.started:
            return False
        with suppress(UserError), bot.runner.bugs_stop_this_table():
            person.packet(choices.packet(bot.table, seat))
        return True

    def _seen_by(self, person: Person | None) -> list[TableBot]:
        """Return the tables that a person may see, or everyone; lessons are nobody else's business."""
        return [
            bot
            for bot in self.bots.values()
            if (bot.room.may_see(person) if person else not (bot.table.header.private or bot.table.lesson))
            and (not bot.table.lesson or (person is not None and bot.keeps_seat(person.name)))
        ]

    def keeps_seat(self, name: str) -> bool:
        """Return whether the person with this name has a seat at a table that isn't over.

        A table that waits to be restored may keep one for everyone named in its log.
        """
        seated = fold(name) in self._seated or self.unrestored.keeps_seat(name)
        return seated or bool(self.unplayable.keeping(name))

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
