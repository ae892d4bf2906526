"""The entries in a data file: as they are written now, and as release 0.1 wrote them.

A log has a number, and an attempt to append 16 bytes or a few more. An index finds attempts by their last bytes, which
hardly two in a log share. That takes a quarter less room than the table of release 0.1. It has the log's name and the
attempt as text in each row, and again in its index.

A file of release 0.1 keeps that table, as `old_entry`. New entries go to the new table, `convert` moves the old ones in
small transactions, and everything here looks at both. The next start drops the old table once it is empty.
"""

# ruff: noqa: S608 - the names of tables and columns are ours

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from sqlite3 import Connection
from typing import Any

import attrs

from lilygames.store import Entry, Page, shared_bodies
from lilygames.store.compact import compact, expand

NUMBERED, SHARED = 2, 3
"""The versions of the data file in which logs have numbers, and in which bodies can be shared."""
TABLES = """
CREATE TABLE log (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE entry (
  log INTEGER NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, maker BLOB NOT NULL, body TEXT NOT NULL,
  cmd BLOB NOT NULL,
  PRIMARY KEY (log, seq)
) WITHOUT ROWID;
CREATE INDEX entry_by_attempt ON entry (log, substr(cmd, -6));
"""
"""The tables for entries. `maker` and `cmd` are bytes or text, as `compact` returns them.

A body that is bytes is the number of a shared one: see `shared_bodies.py`.
"""
_COLUMNS = f"seq, at, maker, {shared_bodies.BODY} AS body, cmd"
_OLD_COLUMNS = "seq, at, maker, body, cmd"
_AFTER = f"SELECT {_COLUMNS} FROM entry WHERE log = (SELECT id FROM log WHERE name = :log) AND seq > :after"
_OLD_AFTER = f"SELECT {_OLD_COLUMNS} FROM old_entry WHERE log = :log AND seq > :after"
_POSITIONS = "seq IN (SELECT value FROM json_each(:at))"
_AT = f"SELECT {_COLUMNS} FROM entry WHERE log = (SELECT id FROM log WHERE name = :log) AND {_POSITIONS}"
_OLD_AT = f"SELECT {_OLD_COLUMNS} FROM old_entry WHERE log = :log AND {_POSITIONS}"
_BY_ATTEMPT = f"""
SELECT {_COLUMNS} FROM entry INDEXED BY entry_by_attempt
WHERE log = (SELECT id FROM log WHERE name = :log) AND substr(cmd, -6) = substr(:bytes, -6) AND cmd = :bytes
"""  # without its name, SQLite may read the whole log
_OLD_BY_ATTEMPT = f"SELECT {_OLD_COLUMNS} FROM old_entry INDEXED BY entry_by_cmd WHERE log = :log AND cmd = :cmd"
_STANDING = """
SELECT coalesce((SELECT max(seq) FROM entry WHERE log = one.id), 0), EXISTS (
  SELECT 1 FROM entry INDEXED BY entry_by_attempt
  WHERE log = one.id AND substr(cmd, -6) = substr(:bytes, -6) AND cmd = :bytes
) FROM (SELECT (SELECT id FROM log WHERE name = :log) AS id) AS one
"""
_OLD_STANDING = """
SELECT coalesce((SELECT max(seq) FROM old_entry WHERE log = :log), 0),
  EXISTS (SELECT 1 FROM old_entry INDEXED BY entry_by_cmd WHERE log = :log AND cmd = :cmd)
"""
_HEAD = "SELECT max(seq) FROM entry WHERE log = (SELECT id FROM log WHERE name = :log)"
_OLD_HEAD = "SELECT max(seq) FROM old_entry WHERE log = :log"
_LOGS = "SELECT name FROM log WHERE name > :last AND name < :end ORDER BY name LIMIT :limit"
_NEXT_OLD_LOG = "SELECT min(log) FROM old_entry WHERE log > ? AND log < ?"
_ALL = f"SELECT name AS log, {_COLUMNS} FROM log CROSS JOIN entry ON entry.log = log.id"
_ALL_UNSHARED = f"SELECT name AS log, {_OLD_COLUMNS} FROM log CROSS JOIN entry ON entry.log = log.id"
_ALL_OLD = f"SELECT log, {_OLD_COLUMNS} FROM old_entry"
_OLDEST = """
SELECT CAST(log AS BLOB), seq, at, CAST(maker AS BLOB), CAST(body AS BLOB), CAST(cmd AS BLOB)
FROM old_entry ORDER BY log, seq LIMIT ?
"""
_ALL_OF_0_1 = f"SELECT log, {_OLD_COLUMNS} FROM entry"
_INSERT = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_OLD = "INSERT INTO entry VALUES (?, ?, ?, ?, CAST(? AS TEXT), ?)"
Row = tuple[str, int, float, str, str | bytes, str]
"""Log, position, time, author, body and command."""


