"""Open tables that this node can't play: their rules aren't installed here, or their log doesn't replay.

Their seats and stakes are read without the rules, so that nobody's seat, name or chips are given away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs
import structlog

from lilygames import codec, log_events
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.recovery.unreadable import case_of
from lilygames.store import Entry, Store
from lilygames.tables.log.acts import Act, Body, Header, Joined, Left, Seated, Sitter, Start
from lilygames.tables.log.names_beside import people_of, shown_entries
from lilygames.tables.results.purses import Purses
from lilygames.tables.state.life import stopped
from lilygames.text import Line
from lilygames_rules.kit import Seat

log = structlog.get_logger()


def without_header(number: int) -> Header:
    """Return a placeholder for an unreadable header; only the table's players can see it."""
    return Header(number, game="", version=0, room="", options={}, seal="", host="", private=True)


@attrs.frozen
class Unplayable:
    """A table as known without its rules: the last entry read, its seats and its stakes."""

    header: Header
    case: str = ""
    """The case number of the error that stopped it; empty if it only waits for its rules."""
    seq: int = 0
    seats: tuple[Sitter, ...] = ()
    purses: tuple[int, ...] = ()
    started: bool = False
    writers: frozenset[str] = frozenset()
    """Folded names of the people who wrote entries."""
    torn: bool = False
    """Whether entries are missing or unreadable, so that anyone who wrote one may have a seat."""

    def after(self, entries: Iterable[Entry]) -> Unplayable:
        """Return the table after more log entries; unreadable ones are skipped."""
        table = self
        for entry in entries:
            if entry.seq > table.seq:  # concurrent readers pass on the same entries
                table = table._with(entry)
        return table

    def _with(self, entry: Entry) -> Unplayable:
        try:
            after, torn = self._told(codec.from_text(entry.body, Body).act), entry.seq > self.seq + 1
        except (ValueError, LookupError):
            after, torn = self, True
        writers = self.writers | {fold(entry.by)}
        return attrs.evolve(after, seq=entry.seq, writers=writers, torn=self.torn or torn)

    def _told(self, act: Act) -> Unplayable:
        match act:
            case Start(purses):
                return attrs.evolve(self, purses=purses, started=True)
            case Joined(seat, who, purse):
                return attrs.evolve(self, seats=self._put(seat, who), purses=(*self.purses, purse))
            case Left(seat):
                return attrs.evolve(self, seats=self._put(seat, attrs.evolve(self.seats[seat], gone=True), 1))
            case Seated(seat, who):
                return attrs.evolve(self, seats=self._put(seat, who, int(self.started or who is None)))
        return self

    def _put(self, seat: Seat, who: Sitter | None, instead: int = 0) -> tuple[Sitter, ...]:
        """Return the seats with one added or replaced; None removes a seat."""
        unknown = (Sitter("", gone=True),) * (seat - len(self.seats))
        return (*self.seats[:seat], *unknown, *((who,) if who else ()), *self.seats[seat + instead :])

    def keeps_seat(self, name: str) -> bool:
        """Whether a seat belongs to this name, even if a bot keeps it."""
        sits = any(fold(name) in (who.person and fold(who.name), fold(who.stands_in)) for who in self.seats)
        return sits or (self.torn and fold(name) in self.writers)

    def brought(self, game: str, name: str) -> dict[Seat, int]:
        """Return what a player has brought to a game here, by seat; an unknown game counts as any."""
        if self.header.game not in ("", game):
            return {}
        brought = enumerate(zip(self.seats, self.purses, strict=False))
        return {seat: purse for seat, (who, purse) in brought if fold(who.name) == fold(name)}

    def holds_unknown(self, game: str, name: str) -> bool:
        """Whether a player may have stakes here that the log no longer shows."""
        lost = self.torn and self.keeps_seat(name) and self.header.game in ("", game)
        return lost and not self.brought(game, name)

    def may_see(self, name: str) -> bool:
        """Whether a person with this name may know of the table."""
        named = (self.header.host, *self.header.invited)
        return not self.header.private or self.keeps_seat(name) or fold(name) in map(fold, named)

    def named(self, word: str) -> bool:
        """Whether a room or number (`ohell-2`, `12`, `#12`) refers to this table."""
        return word.removeprefix("#") == str(self.header.number) or bool(word and fold(word) == fold(self.header.room))

    @property
    def notice(self) -> str:
        """The sentence for those who have a seat."""
        return f"(you have a seat at {self.called}, which is {self.why})"

    @property
    def called(self) -> str:
        """Its number and room, as lists show them."""
        return f"#{self.header.number} {self.header.room}".rstrip()

    @property
    def why(self) -> str:
        """Why it can't be played here, as the end of a sentence about what can be done."""
        if self.case:
            return stopped(self.case)
        missing = f"version {self.header.version} of the {self.header.game} rules, which isn't installed here yet"
        return f"waiting for {missing}. Its seats are kept. Please try again later"


