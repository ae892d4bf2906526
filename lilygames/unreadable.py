"""Records and log entries that cannot be read: each is reported once, with a case number, and skipped."""

from __future__ import annotations

from hashlib import sha256

import structlog

log = structlog.get_logger()


def case_of(what: str) -> str:
    """Return the case number of a trouble: the same after every restart and at every node."""
    return sha256(what.encode()).hexdigest()[:6]


class UnreadableRows:
    """What this process could not read from its store."""

    def __init__(self) -> None:
        self._cases: dict[tuple[str, str], str] = {}

    def __len__(self) -> int:
        return len(self._cases)

    def report(self, kind: str, key: str, problem: Exception) -> str:
        """Return the case number of something that cannot be read; the log names it once.

        The problem is logged by its type alone, since its words may quote what people wrote, or a password's hash.
        """
        if (kind, key) not in self._cases:
            case = self._cases[kind, key] = case_of(f"{kind}/{key}")
            why = type(problem).__name__
            log.error("something in the store cannot be read and is skipped", case=case, kind=kind, key=key, why=why)
        return self._cases[kind, key]

    def case(self, kind: str, key: str) -> str:
        """Return the case number of something that was reported; empty if it was not."""
        return self._cases.get((kind, key), "")

    def repaired(self, kind: str, key: str) -> None:
        """Forget something that can be read again."""
        self._cases.pop((kind, key), None)
