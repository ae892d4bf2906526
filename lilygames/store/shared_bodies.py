"""Bodies that several logs of a data file get at once are stored once: private messages, and lines to several rooms.

The entries have the number of the shared body instead, as bytes. A body is deleted with its last entry, by triggers. So
a log can be trimmed, rewritten or erased as if it had its own copy. A private line takes a third less by that. To
remove it, let `place` return the body.
"""

from __future__ import annotations

from collections import OrderedDict
from sqlite3 import Connection

LEAST = 100
"""Characters of a body that is worth sharing."""
RECENT = 1000
"""Bodies that are remembered: entries with the same one are written together."""
_UNUSED = """
  UPDATE shared SET uses = uses - 1 WHERE id = CAST(OLD.body AS INTEGER);
  DELETE FROM shared WHERE id = CAST(OLD.body AS INTEGER) AND uses = 0;
"""
TABLES = (
    "CREATE TABLE shared (id INTEGER PRIMARY KEY, uses INTEGER NOT NULL, body TEXT NOT NULL)",
    f"CREATE TRIGGER shared_deleted AFTER DELETE ON entry WHEN typeof(OLD.body) = 'blob' BEGIN {_UNUSED} END",
    f"""CREATE TRIGGER shared_rewritten AFTER UPDATE OF body ON entry
    WHEN typeof(OLD.body) = 'blob' AND OLD.body IS NOT NEW.body BEGIN {_UNUSED} END""",
)
"""The table of shared bodies, and what counts their uses down. It needs the table of entries."""
BODY = """
CASE typeof(body) WHEN 'blob'
THEN coalesce((SELECT shared.body FROM shared WHERE id = CAST(entry.body AS INTEGER)), char(65533)) ELSE body END
"""
"""The body of an entry, in a query."""
_USE = "UPDATE shared SET uses = uses + 1 WHERE id = CAST(? AS INTEGER) AND body = ?"
_SHARE = "UPDATE entry SET body = ? WHERE log = (SELECT id FROM log WHERE name = ?) AND seq = ? AND body = ?"


class SharedBodies:
    """Remembers which bodies were written last, and where. That may have changed, so it is looked up again."""

    def __init__(self) -> None:
        self._recent: OrderedDict[int, tuple[str, int] | bytes] = OrderedDict()
        """An entry with a body, or the number of a shared one, by the body's hash."""

    def place(self, log: str, seq: int, body: str, db: Connection) -> str | bytes:
        """Return what to store as the body of a new entry: the body, or the number of a shared one."""
        if len(body) < LEAST:
            return body
        key = hash(body)
        first = self._recent.pop(key, None)
        number = self._shared(body, *first, db) if isinstance(first, tuple) else first
        if number and not db.execute(_USE, (number, body)).rowcount:
            number = None
        self._recent[key] = number or (log, seq)
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return number or body

    @staticmethod
    def _shared(body: str, log: str, seq: int, db: Connection) -> bytes | None:
        """Share the body of an entry and return its number, or None if the entry has another body by now."""
        id_ = db.execute("INSERT INTO shared (uses, body) VALUES (1, ?)", (body,)).lastrowid
        number = b"%d" % (id_ or 0)
        if db.execute(_SHARE, (number, log, seq, body)).rowcount:
            return number
        db.execute("DELETE FROM shared WHERE id = ?", (id_,))
        return None