@attrs.frozen
class EntryRows:
    """Reads and writes entries. `old` says whether the file has the table of release 0.1, which may be empty."""

    old: bool

    def standing(self, log: str, cmd: str, db: Connection) -> tuple[int, bool]:
        """Return the last position of a log, 0 for an empty one, and whether it has entries of an attempt."""
        values = {"log": log, "bytes": compact(cmd), "cmd": cmd}
        head, known = db.execute(_STANDING, values).fetchone()
        if self.old:
            old_head, old_known = db.execute(_OLD_STANDING, values).fetchone()
            return max(head, old_head), bool(known or old_known)
        return head, bool(known)

    def of_attempt(self, log: str, cmd: str, db: Connection) -> tuple[Entry, ...]:
        """Return what an attempt has written to a log."""
        return self._found(db, _BY_ATTEMPT, _OLD_BY_ATTEMPT, log=log, bytes=compact(cmd), cmd=cmd)

    def page(self, log: str, after: int, limit: int, db: Connection) -> Page:
        """Return some entries after a position, and the head."""
        entries = self._found(db, _AFTER, _OLD_AFTER, log=log, after=after, limit=max(limit, 0))
        return Page(entries, self.head(log, db))

    def entries_at(self, log: str, positions: Sequence[int], db: Connection) -> tuple[Entry, ...]:
        """Return the entries at these positions."""
        return self._found(db, _AT, _OLD_AT, log=log, at=json.dumps([*positions]))

    def head(self, log: str, db: Connection) -> int:
        """Return the last position of a log, 0 for an empty one."""
        queries = (_HEAD, _OLD_HEAD) if self.old else (_HEAD,)
        return max(db.execute(query, {"log": log}).fetchone()[0] or 0 for query in queries)

    def logs(self, prefix: str, after: str, limit: int, db: Connection) -> tuple[str, ...]:
        """Return names of logs, each found by an index: reading every entry would take long."""
        last, end = max(prefix, after), f"{prefix}{chr(sys.maxunicode)}"
        names = [name for (name,) in db.execute(_LOGS, {"last": last, "end": end, "limit": max(limit, 0)})]
        old = list[str]()
        while self.old and len(old) < limit and (last := db.execute(_NEXT_OLD_LOG, (last, end)).fetchone()[0]):
            old.append(last)
        return tuple(sorted({*names, *old})[: max(limit, 0)])

    def trim(self, log: str, through: int, blank: str, db: Connection) -> None:
        """Delete old entries; see `Store.trim`."""
        head = self.head(log, db)
        values = {"log": log, "through": min(through, head - 1), "head": head, "blank": blank}
        for table, where in self._tables():
            db.execute(f"DELETE FROM {table} WHERE {where} AND seq <= :through", values)
            if head <= through:
                change = f"UPDATE {table} SET maker = '', body = :blank WHERE {where} AND seq = :head"
                db.execute(f"{change} AND (maker, body) <> ('', :blank)", values)

    def rewrite(self, log: str, entries: Sequence[Entry], db: Connection) -> None:
        """Replace the authors and bodies of entries."""
        for table, where in self._tables():
            made = [(one, one.by if table == "old_entry" else compact(one.by)) for one in entries]
            values = [{"log": log, "seq": one.seq, "maker": maker, "body": one.body} for one, maker in made]
            db.executemany(f"UPDATE {table} SET maker = :maker, body = :body WHERE {where} AND seq = :seq", values)

    def erase(self, log: str, db: Connection) -> None:
        """Delete a log."""
        for table, where in self._tables():
            db.execute(f"DELETE FROM {table} WHERE {where}", {"log": log})
        db.execute("DELETE FROM log WHERE name = ?", (log,))

    def convert(self, most: int, db: Connection) -> int:
        """Move up to `most` entries of release 0.1 to the new table, and return how many these were.

        Bodies that aren't text, because the file is damaged, stay as they are.
        """
        if not self.old:
            return 0
        rows = db.execute(_OLDEST, (most,)).fetchall()
        for log, some in groupby(rows, itemgetter(0)):
            values = ((seq, at, by.decode(), body, cmd.decode()) for _, seq, at, by, body, cmd in some)
            insert(db, log.decode(), values, _INSERT_OLD)
        gone = ((log.decode(), seq) for log, seq, *_ in rows)
        db.executemany("DELETE FROM old_entry WHERE log = ? AND seq = ?", gone)
        return len(rows)

    def _found(self, db: Connection, new: str, old: str, **values: Any) -> tuple[Entry, ...]:
        query = f"{new} UNION ALL {old}" if self.old else new
        rows = db.execute(f"{query} ORDER BY seq LIMIT :limit", {"limit": -1, **values})
        return tuple(Entry(seq, at, expand(by), body, expand(cmd)) for seq, at, by, body, cmd in rows)

    def _tables(self) -> Sequence[tuple[str, str]]:
        """Return the tables, each with the condition for the rows of a log."""
        new = "entry", "log = (SELECT id FROM log WHERE name = :log)"
        return (new, ("old_entry", "log = :log")) if self.old else (new,)


