"""A store in memory, for tests and trial runs. It also shows what the other engines must do."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from operator import attrgetter

import attrs

from lilygames.store import (
    Answered,
    Append,
    Conflict,
    Draft,
    Effect,
    Entry,
    Page,
    StoreUnavailable,
    TooEarly,
    check_text,
)
from lilygames.store.wrapper import append_in_task
from lilygames_rules.changed import maker

_seq = attrgetter("seq")
_entry, _request = maker(Entry), maker(Append)


@attrs.frozen
class Fault:
    """An error to raise in the next call of this name ("" for any), after its work if it `landed`, else before."""

    error: Exception
    call: str
    landed: bool


class _Call:
    """A call of the store: it begins, and then fails if its fault has let it land."""

    __slots__ = ("_begins", "_fault")

    def __init__(self, begins: Coroutine[None, None, Fault | None]) -> None:
        self._begins = begins
        self._fault: Fault | None = None

    async def __aenter__(self) -> None:
        self._fault = await self._begins

    async def __aexit__(self, _: object, problem: object, __: object) -> None:
        if self._fault and problem is None:
            raise self._fault.error


class MemoryStore:
    """A store in dictionaries. `clock` gives the time of entries in UTC seconds."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.entries: defaultdict[str, list[Entry]] = defaultdict(list)
        """The entries by log. Tests look at them, and damage them."""
        self._landed: dict[tuple[str, str], tuple[Entry, ...]] = {}
        self.records: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """The bodies of records by kind and key; the same."""
        self._faults: list[Fault] = []
        self._closed = False

    def fail_next(self, error: Exception, *, call: str = "", landed: bool = False) -> None:
        """Make the next call raise `error`; with `call` (`append`, `keep`, ...), the next call of that name.

        With `landed` the work is done and only the answer is lost, as if a connection broke after the commit.
        """
        self._faults.append(Fault(error, call, landed))

    def _fault(self, call: str) -> Fault | None:
        due = next((fault for fault in self._faults if fault.call in ("", call)), None)
        if due:
            self._faults.remove(due)
        return due

    async def _begin(self, call: str) -> Fault | None:
        await asyncio.sleep(0)  # other tasks run here, as they do while a real engine waits for its disk
        if self._closed:
            raise StoreUnavailable("The store is closed: open it again first.")
        fault = self._fault(call) if self._faults else None
        if fault and not fault.landed:
            raise fault.error
        return fault

    def _call(self, name: str) -> _Call:
        return _Call(self._begin(name))

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
        """Append all drafts; see `Store.append`. Raises `ValueError` for text that can't be written."""
        async with self._call("append"):
            call = _request(log, expected, tuple(drafts), cmd, not_before, tuple(effects))
            call.must_be_text()
            return self._landed.get((log, cmd)) or self._append(call)

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append and tell the answer; see `Store.append_soon`."""
        call.must_be_text()
        append_in_task(self, call, answered)

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs; see `Store.append_each`. Raises `ValueError` if a text can't be written."""
        async with self._call("append_each"):
            calls = [_request(log, None, tuple(some), cmd, None, ()) for log, some in drafts.items()]
            for call in calls:
                call.must_be_text()
            return {call.log: self._landed.get((call.log, cmd)) or self._append(call) for call in calls}

    def _append(self, call: Append) -> tuple[Entry, ...]:
        entries, head = self.entries[call.log], self._head(call.log)
        if call.expected is not None and call.expected != head:
            raise Conflict(head)
        at = self._clock()
        if call.not_before is not None and at < call.not_before:
            raise TooEarly(call.not_before)
        drafts = enumerate(call.drafts, head + 1)
        fresh = tuple([_entry(seq, at, draft.by, draft.body, call.cmd) for seq, draft in drafts])
        entries.extend(fresh)
        self._landed[call.log, call.cmd] = fresh
        for effect in call.effects:
            self._keep(effect)
        return fresh

    def _keep(self, effect: Effect) -> None:
        if effect.body is None:
            self.records[effect.kind].pop(effect.key, None)
        else:
            self.records[effect.kind][effect.key] = effect.body

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`."""
        async with self._call("read"):
            entries = self.entries[log]
            first = bisect_right(entries, after, key=_seq)
            return Page(tuple(entries[first : first + max(limit, 0)]), self._head(log))

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log; see `Store.entries_at`."""
        async with self._call("entries_at"):
            wanted = {*positions}
            return tuple(entry for entry in self.entries[log] if entry.seq in wanted)

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        async with self._call("heads"):
            return {log: self._head(log) for log in logs}

    def _head(self, log: str) -> int:
        entries = self.entries[log]
        return entries[-1].seq if entries else 0

    async def logs(self, prefix: str, after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return names of logs; see `Store.logs`."""
        async with self._call("logs"):
            named = (log for log, entries in self.entries.items() if entries and log > max(prefix, after))
            return tuple(sorted(log for log in named if log.startswith(prefix))[: max(limit, 0)])

    async def trim(self, log: str, through: int, blank: str) -> None:
        """Delete old entries; see `Store.trim`."""
        async with self._call("trim"):
            check_text(log, blank)
            entries = self.entries[log]
            gone = entries[: bisect_right(entries, through, key=_seq)]
            if gone and gone[-1] is entries[-1]:
                entries[-1] = attrs.evolve(gone.pop(), by="", body=blank)
            del entries[: len(gone)]
            for cmd in {entry.cmd for entry in (*gone, *entries[:1])}:
                self._landed[log, cmd] = tuple(entry for entry in entries if entry.cmd == cmd)

    async def rewrite(self, log: str, entries: Sequence[Entry]) -> None:
        """Replace the authors and bodies of entries; see `Store.rewrite`."""
        async with self._call("rewrite"):
            check_text(*(text for entry in entries for text in (entry.by, entry.body)))
            new = {entry.seq: entry for entry in entries}
            known = self.entries[log]
            for place, old in enumerate(known):
                if old.seq in new:
                    known[place] = attrs.evolve(old, by=new[old.seq].by, body=new[old.seq].body)
            for cmd in {entry.cmd for entry in known}:
                self._landed[log, cmd] = tuple(entry for entry in known if entry.cmd == cmd)

    async def erase(self, log: str) -> None:
        """Delete a log; see `Store.erase`."""
        async with self._call("erase"):
            self.entries.pop(log, None)
            self._landed = {attempt: entries for attempt, entries in self._landed.items() if attempt[0] != log}

    async def size(self) -> int:
        """Return the characters of all entries and records."""
        async with self._call("size"):
            entries = sum(len(entry.body) for log in self.entries.values() for entry in log)
            return entries + sum(len(body) for kind in self.records.values() for body in kind.values())

    async def vacuum(self, most: int) -> int:  # noqa: ARG002 - there is no disk
        """Return 0."""
        async with self._call("vacuum"):
            return 0

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record, replacing an earlier one."""
        async with self._call("keep"):
            (kind + key + body).encode()
            self._keep(Effect(kind, key, body))

    async def find(self, kind: str, key: str) -> str | None:
        """Return a record's body, or None if it doesn't exist."""
        async with self._call("find"):
            return self.records[kind].get(key)

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`."""
        async with self._call("swap"):
            check_text(kind, key, old, new)
            if self.records[kind].get(key) == old:
                self._keep(Effect(kind, key, new))
            return self.records[kind].get(key) == new

    async def every(self, kind: str, first: str = "", limit: int | None = None) -> dict[str, str]:
        """Return all records of a kind, or a page of them; see `Store.every`."""
        async with self._call("every"):
            return dict(sorted((key, body) for key, body in self.records[kind].items() if key >= first)[:limit])

    async def find_each(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the records of a kind with these keys; missing ones are left out."""
        async with self._call("find_each"):
            records = self.records[kind]
            return {key: records[key] for key in keys if key in records}

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        async with self._call("every_of"):
            return {kind: dict(sorted(self.records[kind].items())) for kind in kinds}

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        async with self._call("forget"):
            self._keep(Effect(kind, key, None))

    async def now(self) -> float:
        """Return the time by the clock, in UTC seconds."""
        async with self._call("now"):
            return self._clock()

    async def close(self) -> None:
        """Refuse all later calls."""
        self._closed = True
