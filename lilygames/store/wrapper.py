"""Base class for a store that passes calls on to another one, so that a subclass overrides only what it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Protocol

from lilygames.store import Answered, Append, Draft, Effect, Entry, Page, Store

_TASKS: set[asyncio.Task[None]] = set()
"""Tasks that append: the event loop has only weak references to them."""


def append_in_task(store: Appends, call: Append, answered: Answered) -> None:
    """Append by `store.append`, in a task, and tell the answer: for stores that have no shorter way."""
    task = asyncio.get_running_loop().create_task(_append(store, call, answered))
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)


async def _append(store: Appends, call: Append, answered: Answered) -> None:
    answer: tuple[Entry, ...] | Exception
    try:
        answer = await store.append(
            call.log,
            call.expected,
            call.drafts,
            cmd=call.cmd,
            not_before=call.not_before,
            effects=call.effects,
        )
    except Exception as problem:  # noqa: BLE001 - it is the answer
        answer = problem
    answered.finish(answer)


class Appends(Protocol):
    """A store, as far as it appends."""

    def append(
        self,
        log: str,
        expected: int | None,
        drafts: Sequence[Draft],
        *,
        cmd: str,
        not_before: float | None,
        effects: Sequence[Effect],
    ) -> Coroutine[Any, Any, tuple[Entry, ...]]:
        """Append all drafts; see `Store.append`."""


class Through:
    """Pass every call on to `store`."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def append(
        self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any
    ) -> Coroutine[Any, Any, tuple[Entry, ...]]:
        """Append all drafts; see `Store.append`."""
        return self.store.append(log, expected, drafts, **more)

    def append_soon(self, call: Append, answered: Answered) -> None:
        """Append by this store's own `append`, in a task. A subclass that doesn't change `append` has a shorter way."""
        append_in_task(self, call, answered)

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs; see `Store.append_each`."""
        return await self.store.append_each(drafts, cmd=cmd)

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`."""
        return await self.store.read(log, after, limit)

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log; see `Store.entries_at`."""
        return await self.store.entries_at(log, positions)

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        return await self.store.heads(logs)

    async def logs(self, prefix: str, after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return names of logs; see `Store.logs`."""
        return await self.store.logs(prefix, after, limit)

    async def trim(self, log: str, through: int, blank: str) -> None:
        """Delete old entries; see `Store.trim`."""
        await self.store.trim(log, through, blank)

    async def rewrite(self, log: str, entries: Sequence[Entry]) -> None:
        """Replace the authors and bodies of entries; see `Store.rewrite`."""
        await self.store.rewrite(log, entries)

    async def erase(self, log: str) -> None:
        """Delete a log; see `Store.erase`."""
        await self.store.erase(log)

    async def size(self) -> int:
        """Return the bytes used on the disk."""
        return await self.store.size()

    async def vacuum(self, most: int) -> int:
        """Return unused space to the disk; see `Store.vacuum`."""
        return await self.store.vacuum(most)

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record, replacing an earlier one."""
        await self.store.keep(kind, key, body)

    async def find(self, kind: str, key: str) -> str | None:
        """Return a record's body, or None if it doesn't exist."""
        return await self.store.find(kind, key)

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`."""
        return await self.store.swap(kind, key, old, new)

    async def every(self, kind: str, first: str = "", limit: int | None = None) -> dict[str, str]:
        """Return all records of a kind, or a page of them; see `Store.every`."""
        return await self.store.every(kind, first, limit)

    async def find_each(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the records of a kind with these keys; missing ones are left out."""
        return await self.store.find_each(kind, keys)

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        return await self.store.every_of(kinds)

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        await self.store.forget(kind, key)

    async def now(self) -> float:
        """Return the time by the engine's clock, in UTC seconds."""
        return await self.store.now()

    async def close(self) -> None:
        """Close the other store."""
        await self.store.close()
