"""The costliest moves that reviews have found: a record of the last twenty for each account. Only its owner sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from lilygames import codec
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store

KIND = "mistakes"
"""The kind of the records, by account key."""
KEPT = 20


@attrs.frozen
class CostlyMove:
    """A move that the strongest bot would have made otherwise, by its step in the replay."""

    game: str
    table: int
    step: int
    part: str
    """The part of the game: `Round 3`; empty if it has none."""
    made: str
    """The move as it was typed, and the better one."""
    better: str
    cost: int
    """How much better that was by the bot's calculation, in hundredths of the game's unit."""
    at: int
    """When the review found it, in seconds since 1970."""


@attrs.frozen
class _Stored:
    moves: tuple[CostlyMove, ...] = ()


class CostlyMoves:
    """Everyone's costliest moves in the store."""

    def __init__(self, store: Store, key_of: Callable[[str], str], unreadable: UnreadableRows) -> None:
        self._store = store
        self._key_of = key_of
        self._unreadable = unreadable

    async def of(self, name: str) -> Sequence[CostlyMove]:
        """Return someone's costliest moves, the latest review first. Raises `StoreUnavailable`."""
        key = self._key_of(name)
        return self._read(key, await self._store.find(KIND, key)) or ()

    async def found(self, name: str, table: int, moves: Sequence[CostlyMove]) -> None:
        """Keep what a review of a table has found instead of what the last one did. Raises `StoreUnavailable`."""
        key = self._key_of(name)
        while True:
            body = await self._store.find(KIND, key)
            if (known := self._read(key, body)) is None and body is not None:
                await self._store.keep("unreadable", f"{KIND}/{key}", body)
            others = (one for one in known or () if one.table != table)
            kept = _Stored((*moves, *others)[:KEPT])
            if await self._store.swap(KIND, key, body, codec.to_text(kept)):
                return

    def _read(self, key: str, body: str | None) -> Sequence[CostlyMove] | None:
        """Return the moves in a record; None if there is none, or it can't be read."""
        if body is None:
            return None
        try:
            stored: _Stored = codec.from_text(body, _Stored)
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return None
        return stored.moves
