"""Run lilygames with a data file that kills the process at a chosen point of a commit. Only for `scripts/crash`.

`STORM_DIES_AT=before-commit:7` kills the process (SIGKILL) at the 7th commit that has a person's move. That is
before it is written (before-write), between the last `INSERT` and the `COMMIT` (before-commit), or after that
(after-commit). It waits a little first, so that everything acknowledged so far reaches the client.
`FUZZ_PLANT=early-acknowledgement` plants a bug that the test must find: answers are given before the `COMMIT`.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lilygames.server.shell import cli
from lilygames.store.sqlite.datafile import in_words, transaction
from lilygames.store.sqlite.sqlite import SqliteStore, _answer

POINTS = ("before-write", "before-commit", "after-commit")
EARLY = "early-acknowledgement"
LINGERS = 1.0
"""Seconds for an acknowledgement to reach its client."""
_commit = SqliteStore._commit  # noqa: SLF001 - it is patched
ENTRY = 6
"""Columns of an entry's row: log, position, time, author, body and command."""


class Failpoint:
    """Where the process ends: the point and the number of the commit; nowhere if the variable is empty."""

    def __init__(self, where: str) -> None:
        self._point, _, number = where.partition(":")
        self._number = int(number or 0)
        self._passed: Counter[str] = Counter()

    def passes(self, point: str) -> None:
        """Pass a point of a commit, or end here."""
        self._passed[point] += 1
        if point == self._point and self._passed[point] == self._number:
            time.sleep(LINGERS)
            os.kill(os.getpid(), signal.SIGKILL)


class Connection(sqlite3.Connection):
    """A connection that can end the process at commits of people's moves."""

    failpoint = Failpoint("")
    plays = False
    """Whether the transaction has a person's move."""

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        """Execute one statement."""
        if sql != "COMMIT" or not self.plays:
            return super().execute(sql, *more)
        self.plays = False
        self.failpoint.passes("before-commit")
        done = super().execute(sql, *more)
        self.failpoint.passes("after-commit")
        return done

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> sqlite3.Cursor:
        """Execute a statement for each row."""
        kept = [*rows]
        if any(_is_a_persons_move(row) for row in kept):
            if not self.plays:
                self.failpoint.passes("before-write")
            self.plays = True
        return super().executemany(sql, kept)


def _is_a_persons_move(row: Sequence[Any]) -> bool:
    if len(row) != ENTRY:
        return False
    _, _, _, maker, body, _ = row
    moved = isinstance(body, str) and '"is":"Moved"' in body  # a body that several logs share has a number
    return moved and not (isinstance(maker, str) and maker.endswith("(house)"))  # a person's id is bytes


def acknowledge_early(store: SqliteStore, jobs: Sequence[Any]) -> None:
    """Commit a group like the store, but answer for people's moves just before the `COMMIT`: the planted bug."""
    try:
        with in_words(store._place), transaction(store._writer, "BEGIN IMMEDIATE"):  # noqa: SLF001 - it is patched
            answers = [job.work(store._writer) for job in jobs]  # noqa: SLF001 - as above
            early = store._writer.plays  # noqa: SLF001 - as above
            if early:
                _answer(jobs, answers)
    except Exception:  # noqa: BLE001 - as the store does
        for job in jobs:
            _commit(store, [job])
        return
    if not early:
        _answer(jobs, answers)


def main() -> None:
    """Run the command line of lilygames with such connections."""
    Connection.failpoint = Failpoint(os.environ.get("STORM_DIES_AT", ""))
    sqlite3.connect = partial(sqlite3.connect, factory=Connection)
    if os.environ.get("FUZZ_PLANT") == EARLY:
        SqliteStore._commit = acknowledge_early  # noqa: SLF001 - as above
    cli.main()


if __name__ == "__main__":
    main()
