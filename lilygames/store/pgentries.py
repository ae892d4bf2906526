"""The entries in a database: as they are written now, and as release 0.1 wrote them.

Now a log has a number, and an attempt to append takes 17 bytes or a few more. The entries are in partitions, by the
hash of the log's number. A body that several logs get at once is in a table of its own, once. Triggers count its uses.

While entries are moved from the table of release 0.1, all queries look at both tables. A row moves from the old table
to the new one and never back. So changes begin with the old table. The new one has a statement of its own after that,
which sees the rows that were moved meanwhile.
"""

# ruff: noqa: S608 - the names of tables and columns are ours

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import starmap
from typing import Any

import attrs

from lilygames.store import Entry, Page
from lilygames.store.compact import compact
from lilygames.store.pgserver import as_it_was, named, written
from lilygames.store.pgtables import Form, form_of

HIGHEST = 2**31 - 1
"""The highest position in a log."""
_COMPACT = b"\xff"
"""The first byte of a compact text. No text in UTF-8 has it."""
_DIGITS = 17
"""Bytes of 32 compact digits, with that first one."""
_NEW = "seq, at, maker, cmd, coalesce(body, (SELECT s.body FROM shared s WHERE s.id = e.shared), chr(65533)) AS body"
"""The columns of an entry in today's table. A shared body that is missing reads as text that isn't JSON."""
_OLD = "seq, at, convert_to(maker, 'UTF8') AS maker, convert_to(cmd, 'UTF8') AS cmd, body"
_PAGE = """
SELECT h.head, e.* FROM (SELECT {head} AS head) h
LEFT JOIN LATERAL ({rows} ORDER BY seq LIMIT $3) e ON true
"""
_HEADS = """
SELECT l.name AS log, (SELECT max(seq) FROM log_entry WHERE log = l.id) AS head FROM log l WHERE name = ANY($1::text[])
"""
_OLD_HEADS = """
SELECT l.name AS log, (SELECT max(seq) FROM {table} WHERE log = l.name) AS head FROM unnest($1::text[]) AS l (name)
"""
_LOGS = """
SELECT name AS log FROM log l WHERE name > $1 COLLATE "C" AND name < $2 COLLATE "C"
AND EXISTS (SELECT FROM log_entry e WHERE e.log = l.id) ORDER BY name LIMIT $3
"""
_OLD_LOGS = """
WITH RECURSIVE found AS (
  SELECT min(log) AS log FROM {table} WHERE log > $1 COLLATE "C" AND log < $2 COLLATE "C"
  UNION ALL
  SELECT (SELECT min(o.log) FROM {table} o WHERE o.log > found.log AND o.log < $2 COLLATE "C")
  FROM found WHERE found.log IS NOT NULL
)
SELECT log FROM found WHERE log IS NOT NULL LIMIT $3
"""
_TRIM = """
WITH last AS MATERIALIZED (SELECT {head} AS seq),
gone AS (DELETE FROM {table} e USING last WHERE e.log = {log} AND e.seq <= $2 AND e.seq < last.seq)
UPDATE {table} e SET maker = '', body = $3{unshared} FROM last
WHERE e.log = {log} AND e.seq = last.seq AND e.seq <= $2 AND (e.maker, e.body) IS DISTINCT FROM ('', $3)
"""
_REWRITE = """
UPDATE {table} e SET maker = c.maker, body = c.body{unshared}
FROM unnest($2::int[], $3::{type}[], $4::text[]) AS c (seq, maker, body) WHERE e.log = {log} AND e.seq = c.seq
"""
_ERASE = "DELETE FROM {table} WHERE log = {log}"
NO_WRITERS = "LOCK TABLE log_entry IN SHARE ROW EXCLUSIVE MODE"
"""Wait a few milliseconds for everyone who writes entries: they may be about to use the number of a log."""
_NUMBER = "(SELECT id FROM log WHERE name = {name})"
_NAME = """
INSERT INTO log (name) SELECT name FROM unnest($1::text[]) AS c (name)
WHERE NOT EXISTS (SELECT FROM log l WHERE l.name = c.name) ORDER BY name ON CONFLICT DO NOTHING
"""
_NUMBERS = "SELECT name, id FROM log WHERE name = ANY($1::text[])"


def stored(text: str) -> bytes:
    """Return a text as today's tables have it: 32 hexadecimal digits, with or without a number, as bytes."""
    short = compact(text)
    return written(short).encode() if isinstance(short, str) else _COMPACT + short


