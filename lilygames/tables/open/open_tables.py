"""Tables that aren't over, and questions about them as a group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from heapq import nsmallest
from typing import Protocol

from lilygames.chat.input.grammar import is_move
from lilygames.chat.names.by_name import ByName
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.rooms.quotas import PeopleQuotas
from lilygames.errors import NotFound, UserError
from lilygames.game import Game
from lilygames.limits.quota import PARTY_CODE, Who
from lilygames.tables.open.held_tables import HeldTables, holding_in, holding_later, holding_of
from lilygames.tables.open.remote_tables import RemoteTables
from lilygames.tables.open.table_index import TableList
from lilygames.tables.play import coach
from lilygames.tables.play.table_news import TableNews
from lilygames.tables.play.televisions import Televisions
from lilygames.tables.restore.unplayable import UnplayableTables
from lilygames.tables.restore.unrestored import Unrestored
from lilygames.tables.room.bot import TableBot
from lilygames.tables.seeks import party_codes
from lilygames.tables.sight import choices, move_list, packets
from lilygames.tables.sight.public_row import PublicRow
from lilygames.text import shortened


class Followed(Protocol):
    """Is told which tables this node follows."""

    def opened(self, number: int) -> None:
        """Note that this node follows a table from now on."""

    def dropped(self, number: int) -> None:
        """Note that this node doesn't follow a table any more."""


class NobodyElse:
    """A server that is one process: nobody else changes a table."""

    def opened(self, number: int) -> None:
        """Do nothing."""

    def dropped(self, number: int) -> None:
        """Do nothing."""


