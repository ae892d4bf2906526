"""Open tables that a start has left for later: known by their headers, and restored in the background."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

import structlog

from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Publisher, TableAwaited
from lilygames.game import Game
from lilygames.scheduling.foreground import Foreground
from lilygames.store import BulkReads, Damaged, StoreUnavailable
from lilygames.tables.log.acts import Header
from lilygames.tables.play.runner import RETRY
from lilygames.tables.restore.known_headers import KnownHeaders

log = structlog.get_logger()
MOMENT = 1.0
"""Seconds that a command may wait for its tables without a word."""
SHORT = 30
"""Most entries in the log of a table that probably still waits for its players."""
_BETWEEN = re.compile(r"(?:^|[\s,;:])[-#~]?")
"""The characters between two words that may be names."""
_AT_ONCE = 20
"""Tables whose logs are read together at a start, because each waits for the store several times."""


class Unrestored:
    """The tables that wait to be restored, in the order of their numbers; those that someone needs come first.

    Those who observe `TableAwaited` reopen one of them. Tables that nobody waits for rest while people in the
    `foreground` do.
    """

    def __init__(self, publisher: Publisher, foreground: Foreground) -> None:
        self._publisher = publisher
        self._foreground = foreground
        self._awaited: set[int] = set()
        """The tables that someone waits for."""
        self._headers: dict[int, Header] = {}
        self._lengths: dict[int, int] = {}
        self._named: dict[str, set[int]] = {}
        """The tables with each folded name beside their logs, so each person who may have a seat there."""
        self._rooms: dict[str, int] = {}
        """The table in each room, by folded name."""
        self._running: dict[int, asyncio.Task[None]] = {}
        self._then: list[Callable[[], object]] = []
        """Functions to call when no table waits any more."""
        self._empty = asyncio.Event()
        self._empty.set()

    def __contains__(self, number: int) -> bool:
        return number in self._headers

    def __len__(self) -> int:
        return len(self._headers)

    @property
    def numbers(self) -> Collection[int]:
        """Their numbers."""
        return self._headers.keys()

    def header(self, number: int) -> Header:
        """The header of one of them."""
        return self._headers[number]

    def length(self, number: int) -> int:
        """The number of entries in the log of one of them, when its header was read."""
        return self._lengths[number]

    @property
    def headers(self) -> Iterator[Header]:
        """Their headers."""
        return iter(self._headers.values())

    def besides(self, known: Container[int]) -> list[Header]:
        """Return the headers of those that aren't among some other tables."""
        return [header for number, header in self._headers.items() if number not in known]

    @property
    def rooms(self) -> set[str]:
        """The names of their rooms, which no other table may have."""
        return {header.room for header in self._headers.values()}

    def in_room(self, room: str) -> int | None:
        """Return the number of the one in a room, or None."""
        number = self._rooms.get(fold(room))
        return number if number in self._headers else None

    def joinable(self, game: Game, is_here: Callable[[str], bool]) -> list[int]:
        """Return the numbers of the public tables of a game that someone could probably join, with people who are here.

        `is_here` returns that for a folded name.
        """
        public = (one for one in self._headers.values() if one.game == game.name and not one.private)
        likely = (one.number for one in public if game.joins or self._lengths[one.number] <= SHORT)
        return [number for number in likely if any(map(is_here, self.people_of(number)))]

    def of_tournament(self, number: int) -> list[int]:
        """Return the numbers of the tables of a tournament."""
        beginning = f"{number}/"
        return [one.number for one in self._headers.values() if one.tournament.startswith(beginning)]

    def of_simul(self, host: str, opened: int) -> list[int]:
        """Return the numbers of the tables that someone has opened together at a time."""
        together = (one for one in self._headers.values() if one.simul == opened)
        return [one.number for one in together if fold(one.host) == fold(host)]

    def add(self, header: Header, length: int = 0) -> None:
        """Leave a table with so many entries in its log for later."""
        self._empty.clear()
        self._headers[header.number] = header
        self._lengths[header.number] = length
        self._rooms[fold(header.room)] = header.number
        for pair in header.people.pairs:
            self._named.setdefault(fold(pair.name), set()).add(header.number)

    def keeps_seat(self, name: str) -> bool:
        """Whether someone of this name may have a seat at one of these tables."""
        return fold(name) in self._named

    def people_of(self, number: int) -> frozenset[str]:
        """The folded names of everyone who may have a seat at one of these tables."""
        return frozenset(fold(pair.name) for pair in self._headers[number].people.pairs)

    def put_first(self, numbers: Iterable[int]) -> None:
        """Restore some of them before the others, in this order."""
        first = {number: self._headers[number] for number in numbers}
        self._headers = {**first, **self._headers}

    def waits_for(self, name: str, room: str = "") -> bool:
        """Whether someone of this name may have a seat at one of these tables, or one of them is in a room."""
        return bool(self._headers) and (fold(name) in self._named or fold(room) in self._rooms)

    async def ready_for(
        self, name: str, numbers: Iterable[int] = (), room: str = "", waits: Callable[[], None] | None = None
    ) -> None:
        """Restore the tables where someone of this name may have a seat, those with these numbers, and one in a room.

        Call `waits` if that takes more than a moment. Raises `StoreUnavailable`.
        """
        here = self._rooms.get(fold(room), 0)
        await self._ready({*self._named.get(fold(name), ()), *numbers, here}, waits)

    async def named_ready(self, text: str, waits: Callable[[], None] | None = None) -> None:
        """Restore the tables whose numbers, rooms or people are among the words of a text.

        Call `waits` if that takes more than a moment. Raises `StoreUnavailable`.
        """
        if self._headers:
            await self._ready({*self._named_in(text)}, waits)

    def _named_in(self, text: str) -> Iterator[int]:
        for word in map(fold, _BETWEEN.split(text)):
            if word.isascii() and word.isdigit():
                yield int(word[:9])
            yield from self._named.get(word, ())
            yield self._rooms.get(word, 0)

    async def _ready(self, numbers: AbstractSet[int], waits: Callable[[], None] | None) -> None:
        if wanted := self._headers.keys() & numbers:
            self._awaited |= wanted
            with _noticed(waits):
                for number in sorted(wanted):
                    await self._one(number)

    def when_all_ready(self, call: Callable[[], object]) -> bool:
        """Call a function once all of them are restored; return False, and don't, if none waits."""
        if self._headers:
            self._then.append(call)
        return bool(self._headers)

    def may_concern(self, number: int, name: str) -> bool:
        """Whether one of these tables has this number, and someone of this name may know of it."""
        header = self._headers.get(number)
        return header is not None and (not header.private or number in self._named.get(fold(name), ()))

    def soon(self, number: int, then: Callable[[], object]) -> None:
        """Restore a table, and call `then` once it is, for those who can't wait for it."""
        self._awaited.add(number)
        task = asyncio.get_running_loop().create_task(self._one(number))
        task.add_done_callback(lambda done: None if done.cancelled() or done.exception() else then())

    async def finished(self) -> None:
        """Wait until all of them are restored; `finish` does that."""
        await self._empty.wait()

    async def finish(self) -> None:
        """Restore all of them, whatever the store brings. If this is cancelled, no table is restored any more."""
        try:
            while self._headers:
                number = next(iter(self._headers))
                try:
                    await self._foreground.quiet()
                    await self._one(number)
                except StoreUnavailable as problem:
                    log.warning("cannot restore a table now", table=number, why=str(problem))
                    if number in self._headers:  # last, so that it holds up no other
                        self._headers[number] = self._headers.pop(number)
                    await asyncio.sleep(RETRY)
        except asyncio.CancelledError:
            for task in self._running.values():
                task.cancel()
            raise

    async def rest(self, number: int) -> None:
        """Go on in a later turn of the event loop, after what people type unless someone waits for this table."""
        await self._foreground.quiet(unless=lambda: number in self._awaited or number not in self._headers)

    async def _one(self, number: int) -> None:
        """Restore a table; everyone who needs it waits for the same task."""
        if number not in self._headers:
            return
        if number not in self._running:
            self._running[number] = asyncio.get_running_loop().create_task(self._restored(number))
        await asyncio.shield(self._running[number])

    async def _restored(self, number: int) -> None:
        try:
            await self._publisher.publish_and_wait(TableAwaited(number))
            self.drop(number)
        finally:
            del self._running[number]

    def drop(self, number: int) -> None:
        """Wait for a table no more: it is restored, or can't be."""
        header = self._headers.pop(number, None)
        if header is None:
            return
        del self._lengths[number]
        self._awaited.discard(number)
        del self._rooms[fold(header.room)]
        for pair in header.people.pairs:
            self._named[fold(pair.name)].discard(number)
            if not self._named[fold(pair.name)]:
                del self._named[fold(pair.name)]
        if not self._headers:
            self._empty.set()
            then, self._then = self._then, []
            for call in then:
                asyncio.get_running_loop().call_soon(call)


