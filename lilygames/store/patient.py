"""A store that waits for its engine: for a process that people are waiting for, so that an outage doesn't end it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import structlog

from lilygames.store import Damaged, Draft, Entry, Page, Replaced, Store, StoreUnavailable
from lilygames.store.wrapper import Through

T = TypeVar("T")
Errors = tuple[type[StoreUnavailable], ...]
log = structlog.get_logger()
AGAIN = 0.5
"""Seconds before the engine is asked again."""


async def until_it_answers(
    ask: Callable[[], Awaitable[T]], away: Callable[[], None], hopeless: Errors = (Damaged, Replaced)
) -> T:
    """Return what `ask` returns as soon as the store answers; call `away` each time that it doesn't.

    Nothing is written twice: every call of a store may be repeated. Raises an error of the kinds in `hopeless`, because
    waiting doesn't help then.
    """
    told = ""
    while True:
        try:
            return await ask()
        except StoreUnavailable as problem:
            if isinstance(problem, hopeless):
                raise
            if told != str(problem):
                told = str(problem)
                log.error("waiting for the store", why=str(problem))  # noqa: TRY400 - it says what to do
            away()
            await asyncio.sleep(AGAIN)


class PatientStore(Through):
    """A store whose calls wait until the engine answers, until `hurry` is called. `away` is called while they wait."""

    def __init__(self, store: Store, away: Callable[[], None]) -> None:
        super().__init__(store)
        self._away = away
        self._waits = True

    def hurry(self) -> None:
        """Let calls raise `StoreUnavailable` from now on."""
        self._waits = False

    async def _asked(self, ask: Callable[[], Awaitable[T]]) -> T:
        return await (until_it_answers(ask, self._away) if self._waits else ask())

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any) -> tuple[Entry, ...]:
        """Append all drafts; see `Store.append`."""
        return await self._asked(partial(self.store.append, log, expected, drafts, **more))

    async def append_each(self, drafts: Mapping[str, Sequence[Draft]], *, cmd: str) -> dict[str, tuple[Entry, ...]]:
        """Append drafts to several logs; see `Store.append_each`."""
        return await self._asked(partial(self.store.append_each, drafts, cmd=cmd))

    async def read(self, log: str, after: int = 0, limit: int = 1000) -> Page:
        """Return up to `limit` entries after position `after`."""
        return await self._asked(partial(self.store.read, log, after, limit))

    async def entries_at(self, log: str, positions: Sequence[int]) -> tuple[Entry, ...]:
        """Return the entries at these positions of a log."""
        return await self._asked(partial(self.store.entries_at, log, positions))

    async def heads(self, logs: Sequence[str]) -> dict[str, int]:
        """Return the last position of each log, 0 for an empty one."""
        return await self._asked(partial(self.store.heads, logs))

    async def logs(self, prefix: str, after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return names of logs; see `Store.logs`."""
        return await self._asked(partial(self.store.logs, prefix, after, limit))

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Write a record, replacing an earlier one."""
        await self._asked(partial(self.store.keep, kind, key, body))

    async def find(self, kind: str, key: str) -> str | None:
        """Return a record's body, or None if it doesn't exist."""
        return await self._asked(partial(self.store.find, kind, key))

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Compare and set; see `Store.swap`."""
        return await self._asked(partial(self.store.swap, kind, key, old, new))

    async def every(self, kind: str, first: str = "", limit: int | None = None) -> dict[str, str]:
        """Return all records of a kind, or a page of them; see `Store.every`."""
        return await self._asked(partial(self.store.every, kind, first, limit))

    async def find_each(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the records of a kind with these keys; missing ones are left out."""
        return await self._asked(partial(self.store.find_each, kind, keys))

    async def every_of(self, kinds: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return all records of several kinds, by kind and key."""
        return await self._asked(partial(self.store.every_of, kinds))

    async def forget(self, kind: str, key: str) -> None:
        """Delete a record, if there is one."""
        await self._asked(partial(self.store.forget, kind, key))

    async def now(self) -> float:
        """Return the time by the engine's clock, in UTC seconds."""
        return await self._asked(self.store.now)
