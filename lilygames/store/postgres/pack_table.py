"""The archive of several nodes: a table of packs in their database.

The packs are bytes there, in parts. As text in records they would take a third more. Those of a restored backup are
records until the next run moves them to the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import Any

from lilygames.store.packs import Move, must_agree
from lilygames.store.postgres import entry_rows
from lilygames.store.postgres.postgres import PostgresStore

PART = 1000
"""Bytes in a part of a pack at most. Whole packs waste room: only two of an average size fit into a page of 8 KB."""
_KEEP = """
INSERT INTO pack (number, part, body) SELECT * FROM unnest($1::int8[], $2::int2[], $3::bytea[]) ORDER BY 1, 2
ON CONFLICT (number, part) DO UPDATE SET body = excluded.body
"""
_KEPT = "SELECT * FROM pack WHERE number = ANY($1::int8[]) ORDER BY number, part"
_GONE = "DELETE FROM pack WHERE number = ANY($1::int8[])"
_FORGET = "DELETE FROM record WHERE kind = $1 AND key = $2 AND body = $3"


class PackTable:
    """The packs of a database as rows of a table (implements `Packs`)."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store

    @property
    def outside(self) -> bool:
        """Return True: the packs aren't records."""
        return True

    async def keep(self, packs: Mapping[int, bytes]) -> None:
        """Write packs in one transaction."""
        await self._store.ask(lambda db: _keep(db, packs), together=True)

    async def find(self, number: int) -> bytes | None:
        """Return the pack of a table, or None if it isn't here."""
        return (await self._store.ask(lambda db: _found(db, [number]))).get(number)

    async def move(self, games: Sequence[Move]) -> None:
        """Replace the rows of games by their packs, all in one transaction. It may be repeated."""

        async def replace(db: Any) -> None:
            await _keep(db, {game.number: game.pack for game in games})
            secrets = [game.secret for game in games if game.secret]
            await db.executemany(_FORGET, [(one.kind, one.key, one.body) for one in secrets])
            await entry_rows.trim(db, [(game.log, game.through, game.blank) for game in games])

        if games:
            await self._store.ask(replace, together=True)

    async def must_fit(self, size: int) -> None:
        """Do nothing: a database doesn't tell how much room its disk has."""

    async def size(self) -> int:
        """Return 0: the store counts the table."""
        return 0


async def _keep(db: Any, packs: Mapping[int, bytes]) -> None:
    """Write packs and read them back. Raises `StoreUnavailable` if one differs."""
    parts = [(number, part, body) for number, pack in packs.items() for part, body in enumerate(_parts(pack))]
    await db.execute(_GONE, [*packs])
    await db.execute(_KEEP, *map(list, zip(*parts, strict=True)))
    kept = await _found(db, [*packs])
    for number, pack in packs.items():
        must_agree(number, pack, kept.get(number))


def _parts(pack: bytes) -> list[bytes]:
    """Return a pack in parts of about the same size."""
    size = ceil(len(pack) / ceil(len(pack) / PART))
    return [pack[first : first + size] for first in range(0, len(pack), size)]


async def _found(db: Any, numbers: Sequence[int]) -> dict[int, bytes]:
    """Return packs by their numbers. A small one may be one part."""
    by_number = groupby(await db.fetch(_KEPT, numbers), itemgetter("number"))
    return {number: b"".join(row["body"] for row in some) for number, some in by_number}