@contextmanager
def _noticed(waits: Callable[[], None] | None) -> Iterator[None]:
    """Call a function if the block takes more than a moment."""
    notice = asyncio.get_running_loop().call_later(MOMENT, waits) if waits else None
    try:
        yield
    finally:
        if notice:
            notice.cancel()


async def leave_for_later(
    unrestored: Unrestored,
    store: BulkReads,
    games: Mapping[str, Game],
    numbers: Sequence[int],
    known: KnownHeaders = KnownHeaders(),  # noqa: B008 - it is frozen
) -> None:
    """Leave those of some open tables for later that may wait; raises `StoreUnavailable`.

    `known` are headers that needn't be read any more. The tables with the shortest logs come back first: they take the
    least time, and newcomers look for tables that haven't started.
    """
    try:
        found = await known.of(numbers, store)
    except Damaged:  # restoring them one by one finds out which of them it is
        return
    headers, lengths = found.headers.values(), found.lengths
    rooms = Counter(fold(header.room) for header in headers)
    for header in sorted(headers, key=lambda header: lengths[header.number]):
        alone = rooms[fold(header.room)] == 1  # else their order decides which one has the room
        if alone and _may_wait(header, games):
            unrestored.add(header, lengths[header.number])


def _may_wait(header: Header, games: Mapping[str, Game]) -> bool:
    """Whether a table can be restored later: its rules are here, and the names beside it tell who may have a seat."""
    return header.ids and header.game_in(games) is not None


def groups(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the numbers of tables in groups that are read together."""
    return (numbers[first : first + _AT_ONCE] for first in range(0, len(numbers), _AT_ONCE))
