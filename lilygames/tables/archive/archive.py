"""Logs of all tables, open or finished, with the secrets of their seals."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import attrs
import structlog

from lilygames import codec
from lilygames.errors import UserError
from lilygames.proofs import commitments
from lilygames.store import Entry, Store
from lilygames.tables.archive.archived_logs import NotInArchive
from lilygames.tables.log.acts import Body, Header, Voided
from lilygames.tables.log.names_beside import (
    people_of,
    shown_entries,
    shown_header,
)
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.seal import seal
from lilygames.tables.seal.rounds import FAIRNESS
from lilygames.tables.state.visible import secret_in

log = structlog.get_logger()
_LONG = 100
"""Entries from which a log is decoded in a thread, so that nobody waits for that."""
INDEX = "tables"
"""Log of all headers. A table's number is its header's position in this log."""


class Unsealed(Exception):
    """A table's secret is missing or doesn't match its seal."""


def secret_key(number: int, round_: int = 1) -> str:
    """Return the key of a stored secret: each void round before the start is followed by one with a new secret."""
    return str(number) if round_ == 1 else f"{number}/{round_}"


async def stored_secret(store: Store, number: int, round_: int = 1) -> bytes:
    """Return a stored secret, or nothing if it is missing; raises `ValueError` if it can't be read."""
    return bytes.fromhex(await store.find("secret", secret_key(number, round_)) or "")


def seal_of(header: Header, secret: bytes) -> str:
    """Return the seal of a secret, as the table's version of the seal makes it."""
    return commitments.seal_of(secret) if header.fairness == FAIRNESS else seal.seal_of(secret)


def latest_void(entries: Sequence[Entry]) -> Voided | None:
    """Return the last void round that was followed by a new secret, or None."""
    for entry in reversed(entries):
        if '"Voided"' in entry.body:  # reading every entry would be slow
            act = codec.from_text(entry.body, Body).act
            if isinstance(act, Voided) and act.next_seal:
                return act
    return None


def no_such_table(number: int) -> str:
    """Return the error for a table that doesn't exist, or that the reader may not know about."""
    return f"there was never a table #{number}. Type /tables to list the open tables."


def _unreadable(number: int) -> str:
    return f"the log of table #{number} can't be read. Type /feedback TEXT to tell the sysop."


class Archive:
    """Reader for the log of any table.

    `visible` decides who may see what.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, number: int) -> tuple[Header, list[Entry]]:
        """Return a table's header and log entries, with names; raises `UserError`."""
        people, entries = await self.named(number)
        return await self.header(number, people), entries

    async def header(self, number: int, people: SeatIds | None = None) -> Header:
        """Return a table's header, with the names of these people, or those stored beside it; raises `UserError`."""
        entries = (await self._store.read(INDEX, number - 1, 1)).entries if number > 0 else ()
        if not entries or entries[0].seq != number:
            raise UserError(no_such_table(number))
        try:
            header: Header = codec.from_text(entries[0].body, Header)
        except ValueError as problem:
            raise UserError(_unreadable(number)) from problem
        if people is None and header.ids:
            people = await people_of(self._store, number)
        return shown_header(attrs.evolve(header, number=number), people or SeatIds())

    async def latest(self, room: str, looked_at: int) -> list[int]:
        """Return the numbers of a room's tables among the newest ones of all rooms, the latest first."""
        head = (await self._store.heads([INDEX]))[INDEX]
        newest = (await self._store.read(INDEX, max(0, head - looked_at), looked_at)).entries
        named = codec.encode({"room": room})[1:-1]
        return [entry.seq for entry in reversed(newest) if named in entry.body]

    async def entries(self, number: int) -> list[Entry]:
        """Return a table's log entries, with names; empty if the table is unknown."""
        return (await self.named(number))[1]

    async def named(self, number: int) -> tuple[SeatIds, list[Entry]]:
        """Return the people in a table's log, and its entries with their names; empty if the table is unknown."""
        stored = await self._stored(number)  # first, so that nobody is in it whose name isn't stored yet
        people = await people_of(self._store, number)
        if len(stored) > _LONG:
            return await asyncio.to_thread(shown_entries, stored, people)
        return shown_entries(stored, people)

    async def _stored(self, number: int) -> list[Entry]:
        """Return a table's log entries as they are stored."""
        entries: list[Entry] = []
        try:
            while (page := await self._store.read(f"table/{number}", entries[-1].seq if entries else 0)).entries:
                entries += page.entries
        except NotInArchive as problem:
            log.error("cannot read an archived game", table=number, why=str(problem))  # noqa: TRY400 - it says why
            raise UserError(_unreadable(number)) from problem
        return entries

    async def secret(self, number: int, entries: list[Entry]) -> bytes:
        """Return a table's secret for the server's own replay, even if the seal is closed."""
        opened, void = secret_in(entries), latest_void(entries)
        return opened or await stored_secret(self._store, number, void.round + 1 if void else 1)

    async def sealed_secret(self, header: Header, entries: list[Entry]) -> bytes:
        """Return a table's secret, checked against its seal.

        Raises `Unsealed` if it doesn't match, `StoreUnavailable`.
        """
        try:
            secret = await self.secret(header.number, entries)
        except ValueError as problem:
            raise Unsealed("the secret can't be read") from problem
        void = latest_void(entries)
        if seal_of(header, secret) != (void.next_seal if void else header.seal):
            raise Unsealed("the secret is missing or doesn't match the seal")
        return secret
