"""What accounts hold of a game's units: a log for each, so that no change is made twice and none is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import attrs

from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.errors import NeedsRepair
from lilygames.game import Game, Purse
from lilygames.store import Conflict, Draft, Store
from lilygames.tables.table import Table
from rules.kit import Seat


@attrs.frozen
class Settled:
    """What a seat that got up took home, and what its account holds since; `guest`: nothing is kept."""

    seat: Seat
    name: str
    change: int
    held: int
    guest: bool


class Unsettled(Exception):
    """The chips of somebody cannot be taken home, since their account cannot be read: the table has to keep them."""


class Purses:
    """All purses of the host, in its store."""

    def __init__(self, store: Store, accounts: Accounts, people: Mapping[str, Person]) -> None:
        self._store = store
        self._accounts = accounts
        self._people = people
        """Those who are here or whose seats are kept, by folded name."""

    async def held(self, game: Game, name: str) -> int:
        """Return what the account of that name holds; a new one, and a guest, as much as anybody begins with."""
        _, held = await self._last(self._log(game.name, name), game)
        return held

    def _log(self, game: str, name: str) -> str:
        return f"purse/{game}/{self._accounts.key(name)}"

    async def _last(self, log: str, game: Game) -> tuple[int, int]:
        head = (await self._store.heads([log]))[log]
        if not head:
            return 0, game.purse.first if game.purse else 0
        page = await self._store.read(log, head - 1, 1)
        return head, int(json.loads(page.entries[0].body)["held"])

    async def change(self, game: Game, name: str, units: int, cmd: str) -> int:
        """Add units to what an account holds, once for each `cmd`, and return what it holds since."""
        log = self._log(game.name, name)
        while True:
            head, held = await self._last(log, game)
            draft = Draft("table", json.dumps({"change": units, "held": held + units, "for": cmd}))
            try:
                await self._store.append(log, head, [draft], cmd=cmd)
            except Conflict:
                continue
            return (await self._last(log, game))[1]

    async def refill(self, game: Game, name: str, day: str) -> int:
        """Give an account that holds nothing as much as a new one, once a day, and return what it holds since."""
        return await self.change(game, name, game.purse.first if game.purse else 0, f"refill {day}")

    async def kept(self, name: str) -> bool:
        """Whether somebody's purse is kept: an account's is, a guest's is not; raises `NeedsRepair`."""
        person = self._people.get(fold(name))
        if person:
            return not person.guest
        account = await self._accounts.get(name)
        return account is not None and not account.guest

    async def settle(self, table: Table, settled: set[Seat]) -> list[Settled]:
        """Book what the seats that have got up, or all at the end, won and lost; add them to `settled`.

        However often that is done, each seat's change is booked once. Raises `Unsettled`.
        """
        purse = table.game.purse
        if purse is None or not table.started or table.lesson:
            return []
        done = []
        for seat, change in _standing(table, purse):
            if seat not in settled and not table.seats[seat].house:
                done.append(await self._booked(table, seat, change))
                settled.add(seat)
        return done

    async def is_settled(self, game: str, name: str, number: int, seat: Seat) -> bool:
        """Whether what a seat of a table won or lost has been booked for somebody; raises `StoreUnavailable`."""
        log, after = self._log(game, name), 0
        while (page := await self._store.read(log, after)).entries:
            if any(entry.cmd == _booking(number, seat) for entry in page.entries):
                return True
            after = page.entries[-1].seq
        return False

    async def _booked(self, table: Table, seat: Seat, change: int) -> Settled:
        name, cmd = table.seats[seat].name, _booking(table.header.number, seat)
        try:
            kept = await self.kept(name)
        except NeedsRepair as problem:
            raise Unsettled(name) from problem
        if not kept:
            return Settled(seat, name, change, 0, guest=True)
        return Settled(seat, name, change, await self.change(table.game, name, change, cmd), guest=False)


def _booking(number: int, seat: Seat) -> str:
    """Return the name of the attempt to book what a seat won or lost, so that it lands once."""
    return f"table/{number}/{seat}"


def _standing(table: Table, purse: Purse) -> Iterator[tuple[Seat, int]]:
    """Yield the seats whose change stands, and the change.

    Of a game that stopped counting what a seat had lost by then stands, so that nobody takes moves back to undo losses.
    """
    public = table.view(None)
    staying = () if table.closed else purse.staying(public)
    changes = purse.changes(public) if table.counted else _losses(table)
    return ((seat, change) for seat, change in enumerate(changes) if seat not in staying)


def _losses(table: Table) -> list[int]:
    """Return what each seat had lost when the game stopped counting; nothing for seats that were taken later."""
    later = len(table.seats) - len(table.owed)
    return [*(min(0, change) for change in table.owed), *(0,) * later]
