"""Tables whose rules are not installed here: another node plays them, or they wait until their rules are back.

Who sits there, and what they staked, is read without the rules, so that nobody's seat, name or chips are given away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names import fold
from lilygames.chat.sorry import Sorry
from lilygames.store import Entry, Store
from lilygames.tables.log import Act, Body, Header, Joined, Left, Seated, Sitter, Start
from rules.kit import Seat

log = structlog.get_logger()


@attrs.frozen
class Waiting:
    """A table as it is known without its rules: up to which entry it was read, who sits, what they brought."""

    header: Header
    seq: int = 0
    seats: tuple[Sitter, ...] = ()
    purses: tuple[int, ...] = ()
    started: bool = False

    def after(self, entries: Iterable[Entry]) -> Waiting:
        """Return it after some more entries of its log; what a later release may say there is passed over."""
        table = self
        for entry in entries:
            if entry.seq == table.seq + 1:  # two who read at once pass on the same entries
                with suppress(ValueError):
                    table = table._told(codec.from_text(entry.body, Body).act)
                table = attrs.evolve(table, seq=entry.seq)
        return table

    def _told(self, act: Act) -> Waiting:
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
        """Return the seats with one more, or one in place of another; nobody in its place closes ranks."""
        return (*self.seats[:seat], *((who,) if who else ()), *self.seats[seat + instead :])

    def keeps_seat(self, name: str) -> bool:
        """Whether a seat there is somebody's of that name, be it kept by a house player."""
        return any(fold(name) in (who.person and fold(who.name), fold(who.stands_in)) for who in self.seats)

    def staked(self, name: str) -> int:
        """Return what somebody has brought there, which is nowhere else until the table is over."""
        brought = zip(self.seats, self.purses, strict=False)
        return sum(purse for who, purse in brought if fold(who.name) == fold(name))

    def may_see(self, name: str) -> bool:
        """Whether somebody of that name may know of it."""
        named = (self.header.host, *self.header.invited)
        return not self.header.private or self.keeps_seat(name) or fold(name) in map(fold, named)

    def named(self, word: str) -> bool:
        """Whether a room or a number (`ohell-2`, `12`, `#12`) means it."""
        return word.removeprefix("#") == str(self.header.number) or fold(word) == fold(self.header.room)

    @property
    def called(self) -> str:
        """Its number and room, as lists lead with them."""
        return f"#{self.header.number} {self.header.room}"

    @property
    def why(self) -> str:
        """What it waits for, as the end of a sentence that says what can be done."""
        played = f"version {self.header.version} of {self.header.game}'s rules, which is not installed at your node"
        return f"played by {played}; its seats are kept: connect anew in a while"


class WaitingTables:
    """The open tables whose rules are not installed here."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[int, Waiting] = {}

    def __iter__(self) -> Iterator[Waiting]:
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

    def add(self, header: Header, entries: Iterable[Entry]) -> None:
        """Let a table wait that has come so far, and say so in the log."""
        if header.number not in self:
            log.error("a table waits for its rules", table=header.number, game=header.game, version=header.version)
        self._tables[header.number] = Waiting(header).after(entries)

    def read_to(self, number: int) -> int:
        """Return up to which entry a table's log was read; 0 for one that does not wait."""
        return self._tables[number].seq if number in self else 0

    async def follow(self, number: int) -> None:
        """Learn who sits there now, or let the table be where it is over; raises `Unavailable`."""
        page = await self._store.read(f"table/{number}", self.read_to(number))
        if await self._store.find("open", str(number)) is None:
            self._tables.pop(number, None)
        elif number in self:
            self._tables[number] = self._tables[number].after(page.entries)

    def keeping(self, name: str) -> list[Waiting]:
        """Return those at which a seat is kept for somebody of that name."""
        return [table for table in self if table.keeps_seat(name)]

    def staked(self, game: str, name: str) -> int:
        """Return what somebody has brought to those of a game."""
        return sum(table.staked(name) for table in self if table.header.game == game)

    def must_not_be(self, word: str) -> None:
        """Raise `Sorry` where a room or a number means one of them that anybody may know of."""
        named = (table for table in self if table.named(word) and not table.header.private)
        for table in named:
            raise Sorry(f"{table.called} is {table.why}.")
