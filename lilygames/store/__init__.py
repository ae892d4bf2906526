"""Storage interface: append-only logs, and records found by kind and key. Several engines implement it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs


class Conflict(Exception):
    """Another append came first. `head` is the log's last position now: read on and decide again."""

    def __init__(self, head: int) -> None:
        super().__init__(head)
        self.head = head


class TooEarly(Exception):
    """The append isn't due yet by the engine's clock. `until` is the time it had to wait for."""

    def __init__(self, until: float) -> None:
        super().__init__(until)
        self.until = until


class StoreUnavailable(Exception):
    """The engine can't read or write now, for example because its disk is full or it doesn't answer.

    Either nothing was changed, or the answer was lost. Appending again with the same `cmd` finds out which, and never
    writes twice.
    """


class Damaged(StoreUnavailable):
    """The data is damaged. It was left as it is, and trying again doesn't help."""


class Replaced(StoreUnavailable):
    """The engine's files or database were replaced after they were opened: new writes would be lost."""


def is_outage(problem: Exception) -> bool:
    """Return whether an error may be gone when the store is asked again: damage stays."""
    return isinstance(problem, StoreUnavailable) and not isinstance(problem, Damaged)


@attrs.frozen
class Draft:
    """An entry to append: its author and its body, a JSON text."""

    by: str
    body: str


@attrs.frozen
class Entry:
    """An entry of a log: its position (from 1, no gaps), time (UTC seconds by the engine's clock) and command."""

    seq: int
    at: float
    by: str
    body: str
    cmd: str


@attrs.frozen
class Effect:
    """A record to write in the same transaction as some entries. A `body` of None deletes the record."""

    kind: str
    key: str
    body: str | None


def check_text(*texts: str | None) -> None:
    """Raise `ValueError` for an unpaired surrogate, which can't be encoded."""
    for text in texts:
        if text is not None:
            text.encode()


@attrs.frozen
class Append:
    """The arguments of `Store.append`."""

    log: str
    expected: int | None
    drafts: tuple[Draft, ...]
    cmd: str
    not_before: float | None = None
    effects: tuple[Effect, ...] = ()

    def must_be_text(self) -> None:
        """Raise `ValueError` for an unpaired surrogate, which can't be encoded."""
        texts: list[str | None] = [self.log, self.cmd]
        for draft in self.drafts:
            texts += draft.by, draft.body
        for effect in self.effects:
            texts += effect.kind, effect.key, effect.body
        check_text(*texts)


class Answered(Protocol):
    """Something that waits for the answer to an `append_soon`."""

    def finish(self, answer: tuple[Entry, ...] | Exception) -> None:
        """Take the entries, or the error that `append` would raise."""


@attrs.frozen
class Page:
    """Some entries of a log in order, and the log's last position (0 for an empty log).

    If the log was trimmed, positions are missing at its beginning.
    """

    entries: tuple[Entry, ...]
    head: int


class Records(Protocol):
    """Key-value records, each with a kind and a key."""

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record durably, replacing an earlier one."""

    async def find(self, kind: str, key: str) -> str | None:
        """Return a record's body, or None if it doesn't exist."""

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""


class BulkReads(Protocol):
    """Much that is read at once, as a start does."""

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log, in the log's order; missing ones are left out."""

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key; kinds without records have an empty dictionary."""


class Store(Records, BulkReads, Protocol):
    """Durable storage. Every engine passes the same tests in `tests/store/`."""

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
        """Append all drafts durably and in order, and return them as entries.

        If `expected` isn't the log's last position, raise `Conflict` and append nothing; None appends at the end in any
        case. `cmd` identifies the attempt: the same `cmd` again in the same log returns what the first attempt wrote.
        Raise `TooEarly` before `not_before` (UTC seconds by the engine's clock). `effects` are written in the same
        transaction, and only once per `cmd`. Raise `StoreUnavailable` if the engine can't write.
        """

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append what `call` says, and tell `answered` in a later turn of the event loop. It takes no task of its own.

        The answer is what `append` returns or raises. Nothing is told if the event loop ends first. Raises what
        `append` raises for text that can't be written.
        """

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts at the ends of several logs, as one attempt in each, and return the entries by log.

        If it raises `StoreUnavailable`, some of the logs may have them. Fifty logs at once take 0.7 of the CPU time
        that they take one by one.
        """

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`."""

    async def logs(self, prefix: str, after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return up to `limit` names of logs that begin with `prefix` and follow `after`, in the order of their code.

        A name must be longer than the prefix. The time depends on the limit, not on how long the logs are.
        """

    async def trim(self, log: str, through: int, blank: str) -> None:
        """Delete the entries of a log up to position `through`, durably and together.

        A log's last entry stays so that no position is given twice, but without its author and with the body `blank`.
        Commands of deleted entries are forgotten: trim only what is so old that nobody tries to append it again.
        Trimming again changes nothing.
        """

    async def rewrite(self, log: str, entries: Sequence[Entry]) -> None:
        """Replace the authors and bodies of entries durably, for instance to delete a name. All else stays the same.

        Entries that aren't in the log are skipped.
        """

    async def erase(self, log: str) -> None:
        """Delete a log durably. Its positions begin again, and its commands count as new."""

    async def size(self) -> int:
        """Return the bytes that the engine uses on its disk, with space that it could use again."""

    async def vacuum(self, most: int) -> int:
        """Return up to `most` bytes that aren't used any more to the disk, and how many these were.

        It takes milliseconds for a megabyte. 0 means that there are none, or that the engine does this by itself.
        """

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set: write `new` durably if the record is `old`; return whether the record is `new` now.

        None means no record. If several nodes swap a record at once, one of them wins. You can repeat a call whose
        answer was lost: the result is the same.
        """

    async def every(self, kind: str, first: str = "", limit: int | None = None) -> dict[str, str]:
        """Return up to `limit` records of a kind, or all, in the order of their keys, from the key `first` on."""

    async def find_each(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the records of a kind with these keys, at most a few thousand; missing ones are left out.

        Forty records at once take as long as one.
        """

    async def now(self) -> float:
        """Return the engine's time in UTC seconds. Raise `StoreUnavailable` if the engine can't write."""

    async def close(self) -> None:
        """Finish queued writes and close the engine."""
