"""Tables that this node leaves to other nodes: known by their public rows, and followed here on demand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager

import structlog

from lilygames.chat.names.by_name import ByName
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Announced, Arrived, PersonEvent, Publisher, Returned, TableWanted
from lilygames.chat.people.people import Person, Room
from lilygames.store import Effect, StoreUnavailable
from lilygames.tables.restore.unrestored import Unrestored
from lilygames.tables.sight.public_row import PublicRow, from_text

log = structlog.get_logger()
KEPT = 30.0
"""Seconds for which a table stays followed after someone has asked for it."""
_AT_ONCE = 6
"""Tables that one command follows at the same time."""


class RemoteTables:
    """The public rows of all open tables, and which of these tables this node leaves to others.

    Those who observe `TableWanted` read one of them and follow it from then on. Tables' rooms are named after `games`.
    """

    def __init__(self, publisher: Publisher, games: Container[str]) -> None:
        self._publisher = publisher
        self._games = games
        self.rows: dict[int, PublicRow] = {}
        """The rows of all open tables, also of those that are followed here."""
        self._left: dict[int, PublicRow] = {}
        self._places: dict[int, Room] = {}
        """The rooms of those tables."""
        self._holding: ByName[int] = ByName()
        """The tables of `_left` by the folded names of everyone who has a seat."""
        self._inviting: ByName[int] = ByName()
        """The same by the names of everyone who is invited."""
        self._staking: ByName[int] = ByName()
        """The same by the names of everyone who has brought chips."""
        self._vacant: dict[int, PublicRow] = {}
        """Those whose rows say who may sit down."""
        self._rooms: dict[str, int] = {}
        """The same by the folded names of their rooms."""
        self._announced: set[int] = set()
        """Tables that other nodes have just opened, and of which only the number is known here yet."""
        self._asked: dict[int, float] = {}
        """When someone last asked for a table, by the monotonic clock."""
        self._running: dict[int, asyncio.Task[None]] = {}
        self._later: set[asyncio.Task[None]] = set()

    def __contains__(self, number: object) -> bool:
        return number in self._left

    def __iter__(self) -> Iterator[PublicRow]:
        """The tables that are left to others."""
        return iter([*self._left.values()])

    def __len__(self) -> int:
        return len(self._left)

    @property
    def rooms(self) -> set[str]:
        """The names of their rooms, which no other table may have."""
        return {row.room for row in self._left.values()}

    @property
    def playing(self) -> int:
        """The number of those that everyone may know of and whose games have started."""
        return sum(not row.private for row in self._left.values() if not row.waits)

    def of_tournament(self, number: int) -> list[int]:
        """Return the numbers of the tables of a tournament."""
        beginning = f"{number}/"
        return [row.number for row in self._left.values() if row.tournament.startswith(beginning)]

    def waiting(self, number: int) -> PublicRow | None:
        """Return the row of one of them if its game hasn't started, else None."""
        row = self._vacant.get(number)
        return row if row and row.waits else None

    def joinable(self, person: Person, is_here: Callable[[str], bool]) -> list[PublicRow]:
        """Return the tables with a free seat that a person may know of, and where nobody has an invitation to answer.

        All players are here, or some of them if the game has started. `is_here` tells that of a folded name. Tables of
        tournaments aren't among them.
        """
        anyone = (row for row in self._vacant.values() if not row.tournament)
        seen = (row for row in anyone if row.may_see(fold(person.name)))
        free = (row for row in seen if row.vacancies and row.vacancies.open and row.holders and not row.invited)
        return [row for row in free if (all if row.waits else any)(map(is_here, row.holders))]

    def runs(self, log: str) -> str:
        """Return the node that runs the table of a log, as far as its row says."""
        kind, _, number = log.partition("/")
        row = self.rows.get(int(number)) if kind == "table" else None
        return row.node if row else ""

    def keeps_seat(self, name: str) -> bool:
        """Return whether someone has a seat at one of them."""
        return fold(name) in self._holding

    # what this node knows

    def learn(self, row: PublicRow) -> None:
        """Learn a table's row. It is the newest one: they are read from the store, or compared by the caller."""
        room = self._places.get(row.number)
        self.take(row.number)
        self.rows[row.number] = row
        if room:
            self.leave(row.number, room)

    def written(self, records: Iterable[Effect]) -> None:
        """Learn the rows that this node has just stored with the marks of open tables."""
        for record in records:
            if row := from_text(record.body or ""):
                self.learn(row)
            else:
                self.forget(int(record.key))

    @contextmanager
    def announced(self, number: int) -> Iterator[None]:
        """Follow a table that another node has opened if someone asks for it in this block."""
        self._announced.add(number)
        try:
            yield
        finally:
            self._announced.discard(number)

    def forget(self, number: int) -> None:
        """Forget the row of a table that is over, or that every node follows from now on."""
        self.take(number)
        self.rows.pop(number, None)
        self._asked.pop(number, None)

    def leave(self, number: int, room: Room) -> None:
        """Leave a table whose row is known to other nodes; its room stays open."""
        row = self._left[number] = self.rows[number]
        self._places[number] = room
        self._rooms[fold(row.room)] = number
        self._holding.put(number, row.holders)
        self._inviting.put(number, row.invited)
        self._staking.put(number, row.staked or ())
        if row.vacancies:
            self._vacant[number] = row

    def take(self, number: int) -> None:
        """Record that a table is followed here, or not open any more."""
        row = self._left.pop(number, None)
        if row is None:
            return
        del self._places[number]
        if self._rooms.get(fold(row.room)) == number:
            del self._rooms[fold(row.room)]
        self._holding.drop(number)
        self._inviting.drop(number)
        self._staking.drop(number)
        self._vacant.pop(number, None)

    def room_of(self, number: int) -> Room:
        """Return the room of one of them."""
        return self._places[number]

    def in_room(self, room: str) -> list[int]:
        """Return the table in a room, if it is one of these."""
        number = self._rooms.get(fold(room))
        return [] if number is None else [number]

    # following what someone needs

    def is_wanted(self, number: int) -> bool:
        """Return whether someone has asked for a table lately, so that it stays followed."""
        asked = self._asked.get(number)
        if asked is not None and time.monotonic() - asked >= KEPT:
            del self._asked[number]
            return False
        return asked is not None

    def want(self, numbers: Iterable[int]) -> list[int]:
        """Record that someone has asked for tables, and return those with rows."""
        wanted = [number for number in numbers if number in self.rows]
        self._asked |= dict.fromkeys(wanted, time.monotonic())
        return wanted

    async def ready(self, numbers: Iterable[int]) -> None:
        """Follow those of some tables that are left to others, and keep all of them; raises `StoreUnavailable`."""
        numbers = [*numbers]
        missing = [number for number in self.want(numbers) if number in self._left]
        missing += self._announced.intersection(numbers)
        for first in range(0, len(missing), _AT_ONCE):
            await asyncio.gather(*map(self._one, missing[first : first + _AT_ONCE]))

    async def ready_for(self, name: str, numbers: Iterable[int] = ()) -> None:
        """Follow the tables where someone has a seat or is invited, and those with these numbers.

        Raises `StoreUnavailable`.
        """
        await self.ready(sorted({*self._holding.of(fold(name)), *self._inviting.of(fold(name)), *numbers}))

    async def stakes_ready(self, name: str) -> None:
        """Follow the tables to which someone has brought chips; raises `StoreUnavailable`."""
        await self.ready(sorted(self._staking.of(fold(name))))

    async def ready_to_read(self, text: str) -> None:
        """Follow the tables whose numbers or rooms a typed line has among its words; raises `StoreUnavailable`."""
        if self._left or self._announced:
            await self.ready([*self._named_in(text)])

    def _named_in(self, text: str) -> Iterator[int]:
        for word in text.split():
            digits = word.removeprefix("#")
            if digits.isascii() and digits.isdigit():
                yield int(digits[:9])
            elif fold(word.removeprefix("-")).partition("-")[0] in self._games:  # perhaps the room of a new table
                yield from self._announced
            if (number := self._rooms.get(fold(word.removeprefix("-")))) is not None:
                yield number

    async def _one(self, number: int) -> None:
        """Follow a table; everyone who needs it waits for the same task."""
        if number not in self._running:
            self._running[number] = asyncio.get_running_loop().create_task(self._followed(number))
        await asyncio.shield(self._running[number])

    async def _followed(self, number: int) -> None:
        try:
            await self._publisher.publish_and_wait(TableWanted(number))
        finally:
            del self._running[number]

    def soon(self, number: int, then: Callable[[], object] = lambda: None) -> None:
        """Follow a table, and call `then` once it is, for those who can't wait for it."""

        async def followed() -> None:
            try:
                await self.ready([number])
            except StoreUnavailable as problem:
                log.warning("cannot read a table now", table=number, why=str(problem))
            else:
                then()

        task = asyncio.get_running_loop().create_task(followed())
        self._later.add(task)
        task.add_done_callback(self._later.discard)


class Joining:
    """Observer that follows the table of a room that someone comes to here."""

    observes = (Arrived, Returned, Announced)

    def __init__(self, remote: RemoteTables, unrestored: Unrestored) -> None:
        self._remote = remote
        self._unrestored = unrestored

    def observe(self, event: PersonEvent) -> None:
        """Follow the tables of the rooms that someone is in, or joins, soon."""
        match event:
            case Arrived(person) | Returned(person):
                rooms = [room.name for room in person.rooms]
            case Announced(chat_event) if chat_event.kind == "join":
                rooms = [*chat_event.rooms]
            case _:
                return
        for room in rooms:
            for number in self._remote.in_room(room):
                if number not in self._unrestored:  # the start restores it, but first those that someone waits for
                    self._remote.soon(number)
