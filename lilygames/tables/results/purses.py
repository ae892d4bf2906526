"""Purses: units of a game held by accounts.

Each purse has its own log, so that no change is lost or applied twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import NeedsRepair
from lilygames.game import Game, Purse
from lilygames.store import Conflict, Draft, Store
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Seat


@attrs.frozen
class Settled:
    """A cashed-out seat and the account's new balance.

    `guest` means the balance isn't saved.
    """

    seat: Seat
    name: str
    change: int
    held: int
    guest: bool


class Unsettled(Exception):
    """A seat can't be cashed out because the account is unreadable; the table must stay open."""


class Purses:
    """All purses on the server."""

    def __init__(self, store: Store, accounts: Accounts, people: Mapping[str, Person]) -> None:
        self._store = store
        self._accounts = accounts
        self._people = people
        """People who are connected or have a reserved seat, by folded name."""

    async def held(self, game: Game, name: str) -> int:
        """Return an account's balance; new accounts and guests have the starting amount."""
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
        """Add units to an account, once per `cmd`, and return the new balance."""
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
        """Refill an empty account to the starting amount, once a day, and return its balance."""
        return await self.change(game, name, game.purse.first if game.purse else 0, f"refill {day}")

    async def kept(self, name: str) -> bool:
        """Return whether a person's purse is saved: accounts yes, guests no; raises `NeedsRepair`."""
        person = self._people.get(fold(name))
        if person:
            return not person.guest
        account = await self._accounts.get(name)
        return account is not None and not account.guest

    async def settle(self, table: Table, settled: set[Seat]) -> list[Settled]:
        """Book the wins and losses of seats that have left, or of all at the end; none at a duplicate table.

        Adds them to `settled`. Calling it again books nothing twice. Raises `Unsettled`.
        """
        purse = table.game.purse
        if purse is None or not table.started or table.lesson or table.header.duplicate:
            return []
        done = []
        for seat, change in _standing(table, purse):
            if seat not in settled and not table.seats[seat].house:
                done.append(await self._booked(table, seat, change))
                settled.add(seat)
        return done

    async def is_settled(self, game: str, name: str, number: int, seat: Seat) -> bool:
        """Return whether a seat's result has been booked for a person; raises `StoreUnavailable`."""
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
    """Return the idempotency key for booking a seat's result."""
    return f"table/{number}/{seat}"


def _standing(table: Table, purse: Purse) -> Iterator[tuple[Seat, int]]:
    """Yield each seat to settle and its change in units.

    If the game stopped counting, losses up to then stand. Otherwise players could undo moves to avoid losses. An
    adjudicated game settles by its stated scores.
    """
    public = table.view(None)
    staying = () if table.closed else purse.staying(public)
    if table.adjudicated:
        stated = table.outcome.scores if table.outcome else (0,) * len(table.seats)
        return ((seat, change) for seat, change in enumerate(stated) if seat not in staying)
    changes = purse.changes(public) if table.counted else _losses(table)
    return ((seat, change) for seat, change in enumerate(changes) if seat not in staying)


def _losses(table: Table) -> list[int]:
    """Return each seat's loss when the game stopped counting; 0 for seats taken later."""
    later = len(table.seats) - len(table.owed)
    return [*(min(0, change) for change in table.owed), *(0,) * later]
