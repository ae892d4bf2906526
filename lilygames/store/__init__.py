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


class TooEarly(Exception):
    """The engine's clock has not come to the time that an append had to wait for; `until` is that time."""

    def __init__(self, until: float) -> None:
        super().__init__(until)
        self.until = until


class StoreUnavailable(Exception):
    """The engine cannot take or give anything now (disk full, gone).

    Nothing was changed, or its answer was lost: the same `cmd` appended again finds out, and never lands twice.
    """


class Damaged(StoreUnavailable):
    """What is kept is not whole; it has been left as it was, and trying again does not help."""


class Replaced(StoreUnavailable):
    """The engine's files, or its database, are not the ones that were opened: what is written now would be lost."""


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
class Effect:
    """A record kept together with the entries that bring it about; a `body` of None forgets the record."""

    kind: str
    key: str
    body: str | None


def check_text(*texts: str | None) -> None:
    """Raise `ValueError` for half a surrogate pair, which no disk could take."""
    for text in texts:
        if text is not None:
            text.encode()


@attrs.frozen
class Append:
    """All that `Store.append` is asked."""

    log: str
    expected: int | None
    drafts: tuple[Draft, ...]
    cmd: str
    not_before: float | None = None
    effects: tuple[Effect, ...] = ()

    def must_be_text(self) -> None:
        """Raise `ValueError` for half a surrogate pair, which no disk could take."""
        check_text(self.log, self.cmd)
        for draft in self.drafts:
            check_text(draft.by, draft.body)
        for effect in self.effects:
            check_text(effect.kind, effect.key, effect.body)


@attrs.frozen
class Page:
    """Some entries of a log in order, and the log's last position (0 for an empty log)."""

    entries: tuple[Entry, ...]
    head: int


class Records(Protocol):
    """The part of a store that is records, each under its kind and key."""

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record durably under its kind and key, in place of an earlier one."""

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""


class Store(Records, Protocol):
    """The one interface of everything that survives; every engine passes the one conformance suite."""

    async def append(
        self,
        log: str,
        expected: int | None,
        drafts: Sequence[Draft],
        *,
        cmd: str,
        not_before: float | None = None,
        effects: Sequence[Effect] = (),
    ) -> tuple[Entry, ...]:
        """Append all drafts together, durably and in sequence, and return them as entries.

        With `expected` they land right behind that position or `Conflict` is raised and none does; None lets the store
        pick the place. `cmd` names the attempt: the same `cmd` again at the same log returns what the first one did.
        Before `not_before` (UTC seconds by the engine's clock) it raises `TooEarly`. `effects` are kept with the
        entries or not at all, and not again by the same `cmd`. Raises `StoreUnavailable` if the engine cannot take it.
        """

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Keep `new` durably in place of `old`; return whether the record is `new` now, and no third one.

        None stands for no record. Of all who swap a record at once one wins, on whatever node; asked again, because
        the answer was lost, it says the same.
        """

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind by key."""

    async def now(self) -> float:
        """Return the time by the engine's clock, in UTC seconds; raises `StoreUnavailable` if nothing could be kept."""

    async def close(self) -> None:
        """Finish what has been queued and let go of the engine."""
