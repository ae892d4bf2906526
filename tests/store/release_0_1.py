"""Data files as release 0.1 wrote them."""

import sqlite3
from contextlib import closing

from lilygames.store.datafile import create
from lilygames.store.entry_rows import all_rows

_TABLE = """
CREATE TABLE entry (
  log TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, maker TEXT NOT NULL, body TEXT NOT NULL, cmd TEXT NOT NULL,
  PRIMARY KEY (log, seq)
) WITHOUT ROWID
"""


def rewrite_as_0_1(place):
    """Rewrite a data file that no server uses as release 0.1 would have written it."""
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        rows = [*all_rows(db)]
    write_as_0_1(place, rows)


def write_as_0_1(place, rows):
    """Write these rows in place of the entries of a data file, as release 0.1 would have written them."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        create(place)
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.execute("BEGIN")
        for table in ("entry", "old_entry", "log", "shared"):
            db.execute(f"DROP TABLE IF EXISTS {table}")
        db.execute(_TABLE)
        db.execute("CREATE INDEX entry_by_cmd ON entry (log, cmd)")
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
        db.execute("PRAGMA user_version=1")
        db.execute("COMMIT")