def loaded(data: bytes) -> str:
    """Return the text that `stored` got, or that the table of release 0.1 has.

    It does what `compact.expand` does without a copy, so a log of 142 entries is read 4 % faster.
    """
    if data[:1] != _COMPACT:
        return as_it_was(data.decode())
    digits = data[1:_DIGITS].hex()
    return f"{digits}.{int.from_bytes(data[_DIGITS:], 'big')}" if len(data) > _DIGITS else digits


_author, _stored_author = lru_cache(1000)(loaded), lru_cache(1000)(stored)
"""The same for authors. Few people write most entries, so a log of 142 is read and written a tenth faster."""


def entry(seq: int, at: float, maker: bytes, cmd: bytes, body: str) -> Entry:
    """Return the columns of a query as an entry."""
    return Entry(seq, at, _author(maker), as_it_was(body), loaded(cmd))


@attrs.frozen
class Table:
    """A table of entries. `value` returns what its column `maker`, of type `type`, has for an author."""

    name: str
    value: Callable[[str], str | bytes]
    type: str

    @property
    def is_new(self) -> bool:
        """Whether logs have numbers in it."""
        return self.name == "log_entry"

    def log(self, name: str = "$1") -> str:
        """Return an expression for what the column `log` has for a log with this name."""
        return _NUMBER.format(name=name) if self.is_new else name

    def rows(self, which: str) -> str:
        """Return a query for some entries of the log $1."""
        return self.where(f"e.log = {self.log()} AND {which}")

    def where(self, condition: str) -> str:
        """Return a query for entries."""
        return f"SELECT {_NEW if self.is_new else _OLD} FROM {self.name} e WHERE {condition}"

    def all_rows(self) -> str:
        """Return a query for all entries, each with the name of its log."""
        if self.is_new:
            return f"SELECT name, {_NEW} FROM log l JOIN log_entry e ON e.log = l.id"
        return f"SELECT log AS name, {_OLD} FROM {self.name}"

    def attempt(self, number: str, name: str, cmd: str, old_cmd: str) -> str:
        """Return a condition for the entries of an attempt.

        The log is in the index, and isn't a condition of its own. With one, a plan made while a partition is empty uses
        the primary key. It stays in use, and reads a whole log later.
        """
        if self.is_new:
            return f"attempt(e.log, e.cmd) = attempt({number}, {cmd}) AND e.cmd = {cmd}"
        return f"attempt(e.log, e.cmd) = attempt({name}, {old_cmd})"

    def last(self, name: str = "$1", number: str = "") -> str:
        """Return an expression for the last position of a log in this table, NULL without one."""
        log = number if number and self.is_new else self.log(name)
        return f"(SELECT max(seq) FROM {self.name} WHERE log = {log})"

    def logs(self) -> str:
        """Return a query for names of logs."""
        return _LOGS if self.is_new else _OLD_LOGS.format(table=self.name)

    def heads(self) -> str:
        """Return a query for the last positions of the logs $1, NULL or no row for those without one in this table."""
        return _HEADS if self.is_new else _OLD_HEADS.format(table=self.name)

    def writing(self) -> dict[str, str]:
        """Return the words of a statement that writes entries: this table, and expressions for its columns."""
        names = ("log", "cmd", ", shared") if self.is_new else ("name", "old_cmd", "")
        return {"table": self.name, "type": self.type, **dict(zip(("key", "cmd", "shared"), names, strict=True))}

    def change(self, statement: str, head: str = "") -> str:
        """Return a statement that changes entries of a log."""
        unshared = ", shared = NULL" if self.is_new else ""
        return statement.format(table=self.name, log=self.log(), type=self.type, unshared=unshared, head=head)


_TEXT, _OLD_TEXT = (Table(name, written, "text") for name in ("entry", "old_entry"))
_NUMBERED = Table("log_entry", _stored_author, "bytea")
TABLES: Mapping[Form, tuple[Table, ...]] = {
    Form.TEXT: (_TEXT,),
    Form.BOTH: (_OLD_TEXT, _NUMBERED),
    Form.NUMBERED: (_NUMBERED,),
}
"""The tables of a form. The last one is written to."""


