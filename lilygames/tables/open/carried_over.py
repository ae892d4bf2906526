"""People whom a restart carries over before their tables are restored: their rooms, and what their logs don't say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.charter import Charter
from lilygames.tables.log.acts import Header
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.room.bot import KeptTable, TableBot


class CarriedOver:
    """The state that the previous process had of tables: each takes its own up when it is there.

    If there was such a process, no bot or clock runs at any table until `wake`. Its people are in their rooms from the
    beginning, so that they hear what is said there.
    """

    def __init__(self, host: Host, open_tables: OpenTables, told: Mapping[int, int] | None) -> None:
        """`told` has the last entry of each table that the previous process published; None if there was none."""
        self.asleep = told is not None
        """Whether bots and clocks rest at all tables, because another process was there before, or follows."""
        self.told = {**(told or {})}
        """The last entry of each table that the previous process published, and that hasn't woken up yet."""
        self._host = host
        self._tables = open_tables
        self._kept: dict[int, KeptTable] = {}
        """The state of the tables that wait to be restored."""

    def is_asleep(self, number: int) -> bool:
        """Whether bots and clocks rest at a table that is opened now."""
        return self.asleep or number in self.told

    def open_rooms(self) -> None:
        """Open the rooms of the tables that wait, so that people find them and nobody takes their names."""
        for header in self._tables.unrestored.headers:
            if header.number not in self._tables.remote:  # else its room is open already
                self._open_room(header)

    def _open_room(self, header: Header) -> None:
        """Open a table's room. Only its members, its host and invited people may see a private one."""
        title = self._tables.games[header.game].title
        room = self._host.open_room(header.room, f"{title} table", lasting=header.room == header.game)
        permitted = frozenset(map(fold, (header.host, *header.invited)))
        cleared = 0.0 if room.lasting else self._host.clock()
        room.govern(Charter(private=header.private, permitted=permitted, cleared=cleared))

    def take_up(self, tables: Iterable[KeptTable]) -> None:
        """Give tables their state back. Those that wait get it when they are restored, and come first."""
        for kept in tables:
            if bot := self._tables.bots.get(kept.number):
                bot.take_up(kept)
            elif kept.number in self._tables.unrestored:
                self._kept[kept.number] = kept
                for name in kept.focused:
                    if person := self._host.people.get(name):
                        person.focus.reserve(kept.number)
        self._tables.unrestored.put_first(number for number, kept in self._kept.items() if kept.shown or kept.queued)

    def wake(self) -> None:
        """Let bots and clocks run at the tables that are restored from now on."""
        self.asleep = False
        self.told = {number: seq for number, seq in self.told.items() if number in self._tables.unrestored}

    def sleep(self) -> None:
        """Stop bots and clocks at all tables, also at those that are restored from now on: another process follows."""
        self.asleep = True
        for bot in self._tables.bots.values():
            bot.sleep()

    @property
    def kept(self) -> tuple[KeptTable, ...]:
        """The state of all tables that isn't in their logs, also of those that haven't taken it up yet."""
        bots = self._tables.bots
        restored = (kept for bot in bots.values() if not (kept := bot.carry()).is_empty)
        return (*restored, *(kept for number, kept in self._kept.items() if number not in bots))

    def settle(self, bot: TableBot) -> None:
        """Give a table that has just been restored its people and its state. Nobody is shown anything."""
        kept = self._kept.get(bot.table.header.number)
        people = [self._host.people[name] for name in bot.table.seats.owners if name in self._host.people]
        for person in people:
            person.sit_at(self._tables.seating(person.name))
        if kept:
            bot.take_up(kept)
        for person in people:
            bot.came_or_went(person)

    def release(self, number: int) -> None:
        """Forget the state of a table that has taken it up or isn't there, and let others have its focus."""
        self.told.pop(number, None)
        kept = self._kept.pop(number, None)
        for name in kept.focused if kept else ():
            person = self._host.people.get(name)
            if person and person.focus.reserved == number:
                person.focus.reserve(0)
                person.focus.answered()
