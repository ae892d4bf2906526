"""Compare and set many records in one statement: those that are asked for in one turn of the event loop.

A node that has just started writes the rows of all its tables again. One by one, 400 rows take 18 times as long:
each commit waits for the disk. To remove this, let `PostgresStore.swap` write each record by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import attrs

from lilygames.store import StoreUnavailable

_SWAP = """
WITH asked AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS a (kind, key, old, new)),
locked AS (
  SELECT kind, key FROM record r JOIN asked a USING (kind, key) WHERE r.body = a.old ORDER BY kind, key FOR UPDATE OF r
)
UPDATE record r SET body = a.new FROM asked a JOIN locked USING (kind, key)
WHERE r.kind = a.kind AND r.key = a.key RETURNING r.kind, r.key
"""
"""Writes the records that are as expected. Two nodes lock theirs in the same order, so none waits for the other."""
_THERE = """
SELECT r.kind, r.key FROM record r
JOIN unnest($1::text[], $2::text[], $3::text[]) AS a (kind, key, body) USING (kind, key) WHERE r.body = a.body
"""


@attrs.frozen(eq=False)
class _Swap:
    """A record to write: its kind and key, the old and the new body, and the future of the caller."""

    kind: str
    key: str
    old: str
    new: str
    done: asyncio.Future[bool]

    def answer(self, *, is_new: bool) -> None:
        """Set the caller's result, unless the caller has stopped waiting."""
        if not self.done.done():
            self.done.set_result(is_new)

    def fail(self, problem: StoreUnavailable) -> None:
        """Set the caller's exception, unless the caller has stopped waiting."""
        if not self.done.done():
            self.done.set_exception(problem)


class Swaps:
    """The records to write at the end of this turn. `ask` runs a function with a connection, as the store does."""

    def __init__(self, ask: Callable[[Callable[[Any], Awaitable[None]]], Awaitable[None]]) -> None:
        self._ask = ask
        self._waiting: dict[tuple[str, str], _Swap] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def swap(self, kind: str, key: str, old: str, new: str) -> bool:
        """Write `new` if a record is `old`, and return whether it is `new` now. Raises `StoreUnavailable`.

        All text is encoded for PostgreSQL.
        """
        loop = asyncio.get_running_loop()
        one = _Swap(kind, key, old, new, loop.create_future())
        if (kind, key) in self._waiting:
            self._begin()
        if not self._waiting:
            loop.call_soon(self._begin)
        self._waiting[kind, key] = one
        return await one.done

    def _begin(self) -> None:
        """Write what waits, in a task of its own."""
        some, self._waiting = [one for one in self._waiting.values() if not one.done.cancelled()], {}
        if some:
            task = asyncio.get_running_loop().create_task(self._written(some))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _written(self, some: list[_Swap]) -> None:
        """Write records together; if that fails, each by itself, so that none fails because of another."""
        kinds, keys = [one.kind for one in some], [one.key for one in some]
        olds, news = [one.old for one in some], [one.new for one in some]
        new: set[tuple[str, str]] = set()

        async def ask(connection: Any) -> None:
            new.update(map(tuple, await connection.fetch(_SWAP, kinds, keys, olds, news)))
            if len(new) < len(some):  # a record that is already new was perhaps written before an answer was lost
                new.update(map(tuple, await connection.fetch(_THERE, kinds, keys, news)))

        try:
            await self._ask(ask)
        except StoreUnavailable as problem:
            if len(some) == 1:
                some[0].fail(problem)
                return
            for one in some:
                await self._written([one])
        else:
            for one in some:
                one.answer(is_new=(one.kind, one.key) in new)