class EntryTables:
    """Reads and changes entries in the tables of a form, which may change once or twice."""

    def __init__(self, form: Form) -> None:
        self._use(form)

    async def differ(self, db: Any, used: Form) -> bool:
        """Return whether the form that a query has used isn't that of the tables; use the right one from now on.

        Another node has created today's tables, or deleted the empty one of release 0.1.
        """
        if self.form is used:
            self._use(await form_of(db))
        return self.form is not used

    def _use(self, form: Form) -> None:
        tables = TABLES[form]
        self.form = form
        self._tables = tables
        self._page = _PAGE.format(head=head(tables), rows=_rows(tables, "seq > $2"))
        self._at = f"SELECT * FROM ({_rows(tables, 'seq = ANY($2::int[])')}) r ORDER BY seq"
        self._heads = " UNION ALL ".join(table.heads() for table in tables)
        self._logs = f"SELECT log FROM ({' UNION '.join(f'({one.logs()})' for one in tables)}) r ORDER BY log LIMIT $3"
        self._trim = [one.change(_TRIM, head(tables)) for one in tables]

    async def page(self, db: Any, log: str, after: int, limit: int) -> Page:
        """Return up to `limit` entries after a position."""
        rows = await db.fetch(self._page, named(log), after, limit)
        last, first, *_ = rows[0]
        if first is None:
            return Page((), last)
        entries = [
            Entry(seq, at, _author(maker), as_it_was(body), loaded(cmd)) for _, seq, at, maker, cmd, body in rows
        ]
        return Page(tuple(entries), last)

    async def entries_at(self, db: Any, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions."""
        return tuple(starmap(entry, await db.fetch(self._at, named(log), positions)))

    async def heads(self, db: Any, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        found = dict.fromkeys(logs, 0)
        for log, last in await db.fetch(self._heads, [*map(named, logs)]):
            name = as_it_was(log)
            found[name] = max(found[name], last or 0)
        return found

    async def logs(self, db: Any, first: str, end: str, limit: int) -> tuple[str, ...]:
        """Return names of logs after one and before another, both as they are stored."""
        return tuple(as_it_was(row["log"]) for row in await db.fetch(self._logs, first, end, limit))

    async def trim(self, db: Any, logs: Sequence[tuple[str, int, str]]) -> None:
        """Delete old entries of logs, each with a position and a blank body; see `Store.trim`. In a transaction."""
        values = [(named(log), max(0, min(through, HIGHEST)), named(blank)) for log, through, blank in logs]
        for statement in self._trim:
            await db.executemany(statement, values)

    async def rewrite(self, db: Any, log: str, entries: Sequence[Entry]) -> None:
        """Replace the authors and bodies of entries. In a transaction."""
        seqs, bodies = [one.seq for one in entries], [written(one.body) for one in entries]
        for table in self._tables:
            makers = [table.value(one.by) for one in entries]
            await db.execute(table.change(_REWRITE), named(log), seqs, makers, bodies)

    async def erase(self, db: Any, log: str) -> None:
        """Delete a log and its number. In a transaction."""
        if _NUMBERED in self._tables:
            await db.execute(NO_WRITERS)
        for table in self._tables:
            await db.execute(table.change(_ERASE), named(log))
        if _NUMBERED in self._tables:
            await db.execute("DELETE FROM log WHERE name = $1", named(log))


def _rows(tables: Sequence[Table], which: str) -> str:
    return " UNION ALL ".join(table.rows(which) for table in tables)


def head(tables: Sequence[Table], name: str = "$1", number: str = "") -> str:
    """Return an expression for the last position of a log, 0 for an empty one."""
    return f"coalesce(greatest({', '.join(table.last(name, number) for table in tables)}), 0)"


async def number_logs(db: Any, names: Sequence[str]) -> None:
    """Give numbers to logs that have none."""
    if names:
        await db.execute(_NAME, [*map(written, names)])


async def put(db: Any, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write entries to today's table, as log, position, time, author, body and command."""
    rows = [*rows]
    names = [*{row[0] for row in rows}]
    await number_logs(db, names)
    numbers = {as_it_was(row["name"]): row["id"] for row in await db.fetch(_NUMBERS, [*map(written, names)])}
    records = [(numbers[log], seq, at, stored(by), written(body), stored(cmd)) for log, seq, at, by, body, cmd in rows]
    await db.copy_records_to_table("log_entry", records=records, columns=("log", "seq", "at", "maker", "body", "cmd"))


async def all_rows(db: Any) -> str:
    """Keep the tables of entries as they are until the transaction ends, and return a query for all entries.

    Raises `asyncpg.UndefinedTableError` if a table is renamed or deleted at the same moment.
    """
    tables = TABLES[await form_of(db)]
    await db.execute(f"LOCK TABLE {', '.join(table.name for table in tables)} IN ACCESS SHARE MODE")
    return " UNION ALL ".join(table.all_rows() for table in tables)
