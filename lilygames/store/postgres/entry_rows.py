"""The entries in a database.

A log has a number, and an attempt to append takes 17 bytes or a few more. The entries are in partitions, by the hash of
the log's number. A body that several logs get at once is in a table of its own, once. Triggers count its uses.
"""

# ruff: noqa: S608 - the names of tables and columns are ours

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import starmap
from typing import Any

from lilygames.store import Entry, Page
from lilygames.store.compact import compact
from lilygames.store.postgres.server import as_it_was, named, written

HIGHEST = 2**31 - 1
"""The highest position in a log."""
_COMPACT = b"\xff"
"""The first byte of a compact text. No text in UTF-8 has it."""
_DIGITS = 17
"""Bytes of 32 compact digits, with that first one."""
_BODY = "coalesce(body, (SELECT s.body FROM shared s WHERE s.id = e.shared), chr(65533))"
_COLUMNS = f"seq, at, maker, cmd, {_BODY} AS body"
"""The columns of an entry. A shared body that is missing reads as text that isn't JSON."""
_NUMBER = "(SELECT id FROM log WHERE name = $1)"
"""The number of the log $1."""
HEAD = "coalesce((SELECT max(seq) FROM log_entry WHERE log = {log}), 0)"
"""The last position of a log, 0 for an empty one."""
ROWS = f"SELECT {_COLUMNS} FROM log_entry e WHERE {{which}}"
"""A query for entries."""
_PAGE = f"""
SELECT h.head, e.* FROM (SELECT {HEAD.format(log=_NUMBER)} AS head) h
LEFT JOIN LATERAL ({ROWS.format(which=f"e.log = {_NUMBER} AND seq > $2")} ORDER BY seq LIMIT $3) e ON true
"""
_AT = f"{ROWS.format(which=f'e.log = {_NUMBER} AND seq = ANY($2::int[])')} ORDER BY seq"
_HEADS = """
SELECT l.name AS log, (SELECT max(seq) FROM log_entry WHERE log = l.id) AS head FROM log l WHERE name = ANY($1::text[])
"""
_LOGS = """
SELECT name AS log FROM log l WHERE name > $1 COLLATE "C" AND name < $2 COLLATE "C"
AND EXISTS (SELECT FROM log_entry e WHERE e.log = l.id) ORDER BY name LIMIT $3
"""
_TRIM = f"""
WITH last AS MATERIALIZED (SELECT {HEAD.format(log=_NUMBER)} AS seq),
gone AS (DELETE FROM log_entry e USING last WHERE e.log = {_NUMBER} AND e.seq <= $2 AND e.seq < last.seq)
UPDATE log_entry e SET maker = '', body = $3, shared = NULL FROM last
WHERE e.log = {_NUMBER} AND e.seq = last.seq AND e.seq <= $2 AND (e.maker, e.body) IS DISTINCT FROM ('', $3)
"""
_REWRITE = f"""
UPDATE log_entry e SET maker = c.maker, body = c.body, shared = NULL
FROM unnest($2::int[], $3::bytea[], $4::text[]) AS c (seq, maker, body) WHERE e.log = {_NUMBER} AND e.seq = c.seq
"""
_ERASE = f"DELETE FROM log_entry WHERE log = {_NUMBER}"
NO_WRITERS = "LOCK TABLE log_entry IN SHARE ROW EXCLUSIVE MODE"
"""Wait a few milliseconds for everyone who writes entries: they may be about to use the number of a log."""
_NAME = """
INSERT INTO log (name) SELECT name FROM unnest($1::text[]) AS c (name)
WHERE NOT EXISTS (SELECT FROM log l WHERE l.name = c.name) ORDER BY name ON CONFLICT DO NOTHING
"""
ALL_ROWS = f"SELECT name, {_COLUMNS} FROM log l JOIN log_entry e ON e.log = l.id"
"""A query for all entries, each with the name of its log."""
_NUMBERS = "SELECT name, id FROM log WHERE name = ANY($1::text[])"


