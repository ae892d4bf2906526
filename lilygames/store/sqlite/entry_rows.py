"""The entries in a data file.

A log has a number, and an attempt to append 16 bytes or a few more. An index finds attempts by their last bytes, which
hardly two in a log share. That takes a quarter less room than the log's name and the attempt as text in each row, and
again in the index.
"""

# ruff: noqa: S608 - the names of tables and columns are ours

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection
from typing import Any

from lilygames.store import Entry, Page, shared_bodies
from lilygames.store.compact import compact, expand

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
_OF_LOG = "log = (SELECT id FROM log WHERE name = :log)"
_COLUMNS = f"seq, at, maker, {shared_bodies.BODY} AS body, cmd"
_AFTER = f"SELECT {_COLUMNS} FROM entry WHERE {_OF_LOG} AND seq > :after"
_AT = f"SELECT {_COLUMNS} FROM entry WHERE {_OF_LOG} AND seq IN (SELECT value FROM json_each(:at))"
_BY_ATTEMPT = f"""
SELECT {_COLUMNS} FROM entry INDEXED BY entry_by_attempt
WHERE {_OF_LOG} AND substr(cmd, -6) = substr(:bytes, -6) AND cmd = :bytes
"""  # without its name, SQLite may read the whole log
_STANDING = """
SELECT coalesce((SELECT max(seq) FROM entry WHERE log = one.id), 0), EXISTS (
  SELECT 1 FROM entry INDEXED BY entry_by_attempt
  WHERE log = one.id AND substr(cmd, -6) = substr(:bytes, -6) AND cmd = :bytes
) FROM (SELECT (SELECT id FROM log WHERE name = :log) AS id) AS one
"""
_HEAD = f"SELECT max(seq) FROM entry WHERE {_OF_LOG}"
_LOGS = "SELECT name FROM log WHERE name > :last AND name < :end ORDER BY name LIMIT :limit"
_ALL = f"SELECT name AS log, {_COLUMNS} FROM log CROSS JOIN entry ON entry.log = log.id ORDER BY 1, 2"
_INSERT = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)"
Row = tuple[str, int, float, str, str | bytes, str]
"""Log, position, time, author, body and command."""


def standing(log: str, cmd: str, db: Connection) -> tuple[int, bool]:
    """Return the last position of a log, 0 for an empty one, and whether it has entries of an attempt."""
    last, known = db.execute(_STANDING, {"log": log, "bytes": compact(cmd)}).fetchone()
    return last, bool(known)


def of_attempt(log: str, cmd: str, db: Connection) -> tuple[Entry, ...]:
    """Return what an attempt has written to a log."""
    return _found(db, _BY_ATTEMPT, log=log, bytes=compact(cmd))


def page(log: str, after: int, limit: int, db: Connection) -> Page:
    """Return some entries after a position, and the head."""
    entries = _found(db, _AFTER, log=log, after=after, limit=max(limit, 0))
    return Page(entries, head(log, db))


def entries_at(log: str, positions: Sequence[int], db: Connection) -> tuple[Entry, ...]:
    """Return the entries at these positions."""
    return _found(db, _AT, log=log, at=json.dumps([*positions]))


def head(log: str, db: Connection) -> int:
    """Return the last position of a log, 0 for an empty one."""
    return db.execute(_HEAD, {"log": log}).fetchone()[0] or 0


def logs(prefix: str, after: str, limit: int, db: Connection) -> tuple[str, ...]:
    """Return names of logs, each found by an index: reading every entry would take long."""
    values = {"last": max(prefix, after), "end": f"{prefix}{chr(sys.maxunicode)}", "limit": max(limit, 0)}
    return tuple(name for (name,) in db.execute(_LOGS, values))


def trim(log: str, through: int, blank: str, db: Connection) -> None:
    """Delete old entries; see `Store.trim`."""
    last = head(log, db)
    values = {"log": log, "through": min(through, last - 1), "head": last, "blank": blank}
    db.execute(f"DELETE FROM entry WHERE {_OF_LOG} AND seq <= :through", values)
    if last <= through:
        change = f"UPDATE entry SET maker = '', body = :blank WHERE {_OF_LOG} AND seq = :head"
        db.execute(f"{change} AND (maker, body) <> ('', :blank)", values)


def rewrite(log: str, entries: Sequence[Entry], db: Connection) -> None:
    """Replace the authors and bodies of entries."""
    values = [{"log": log, "seq": one.seq, "maker": compact(one.by), "body": one.body} for one in entries]
    db.executemany(f"UPDATE entry SET maker = :maker, body = :body WHERE {_OF_LOG} AND seq = :seq", values)


def erase(log: str, db: Connection) -> None:
    """Delete a log."""
    db.execute(f"DELETE FROM entry WHERE {_OF_LOG}", {"log": log})
    db.execute("DELETE FROM log WHERE name = ?", (log,))


def _found(db: Connection, query: str, **values: Any) -> tuple[Entry, ...]:
    rows = db.execute(f"{query} ORDER BY seq LIMIT :limit", {"limit": -1, **values})
    return tuple(Entry(seq, at, expand(by), body, expand(cmd)) for seq, at, by, body, cmd in rows)


def insert(db: Connection, log: str, rows: Iterable[tuple[int, float, str, str | bytes, str]]) -> None:
    """Write entries of a log as position, time, author, body or the number of a shared one, and command."""
    known = db.execute("SELECT id FROM log WHERE name = ?", (log,)).fetchone()
    number = known[0] if known else db.execute("INSERT INTO log (name) VALUES (?)", (log,)).lastrowid
    db.executemany(_INSERT, ((number, seq, at, compact(by), body, compact(cmd)) for seq, at, by, body, cmd in rows))


def count_rows(db: Connection) -> int:
    """Return the number of entries in a data file."""
    return int(db.execute("SELECT count(*) FROM entry").fetchone()[0])


def has_log(db: Connection, log: str) -> bool:
    """Return whether a data file has entries of a log."""
    return head(log, db) > 0


def all_rows(db: Connection) -> Iterator[Row]:
    """Yield the entries of a data file, by log and position."""
    for log, seq, at, by, body, cmd in db.execute(_ALL):
        yield log, seq, at, expand(by), body, expand(cmd)