def insert(
    db: Connection, log: str, rows: Iterable[tuple[int, float, str, str | bytes, str]], statement: str = _INSERT
) -> None:
    """Write entries of a log as position, time, author, body or the number of a shared one, and command."""
    known = db.execute("SELECT id FROM log WHERE name = ?", (log,)).fetchone()
    number = known[0] if known else db.execute("INSERT INTO log (name) VALUES (?)", (log,)).lastrowid
    db.executemany(statement, ((number, seq, at, compact(by), body, compact(cmd)) for seq, at, by, body, cmd in rows))


def has_old(db: Connection) -> bool:
    """Return whether a data file has the table of release 0.1 beside the new one."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'old_entry')").fetchone()[0])


def advance(db: Connection, version: int) -> None:
    """Give a file of an earlier version the tables of this one. This takes as long for a large file."""
    if version < NUMBERED:
        db.execute("ALTER TABLE entry RENAME TO old_entry")
        for statement in filter(str.strip, TABLES.split(";")):
            db.execute(statement)
    if version < SHARED:
        for statement in shared_bodies.TABLES:
            db.execute(statement)


def drop_old_if_empty(db: Connection) -> None:
    """Drop the table of release 0.1 once all its entries were converted."""
    if has_old(db) and not db.execute("SELECT EXISTS (SELECT 1 FROM old_entry)").fetchone()[0]:
        db.execute("DROP TABLE old_entry")


def count_rows(db: Connection) -> int:
    """Return the number of entries in a data file of any release."""
    tables = ("entry", "old_entry") if has_old(db) else ("entry",)
    return sum(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)


def has_log(db: Connection, log: str) -> bool:
    """Return whether a data file of any release has entries of a log. This reads all of them up to it."""
    return any(row[0] == log for row in all_rows(db))


def all_rows(db: Connection) -> Iterator[Row]:
    """Yield the entries of a data file of any release, by log and position."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    new = (_ALL if version >= SHARED else _ALL_UNSHARED, *([_ALL_OLD] if has_old(db) else []))
    parts = new if version >= NUMBERED else (_ALL_OF_0_1,)
    for log, seq, at, by, body, cmd in db.execute(f"{' UNION ALL '.join(parts)} ORDER BY log, seq"):
        yield log, seq, at, expand(by), body, expand(cmd)
