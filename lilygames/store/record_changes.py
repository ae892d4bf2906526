"""Records that a server writes when the next process of a reload has read them already, and must read them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lilygames.store import Answered, Append, Draft, Entry, Store
from lilygames.store.wrapper import Through

Record = tuple[str, str]
"""The kind and the key of a record."""


class RecordChanges(Through):
    """A store that notes each record of some kinds that is written through it, from `begin` on.

    The next process reads all records after `begin`. When nobody writes any longer, it reads those that were `changed`
    once more. Then it has every record as it is. A write that began before `begin` may end later, so it counts, too.
    A kind such as `names/5` counts as `names`.
    """

    def __init__(self, store: Store, kinds: frozenset[str]) -> None:
        super().__init__(store)
        self._kinds = kinds
        self._notes = False
        self._finished: set[Record] = set()
        self._unfinished: Counter[Record] = Counter()

    def begin(self) -> None:
        """Note records from now on."""
        self._notes = True
        self._finished.clear()

    def end(self) -> None:
        """Stop noting."""
        self._notes = False
        self._finished.clear()

    @property
    def changed(self) -> tuple[Record, ...]:
        """The records that were written since `begin`, or may be. It is the same after a write that failed."""
        return tuple(sorted(self._finished | self._unfinished.keys()))

    @contextmanager
    def _noted(self, records: Iterable[Record]) -> Iterator[None]:
        mine = [record for record in records if record[0].partition("/")[0] in self._kinds]
        self._unfinished.update(mine)
        try:
            yield
        finally:
            self._unfinished -= Counter(mine)
            if self._notes:
                self._finished.update(mine)

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any) -> tuple[Entry, ...]:
        """Append all drafts; see `Store.append`."""
        if not more.get("effects"):
            return await super().append(log, expected, drafts, **more)
        with self._noted((effect.kind, effect.key) for effect in more["effects"]):
            return await super().append(log, expected, drafts, **more)

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append and tell the answer; see `Store.append_soon`."""
        if call.effects:  # few moves have any
            super().append_soon(call, answered)
        else:
            self.store.append_soon(call, answered)

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record, replacing an earlier one."""
        with self._noted([(kind, key)]):
            await super().keep(kind, key, body)

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`."""
        with self._noted([(kind, key)]):
            return await super().swap(kind, key, old, new)

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        with self._noted([(kind, key)]):
            await super().forget(kind, key)