def stored(text: str) -> bytes:
    """Return a text as the tables have it: 32 hexadecimal digits, with or without a number, as bytes."""
    short = compact(text)
    return written(short).encode() if isinstance(short, str) else _COMPACT + short


def loaded(data: bytes) -> str:
    """Return the text that `stored` got.

    It does what `compact.expand` does without a copy, so a log of 142 entries is read 4 % faster.
    """
    if data[:1] != _COMPACT:
        return as_it_was(data.decode())
    digits = data[1:_DIGITS].hex()
    return f"{digits}.{int.from_bytes(data[_DIGITS:], 'big')}" if len(data) > _DIGITS else digits


_author, author = lru_cache(1000)(loaded), lru_cache(1000)(stored)
"""The same for authors. Few people write most entries, so a log of 142 is read and written a tenth faster."""


def entry(seq: int, at: float, maker: bytes, cmd: bytes, body: str) -> Entry:
    """Return the columns of a query as an entry."""
    return Entry(seq, at, _author(maker), as_it_was(body), loaded(cmd))


async def page(db: Any, log: str, after: int, limit: int) -> Page:
    """Return up to `limit` entries after a position."""
    rows = await db.fetch(_PAGE, named(log), after, limit)
    last, first, *_ = rows[0]
    if first is None:
        return Page((), last)
    entries = [Entry(seq, at, _author(maker), as_it_was(body), loaded(cmd)) for _, seq, at, maker, cmd, body in rows]
    return Page(tuple(entries), last)


async def entries_at(db: Any, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
    """Return the entries at these positions."""
    return tuple(starmap(entry, await db.fetch(_AT, named(log), positions)))


async def heads(db: Any, logs: Sequence[str]) -> dict[str, int]:
    """Return the last position of each log, 0 for an empty one."""
    found = {as_it_was(log): last or 0 for log, last in await db.fetch(_HEADS, [*map(named, logs)])}
    return dict.fromkeys(logs, 0) | found


async def logs(db: Any, first: str, end: str, limit: int) -> tuple[str, ...]:
    """Return names of logs after one and before another, both as they are stored."""
    return tuple(as_it_was(row["log"]) for row in await db.fetch(_LOGS, first, end, limit))


async def trim(db: Any, logs: Sequence[tuple[str, int, str]]) -> None:
    """Delete old entries of logs, each with a position and a blank body; see `Store.trim`. In a transaction."""
    values = [(named(log), max(0, min(through, HIGHEST)), named(blank)) for log, through, blank in logs]
    await db.executemany(_TRIM, values)


async def rewrite(db: Any, log: str, entries: Sequence[Entry]) -> None:
    """Replace the authors and bodies of entries. In a transaction."""
    seqs, makers = [one.seq for one in entries], [author(one.by) for one in entries]
    await db.execute(_REWRITE, named(log), seqs, makers, [written(one.body) for one in entries])


async def erase(db: Any, log: str) -> None:
    """Delete a log and its number. In a transaction."""
    await db.execute(NO_WRITERS)
    await db.execute(_ERASE, named(log))
    await db.execute("DELETE FROM log WHERE name = $1", named(log))


async def number_logs(db: Any, names: Sequence[str]) -> None:
    """Give numbers to logs that have none."""
    if names:
        await db.execute(_NAME, [*map(written, names)])


async def put(db: Any, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write entries, as log, position, time, author, body and command."""
    rows = [*rows]
    names = [*{row[0] for row in rows}]
    await number_logs(db, names)
    numbers = {as_it_was(row["name"]): row["id"] for row in await db.fetch(_NUMBERS, [*map(written, names)])}
    records = [(numbers[log], seq, at, stored(by), written(body), stored(cmd)) for log, seq, at, by, body, cmd in rows]
    await db.copy_records_to_table("log_entry", records=records, columns=("log", "seq", "at", "maker", "body", "cmd"))
