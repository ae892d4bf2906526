"""Logs of all tables, open or finished, with the secrets of their seals."""

from __future__ import annotations

import attrs

from lilygames import codec
from lilygames.errors import UserError
from lilygames.store import Entry, Store
from lilygames.tables import seal
from lilygames.tables.log import Header
from lilygames.tables.visible import secret_in

INDEX = "tables"
"""Log of all headers. A table's number is its header's position in this log."""


class Unsealed(Exception):
    """A table's secret is missing or doesn't match its seal."""


def no_such_table(number: int) -> str:
    """Return the error for a table that doesn't exist, or that the reader may not know about."""
    return f"there was never a table #{number}. Type /tables to list the open tables."


class Archive:
    """Reader for the log of any table.

    `visible` decides who may see what.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, number: int) -> tuple[Header, list[Entry]]:
        """Return a table's header and log entries; raises `UserError`."""
        return await self.header(number), await self.entries(number)

    async def header(self, number: int) -> Header:
        """Return a table's header; raises `UserError`."""
        entries = (await self._store.read(INDEX, number - 1, 1)).entries if number > 0 else ()
        if not entries or entries[0].seq != number:
            raise UserError(no_such_table(number))
        try:
            header: Header = codec.from_text(entries[0].body, Header)
        except ValueError as problem:
            raise UserError(
                f"the log of table #{number} can't be read. Type /feedback TEXT to tell the sysop."
            ) from problem
        return attrs.evolve(header, number=number)

    async def entries(self, number: int) -> list[Entry]:
        """Return a table's log entries; empty if there is no such table."""
        entries: list[Entry] = []
        while (page := await self._store.read(f"table/{number}", entries[-1].seq if entries else 0)).entries:
            entries += page.entries
        return entries

    async def secret(self, number: int, entries: list[Entry]) -> bytes:
        """Return a table's secret for the server's own replay, even if the seal is closed."""
        opened = secret_in(entries)
        return opened or bytes.fromhex(await self._store.find("secret", str(number)) or "")

    async def sealed_secret(self, header: Header, entries: list[Entry]) -> bytes:
        """Return a table's secret, checked against its seal.

        Raises `Unsealed` if it doesn't match, `StoreUnavailable`.
        """
        try:
            secret = await self.secret(header.number, entries)
        except ValueError as problem:
            raise Unsealed("the secret can't be read") from problem
        if seal.seal_of(secret) != header.seal:
            raise Unsealed("the secret is missing or doesn't match the seal")
        return secret