class UnplayableTables:
    """The open tables that this node can't play."""

    def __init__(self, store: Store, purses: Purses) -> None:
        self._store = store
        self._purses = purses
        self._tables: dict[int, Unplayable] = {}

    def __iter__(self) -> Iterator[Unplayable]:
        return iter([*self._tables.values()])

    def __contains__(self, number: int) -> bool:
        return number in self._tables

    @property
    def numbers(self) -> frozenset[int]:
        """Their numbers."""
        return frozenset(self._tables)

    @property
    def rooms(self) -> set[str]:
        """The names of their rooms, which no other table may have."""
        return {table.header.room for table in self}

    @property
    def stopped(self) -> list[Unplayable]:
        """The tables with errors, not those that only wait for their rules."""
        return [table for table in self if table.case]

    def wait(self, header: Header, entries: Iterable[Entry]) -> None:
        """Add a table that waits for its rules, and log it."""
        if header.number not in self:
            log.error("a table waits for its rules", table=header.number, game=header.game, version=header.version)
        self._tables[header.number] = Unplayable(header).after(entries)

    def stop(self, header: Header, entries: Iterable[Entry] | None, bug: Exception) -> None:
        """Stop a table that can't be restored, and log the reason.

        Its `entries` are None if its log can't be read. Then everyone named beside it keeps a seat.
        """
        name = f"table/{header.number}"
        case = case_of(f"{name} {type(bug).__name__} {bug}")
        log_events.table_stopped(header.number, header.game, case=case, bug=bug)
        named = frozenset(fold(pair.name) for pair in header.people.pairs)
        unread = Unplayable(header, case, writers=named, torn=True)
        self._tables[header.number] = unread if entries is None else Unplayable(header, case).after(entries)

    def read_to(self, number: int) -> int:
        """Return the number of the last entry read of a table; 0 if it is playable or unknown."""
        return self._tables[number].seq if number in self else 0

    async def follow(self, number: int) -> None:
        """Update a table's seats from its log, or drop the table if it is over; raises `StoreUnavailable`."""
        page = await self._store.read(f"table/{number}", self.read_to(number))
        if await self._store.find("open", str(number)) is None:
            self._tables.pop(number, None)
        elif number in self:
            people = await people_of(self._store, number)
            self._tables[number] = self._tables[number].after(shown_entries(page.entries, people)[1])

    def read_again(self, header: Header, entries: Iterable[Entry]) -> None:
        """Read a table of these again, because names beside its log have changed."""
        if table := self._tables.get(header.number):
            self._tables[header.number] = Unplayable(header, table.case).after(entries)

    def tell(self, number: int, people: Iterable[Person]) -> None:
        """Tell those who have a seat at a table, if it is one of these."""
        table = self._tables.get(number)
        for person in people:
            if table and table.keeps_seat(person.name):
                person.show(Line(table.notice))

    def keeping(self, name: str) -> list[Unplayable]:
        """Return the tables that keep a seat for this name."""
        return [table for table in self._tables.values() if table.keeps_seat(name)] if self._tables else []

    def holding_unknown(self, game: str, name: str) -> list[Unplayable]:
        """Return the tables where a player may have stakes that the log no longer shows."""
        return [table for table in self if table.holds_unknown(game, name)]

    async def staked(self, game: str, name: str) -> int:
        """Return what a player has staked at these tables of a game and not cashed out; raises `StoreUnavailable`."""
        total = 0
        for table in self:
            for seat, purse in table.brought(game, name).items():
                home = table.seats[seat].gone and await self._purses.is_settled(game, name, table.header.number, seat)
                total += 0 if home else purse
        return total

    def find(self, word: str, name: str) -> Unplayable | None:
        """Return the table with this room or number, if a person with this name may know of it."""
        return next((table for table in self if table.named(word) and table.may_see(name)), None)
