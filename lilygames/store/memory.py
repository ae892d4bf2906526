"""The store that forgets at the end: for tests, for trying things out, and to say what the others must do."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import attrs

from lilygames.store import Conflict, Draft, Entry, Page, Unavailable


@attrs.frozen
class Fault:
    """A failure to come: at the next call of this name ("" for any), after its work `landed` or before."""

    error: Exception
    call: str
    landed: bool


class MemoryStore:
    """Everything in dictionaries. `clock` gives the time of entries in UTC seconds."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._logs: defaultdict[str, list[Entry]] = defaultdict(list)
        self._landed: dict[tuple[str, str], tuple[Entry, ...]] = {}
        self._records: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._faults: list[Fault] = []
        self._closed = False

    def fail_next(self, error: Exception, *, call: str = "", landed: bool = False) -> None:
        """Make the next call raise `error`; with `call` (`append`, `keep`, ...) the next of that name.

        With `landed` the work is done and only its answer is lost, as when a connection breaks after the commit.
        """
        self._faults.append(Fault(error, call, landed))

    def _fault(self, call: str) -> Fault | None:
        due = next((fault for fault in self._faults if fault.call in ("", call)), None)
        if due:
            self._faults.remove(due)
        return due

    @asynccontextmanager
    async def _call(self, name: str) -> AsyncIterator[None]:
        await asyncio.sleep(0)  # others get a turn here, as they do with an engine that has to wait for a disk
        if self._closed:
            raise Unavailable("The store is closed: open it again first.")
        fault = self._fault(name)
        if fault and not fault.landed:
            raise fault.error
        yield
        if fault:
            raise fault.error

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], *, cmd: str) -> tuple[Entry, ...]:
        """Append all drafts together; see `Store.append`. Raises `ValueError` for text that no engine could write."""
        async with self._call("append"):
            return self._append(log, expected, drafts, cmd)

    def _append(self, log: str, expected: int | None, drafts: Sequence[Draft], cmd: str) -> tuple[Entry, ...]:
        _must_be_text(log, cmd)
        if earlier := self._landed.get((log, cmd)):
            return earlier
        entries = self._logs[log]
        if expected is not None and expected != len(entries):
            raise Conflict(len(entries))
        _must_be_text(*(draft.by + draft.body for draft in drafts))
        at = self._clock()
        fresh = tuple(Entry(seq, at, draft.by, draft.body, cmd) for seq, draft in enumerate(drafts, len(entries) + 1))
        entries.extend(fresh)
        self._landed[log, cmd] = fresh
        return fresh

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries behind position `after`."""
        async with self._call("read"):
            entries, first = self._logs[log], max(after, 0)
            return Page(tuple(entries[first : first + max(limit, 0)]), len(entries))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for those nobody wrote to."""
        async with self._call("heads"):
            return {log: len(self._logs[log]) for log in logs}

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record under its kind and key, in place of an earlier one."""
        async with self._call("keep"):
            _must_be_text(kind, key, body)
            self._records[kind][key] = body

    async def find(self, kind: str, key: str) -> str | None:
        """Return the record kept under kind and key."""
        async with self._call("find"):
            return self._records[kind].get(key)

    async def every(self, kind: str) -> dict[str, str]:
        """Return all records of a kind, in the order of their keys."""
        async with self._call("every"):
            return dict(sorted(self._records[kind].items()))

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        async with self._call("forget"):
            self._records[kind].pop(key, None)

    async def close(self) -> None:
        """Refuse every later call."""
        self._closed = True


def _must_be_text(*texts: str) -> None:
    """Raise `ValueError` for half a surrogate pair, which no disk could take."""
    for text in texts:
        text.encode()
