"""Give a database of release 0.1 today's tables for its entries, while people play.

The old table stays beside the new ones. Its rows are moved in small transactions, from its end to its beginning. So
autovacuum can give its empty end back to the disk, and both tables together hardly take more room than the old one did.
When it is empty, it is deleted.
"""

from __future__ import annotations

from typing import Any

import asyncpg

from lilygames.store import StoreUnavailable
from lilygames.store.pgentries import put
from lilygames.store.pgserver import as_it_was
from lilygames.store.pgtables import PARTED, PATIENCE, Form, advance, form_of

SLACK = 32_000_000
"""Bytes that must be free before entries are moved."""
CHECKED = 100_000
"""Entries after which that is checked again: they take less room."""
VACUUMED = "3s"
"""How long to wait for a vacuum, which shortens the old table now and then, while nobody else waits for us."""
SPAN = 8
"""Pages of the old table that are looked at in a step, and twice as many each time that they are empty."""
_ROW = 8000
_ROOM = f"""
CREATE UNLOGGED TABLE room (filler text);
ALTER TABLE room ALTER COLUMN filler SET STORAGE PLAIN;
INSERT INTO room SELECT repeat('x', {_ROW}) FROM generate_series(1, {SLACK // _ROW});
"""  # noqa: S608 - ours
_TAKE = """
DELETE FROM old_entry WHERE ctid = ANY(ARRAY(SELECT ctid FROM old_entry WHERE ctid >= $1 AND ctid < $2 LIMIT $3))
RETURNING log, seq, at, maker, body, cmd
"""


class Conversion:
    """Moves the entries of a database."""

    def __init__(self) -> None:
        self._page: int | None = None
        """The page of the old table before which rows may be left; None if it isn't known."""
        self._span = SPAN
        self._unchecked = CHECKED
        """Entries moved since the room on the disk was checked."""

    async def step(self, db: Any, most: int) -> int:
        """Move up to `most` entries and return how many these were, in a transaction of the caller's.

        0 means that none are left. Raises `StoreUnavailable` if there is too little free space, and
        `asyncpg.LockNotAvailableError` if a backup is reading a table that must be renamed or deleted.
        """
        form = await form_of(db)
        if form is Form.NUMBERED:
            return 0
        if self._unchecked >= CHECKED:
            await _must_have_room(db)
            self._unchecked = 0
        await db.execute(f"SET LOCAL lock_timeout = '{VACUUMED}'")
        if form is Form.TEXT:
            await _have_alone(db, "entry")
            await advance(db, PARTED)
        await db.execute("LOCK TABLE log_entry IN ROW EXCLUSIVE MODE")  # nobody erases a log now
        rows = await self._last_rows(db, most)
        if not rows and await db.fetchval("SELECT EXISTS (SELECT FROM old_entry)"):
            rows = await self._last_rows(db, most)  # some were changed meanwhile, and have a place behind by that
        if rows:
            await put(db, (tuple(as_it_was(one) if isinstance(one, str) else one for one in row) for row in rows))
        elif most > 0:
            await _have_alone(db, "old_entry")
            await db.execute("DROP TABLE old_entry")
        self._unchecked += len(rows)
        return len(rows)

    async def _last_rows(self, db: Any, most: int) -> list[Any]:
        """Take rows from the end of the old table. Return none if it was searched to its beginning."""
        if not self._page:
            self._page = await db.fetchval("SELECT pg_relation_size('old_entry') / current_setting('block_size')::int")
        while self._page > 0 and most > 0:
            first = max(0, self._page - self._span)
            rows: list[Any] = await db.fetch(_TAKE, (first, 0), (self._page, 0), most)
            if len(rows) < most:
                self._page = first
            if rows:
                self._span = SPAN
                return rows
            self._span *= 2
        return []


async def _have_alone(db: Any, table: str) -> None:
    """Lock a table for this transaction alone. Autovacuum makes way after a second, in which everyone else goes on."""
    await db.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
    await db.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    await db.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")


async def _must_have_room(db: Any) -> None:
    """Raise `StoreUnavailable` if the server's disk has less than `SLACK` free bytes.

    No query tells how many it has, so a table of that size is written and undone.
    """
    trial = db.transaction()
    await trial.start()
    try:
        await db.execute(_ROOM)
    except asyncpg.DiskFullError as error:
        raise StoreUnavailable(
            f"The database needs {SLACK / 1e6:.0f} MB of free space to convert old entries: free some space first."
        ) from error
    finally:
        await trial.rollback()