class OpenTables:
    """Open tables by number: playable and unplayable ones, and those that this node leaves to others.

    `read_ratings` reads what must be known of a player before they come to a table, if a start has left that for later.
    `key_of` returns the key of a name's account, and `is_here` whether someone is connected to any node.
    """

    def __init__(
        self,
        games: Mapping[str, Game],
        unplayable: UnplayableTables,
        unrestored: Unrestored,
        remote: RemoteTables,
        followed: Followed,
        *,
        read_ratings: Callable[[str], Awaitable[None]],
        key_of: Callable[[str], str],
        is_here: Callable[[str], bool],
    ) -> None:
        self.games = games
        self.unplayable = unplayable
        self.unrestored = unrestored
        self.remote = remote
        self._followed, self._read_ratings, self._is_here = followed, read_ratings, is_here
        self.waits_for = unrestored.waits_for
        self.bots: dict[int, TableBot] = {}
        """The playable ones. Only `add` and `drop` change it."""
        self.joinable: dict[int, TableBot] = {}
        """Those that people can still join: the game hasn't started, or people join it in progress."""
        self.waiting: dict[int, TableBot] = {}
        """The playable ones whose game hasn't started."""
        self._playing: set[int] = set()
        """The public ones with a game running."""
        self._rooms: dict[str, TableBot] = {}
        """The playable ones by the folded names of their rooms."""
        self._seated: ByName[int] = ByName()
        """The playable ones by the names of everyone who has a seat there."""
        self.listed = TableList()
        """The playable ones in the order of `/tables`."""
        self.held = HeldTables(key_of)
        """All of them by who holds them, for quotas."""
        self.parties = party_codes.PartyCodes()
        """The parties among them, by code."""
        self.televisions = Televisions()
        """The televisions that show parties."""
        self.news = TableNews(self)
        """Tells programs that follow the list what changes in it."""
        self.follow, self.unfollow = self.news.follow, self.news.unfollow

    def add(self, bot: TableBot) -> None:
        """Add a playable table."""
        number = bot.table.header.number
        self.remote.take(number)
        self._followed.opened(number)
        self.bots[number] = bot
        self._rooms[fold(bot.room.name)] = bot
        self.changed(number)

    def add_unplayable(self, number: int) -> None:
        """Add a table of `unplayable`, which this node follows too."""
        self.remote.take(number)
        self._followed.opened(number)

    def drop(self, number: int) -> None:
        """Remove a table, if it is there."""
        bot = self.bots.pop(number, None)
        self._followed.dropped(number)
        if bot and self._rooms.get(fold(bot.room.name)) is bot:
            del self._rooms[fold(bot.room.name)]
        self.changed(number)

    def changed(self, number: int) -> None:
        """Learn again who has a seat at a table, who watches it, and whether its game has started."""
        bot = self.bots.get(number)
        self._playing.discard(number)
        if bot and bot.table.started and not bot.table.header.private:
            self._playing.add(number)
        if bot is None or bot.table.started:
            self.waiting.pop(number, None)
        else:
            self.waiting[number] = bot
        if bot is None or (bot.table.started and not bot.table.game.joins):
            self.joinable.pop(number, None)
        else:
            self.joinable[number] = bot
        if bot:
            self._seated.put(number, bot.table.seats.holders)
        else:
            self._seated.drop(number)
        self._hold(number, bot)
        if bot and not bot.table.lesson:
            seated, waits = bot.table.seats.by_name, not bot.table.started
            self.listed.put(number, bot.room, seated, waits=waits, away=bool(bot.absent))
        elif number in self.remote:
            row = self.remote.rows[number]
            self.listed.put(
                number, self.remote.room_of(number), row.holders, waits=row.waits, away=bool(self.absent_elsewhere(row))
            )
        else:
            self.listed.drop(number)
        self.news.changed(number)

    def absent_elsewhere(self, row: PublicRow) -> tuple[str, ...]:
        """Return the players of a table who are disconnected; only other nodes follow it, or it isn't restored yet."""
        return row.absent(self._is_here)

    def _hold(self, number: int, bot: TableBot | None) -> None:
        """Learn again who holds a table, and with which code people join it, if it is open."""
        if bot:
            self.held.put(number, holding_of(bot.table))
            self.parties.put(number, bot.table.header.party)
        elif number in self.remote:
            self.held.put(number, holding_in(self.remote.rows[number]))
            self.parties.put(number, self.remote.rows[number].party)
        elif number not in self.unrestored:
            self.held.drop(number)
            self.parties.put(number, "")

    def hold_later(self) -> None:
        """Learn who holds the tables that a start has left for later."""
        for header in self.unrestored.headers:
            self.held.put(header.number, holding_later(header, self.remote.rows.get(header.number)))
            self.parties.put(header.number, header.party)

    def in_room(self, name: str) -> TableBot | None:
        """Return the playable table in the room with this name, or None."""
        return self._rooms.get(fold(name))

    def find(self, word: str) -> TableBot:
        """Return the table with this room or number (`ohell-2`, `12`, `#12`); raises `UserError`."""
        digits = word.removeprefix("#")
        bot = self.bots.get(int(digits[:9])) if digits.isascii() and digits.isdigit() else self.in_room(word)
        if bot is None:
            if game := self.games.get(fold(word)):
                raise UserError(
                    f"no table is open at {game.name}. Type /quick {game.name} to play, or /tables to list all tables."
                )
            raise NotFound(f"there is no table “{shortened(word, 20)}” now. Type /tables to list the open tables.")
        return bot

    async def party(
        self, code: str, quotas: PeopleQuotas, who: Who, fits: Callable[[TableBot], bool] = lambda _: True
    ) -> TableBot:
        """Return the open party with a code if it `fits`; raises `UserError`.

        Guessing is limited, and a party that doesn't fit looks like one that doesn't exist.
        """
        quotas.check(PARTY_CODE, who)
        number = self.parties.number_of(party_codes.read(code))
        if number:
            await self.ready_for("", [number])
        bot = self.bots.get(number)
        if bot is None or bot.over or not fits(bot):
            quotas.use(PARTY_CODE, who)
            raise NotFound(
                f"there is no party “{shortened(code, 10)}” with a free seat now. Check the code on the television, or"
                f" ask the host."
            )
        return bot

    async def show(self, code: str, television: Terminal, quotas: PeopleQuotas) -> None:
        """Show the party with a code on a television until `hide`; raises `UserError`."""
        if shown := self.bots.get(self.televisions.number_on(television)):
            shown.publisher.pages.begin(shown.table, television)
            return
        bot = await self.party(code, quotas, quotas.at(television.address))
        self.televisions.remove(television)
        self.televisions.add(bot.table.header.number, television)
        with suppress(UserError), bot.runner.bugs_stop_this_table:
            bot.publisher.pages.begin(bot.table, television)

    def hide(self, television: Terminal) -> None:
        """Forget a television that was turned off."""
        self.televisions.remove(television)

    @property
    def rooms(self) -> set[str]:
        """The names of the rooms that have a table."""
        waiting = self.unplayable.rooms | self.unrestored.rooms | self.remote.rooms
        return waiting | {bot.room.name for bot in self.bots.values()}

    def seating(self, name: str) -> list[TableBot]:
        """Return the playable tables where someone has a seat, even if a bot keeps it."""
        return [self.bots[number] for number in sorted(self._seated.of(fold(name)))]

    def inviting(self, person: Person) -> list[TableBot]:
        """Return the playable tables that have invited a person, who hasn't answered yet."""
        permitting = filter(None, map(self.bots.get, self.listed.permitting(person)))
        return [bot for bot in permitting if bot.invitations.invites(person.name)]

    def invitations(self, person: Person) -> tuple[int, ...]:
        """Return the numbers of those tables."""
        return tuple(bot.table.header.number for bot in self.inviting(person))

    def returning(self) -> int:
        """Return the number of public tables that a start has left for later."""
        return sum(not header.private for header in self.unrestored.besides(self.remote))

    def playing(self) -> int:
        """Return the number of public tables with a game running."""
        return len(self._playing) + self.remote.playing

    async def ready_for(
        self, name: str, numbers: Iterable[int] = (), room: str = "", waits: Callable[[], None] | None = None
    ) -> None:
        """Restore or follow the tables where someone may have a seat, those with these numbers, and one in a room.

        Call `waits` if the first takes more than a moment. Raises `StoreUnavailable`.
        """
        known = [*numbers]
        if name:
            await self._read_ratings(name)
        await self.unrestored.ready_for(name, known, room, waits)
        await self.remote.ready_for(name, known)

    async def named_ready(self, text: str, waits: Callable[[], None] | None = None) -> None:
        """Restore or follow the tables whose numbers, rooms or people a command's words name.

        Call `waits` if the first takes more than a moment. Raises `StoreUnavailable`.
        """
        await self.unrestored.named_ready(text, waits)
        await self.remote.ready_to_read(text)

    def first_facts(self, most: int) -> tuple[Sequence[Mapping[str, object]], int]:
        """Return what everyone may know of the first public tables in the order of `/tables`, and how many more exist.

        Tables that aren't restored yet are in it if they have a row.
        """
        rows = (row for row in self._rows_later("") if not row.private)
        later = [(bool(self.absent_elsewhere(row)), row.waits, 0, row.number) for row in rows]
        places = nsmallest(most, [*self.listed.public(most), *later])
        facts = [self._facts(number) for *_, number in places]
        return facts, self.listed.number_public + len(later) - len(places)

    def facts(self, person: Person, after: int, most: int) -> Sequence[Mapping[str, object]]:
        """Return what a person may know of open tables, for programs, in order from the one after a number on.

        Tables that aren't restored yet are in it if they have a row.
        """
        found = list[Mapping[str, object]]()
        for number in sorted(number for number in self._numbers(fold(person.name)) if number > after):
            if self.sees(person, number):
                found.append(self._facts(number))
                if len(found) == most:
                    break
        return found

    @property
    def numbers(self) -> set[int]:
        """The numbers of all that `facts` can list, but for lessons that aren't restored yet."""
        return self._numbers("")

    def _numbers(self, name: str) -> set[int]:
        later = {row.number for row in self._rows_later(name)} if self.unrestored else set[int]()
        return {*self.bots, *later, *(row.number for row in self.remote)}

    def facts_of(self, number: int) -> Mapping[str, object] | None:
        """Return what programs are told of a table; None if it isn't listed."""
        known = number in self.bots or number in self.remote
        return self._facts(number) if known or (number in self.unrestored and number in self.remote.rows) else None

    def is_public(self, number: int) -> bool:
        """Return whether everyone may see a table."""
        bot = self.bots.get(number)
        return not (bot.room.charter.private if bot else self.remote.rows[number].private)

    def sees(self, person: Person, number: int) -> bool:
        """Return whether a person may see a table; lessons are nobody else's business."""
        if bot := self.bots.get(number):
            return bot.room.may_see(person) and not (bot.table.lesson and not bot.keeps_seat(person.name))
        return self.remote.rows[number].may_see(fold(person.name))

    def _facts(self, number: int) -> Mapping[str, object]:
        bot = self.bots.get(number)
        return packets.facts(bot.room.name, bot.table) if bot else self.remote.rows[number].facts

    def number_in(self, room: str) -> int | None:
        """Return the number of the table in a room, or None."""
        if bot := self.in_room(room):
            return bot.table.header.number
        return next(iter(self.remote.in_room(room)), None) or self.unrestored.in_room(room)

    def _rows_later(self, name: str) -> Iterator[PublicRow]:
        """Yield the rows of the tables that aren't restored yet; lessons are nobody else's business."""
        for header in self.unrestored.besides(self.remote):
            row = self.remote.rows.get(header.number) if header.number not in self.bots else None
            if row and not (header.lesson and name not in self.unrestored.people_of(header.number)):
                yield row

    def when_all_listed(self, call: Callable[[], object]) -> bool:
        """Call a function once `facts` has all tables; return False, and don't, if it has them now."""
        if all(number in self.remote.rows for number in self.unrestored.numbers):
            return False
        return self.unrestored.when_all_ready(call)

    def inform(self, person: Person, number: int) -> bool:
        """Send a person's program a whole table, as they may know it; return False if they see no such table.

        A table that other nodes follow, or that isn't restored yet, is sent a moment later.
        """
        bot = self.bots.get(number)
        if self.unrestored.may_concern(number, person.name):
            self.unrestored.soon(number, lambda: self.inform(person, number))
            return True
        if number in self.remote and self.remote.rows[number].may_see(fold(person.name)):
            self.remote.soon(number, lambda: self.inform(person, number))
            return True
        if bot is None or not self.sees(person, number):
            return False
        with suppress(UserError), bot.runner.bugs_stop_this_table:
            bot.publisher.inform(bot.table, person)
        return True

    def completed(self, person: Person, number: int, text: str) -> Sequence[Mapping[str, str]]:
        """Return a person's moves at a table that a text begins, as they are typed and read aloud."""
        bot = self.bots.get(number)
        seat = bot.seat_of(person.name) if bot else None
        if bot is None or seat is None:
            return ()
        with suppress(UserError), bot.runner.bugs_stop_this_table:
            return move_list.completed(bot.table, seat, text)
        return ()

    def choices(self, person: Person, number: int) -> bool:
        """Send a person's program their legal moves at a table in parts; return False if they have no seat there.

        Those at a table that isn't restored yet are sent a moment later.
        """
        if self.unrestored.waits_for(person.name) and self.unrestored.may_concern(number, person.name):
            self.unrestored.soon(number, lambda: self.choices(person, number))
            return True
        bot = self.bots.get(number)
        seat = bot.seat_of(person.name) if bot else None
        if bot is None or seat is None or not bot.table.started:
            return False
        with suppress(UserError), bot.runner.bugs_stop_this_table:
            person.packet(choices.packet(bot.table, seat))
        return True

    def keeps_seat(self, name: str) -> bool:
        """Return whether the person with this name has a seat at a table that isn't over.

        A table that waits to be restored may keep one for everyone named in its log.
        """
        waits = self.unrestored.keeps_seat(name) or self.remote.keeps_seat(name)
        return fold(name) in self._seated or waits or bool(self.unplayable.keeping(name))

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
                    f"you have a seat at {table.called}, which is {table.why}. To say it, type '{shortened(text, 40)}"
                )
