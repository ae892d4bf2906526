"""Values to which each finished table is added exactly once, such as a person's totals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Conflict, Draft, Effect, Store

Value = TypeVar("Value")


@attrs.frozen
class BookedOnce(Generic[Value]):
    """The values of one kind by key, in the store.

    A log for each key lists the tables that were added. The value is a record that is written in the same transaction.
    So adding a table again, after a crash or from another node, changes nothing.
    """

    _store: Store
    _unreadable: UnreadableRows
    kind: str
    """Kind of the records, and how the names of the logs begin."""
    form: type[Value]
    """The class of the values. Calling it without arguments gives the value before the first table."""

    async def find(self, key: str) -> Value:
        """Return the value of a key; an unreadable one is set aside. Raises `StoreUnavailable`."""
        body = await self._store.find(self.kind, key)
        try:
            value: Value = codec.from_text(body, self.form) if body else self.form()
        except ValueError as problem:
            self._unreadable.report(self.kind, key, problem)
            await self._store.keep("unreadable", f"{self.kind}/{key}", body or "")
            return self.form()
        return value

    async def add(self, key: str, table: int, after: Callable[[Value], Value], **noted: Any) -> None:
        """Add a table to a value: `after` returns the value with it. The log entry has what is `noted`, too."""
        log = f"{self.kind}/{key}"
        draft = Draft("table", codec.to_text({"table": table, **noted}))
        while True:
            head = (await self._store.heads([log]))[log]
            effects = [Effect(self.kind, key, codec.to_text(after(await self.find(key))))]
            try:
                await self._store.append(log, head, [draft], cmd=f"table/{table}", effects=effects)
            except Conflict:
                continue
            return
