"""Records and log entries that can't be read: each is logged once with a case number, and skipped."""

from __future__ import annotations

from hashlib import sha256

import structlog

from lilygames.store import Damaged

log = structlog.get_logger()


def case_of(what: str) -> str:
    """Return the case number of a problem: the same after a restart and on every node."""
    return sha256(what.encode()).hexdigest()[:6]


class UnreadableRows:
    """Rows that this process couldn't read from its store."""

    def __init__(self) -> None:
        self._cases: dict[tuple[str, str], str] = {}

    def __len__(self) -> int:
        return len(self._cases)

    def report(self, kind: str, key: str, problem: Exception) -> str:
        """Return the case number of an unreadable row, and log it the first time.

        Only the problem's type is logged, because its message may quote people's text or a password hash.
        """
        if (kind, key) not in self._cases:
            case = self._cases[kind, key] = case_of(f"{kind}/{key}")
            why = type(problem).__name__
            log.error("a row in the store cannot be read and is skipped", case=case, kind=kind, key=key, why=why)
        return self._cases[kind, key]

    def report_damage(self, kind: str, problem: Damaged) -> str:
        """Return the case number of damage in the store that keeps rows of a kind from being read.

        Log it the first time.
        """
        if (kind, "") not in self._cases:
            case = self._cases[kind, ""] = case_of(f"{kind} damaged")
            why = str(problem)
            log.error("a part of the store is damaged, and its rows are left out", case=case, kind=kind, why=why)
        return self._cases[kind, ""]

    def case(self, kind: str, key: str) -> str:
        """Return the case number of a reported row; empty if it wasn't reported."""
        return self._cases.get((kind, key), "")

    def repaired(self, kind: str, key: str) -> None:
        """Forget a row that can be read again."""
        self._cases.pop((kind, key), None)
