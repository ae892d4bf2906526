"""What survives: logs that are only ever appended to, and records kept under a name. One interface, several engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs


class Conflict(Exception):
    """Somebody else appended first; `head` is the log's last position now: read on and decide again."""

    def __init__(self, head: int) -> None:
        super().__init__(head)
        self.head = head


class Unavailable(Exception):
    """The engine cannot take or give anything now (disk full, gone); nothing was changed."""


@attrs.frozen
class Draft:
    """An entry to be: who makes it and its body, a JSON text."""

    by: str
    body: str


@attrs.frozen
class Entry:
    """An entry of a log: its position (from 1, no gaps), its time (UTC seconds by the engine's clock), its command."""

    seq: int
    at: float
    by: str
    body: str
    cmd: str


@attrs.frozen
class Page:
    """Some entries of a log in order, and the log's last position (0 for an empty log)."""

    entries: tuple[Entry, ...]
    head: int


class Store(Protocol):
    """The one interface of everything that survives; every engine passes the one conformance suite."""

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], *, cmd: str) -> tuple[Entry, ...]:
        """Append all drafts together, durably and in sequence, and return them as entries.

        With `expected` they land right behind that position or `Conflict` is raised and none does; None lets the store
        pick the place. `cmd` names the attempt: the same `cmd` again at the same log returns what the first one did.
        Raises `Unavailable` where the engine cannot take it.
        """

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record durably under its kind and key, in place of an earlier one."""

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind by key."""

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""

    async def close(self) -> None:
        """Finish what has been queued and let go of the engine."""
