"""Names that only one node may give out. Each name has a log, and the node that appends next wins it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable

import structlog

from lilygames.store import Conflict, Draft, Store, StoreUnavailable

log = structlog.get_logger()
FREE = "free"


class Claims:
    """The names that this node has claimed."""

    def __init__(self, store: Store, node: str, lives: Callable[[str], Awaitable[bool]]) -> None:
        """`lives` returns whether a node is alive."""
        self._store = store
        self._node = node
        self._lives = lives
        self._places: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @staticmethod
    def _log(what: str) -> str:
        return f"claim/{what}"

    async def take(self, what: str) -> bool:
        """Claim a name. Return whether this node has it: nobody had it before, or a node that is dead.

        Raises `StoreUnavailable`.
        """
        if self._tasks:  # a name that is being released would be refused
            await asyncio.wait({*self._tasks})
        log = self._log(what)
        head = (await self._store.heads([log]))[log]
        if head:
            (last,) = (await self._store.read(log, head - 1, 1)).entries
            if last.body != FREE and last.by != self._node and await self._lives(last.by):
                return False
        try:
            await self._store.append(log, head, [Draft(self._node, "taken")], cmd=uuid.uuid4().hex)
        except Conflict:
            return False
        self._places[what] = head + 1
        return True

    def free(self, what: str) -> None:
        """Release a claim if this node has it. Returns at once."""
        place = self._places.pop(what, None)
        if place is not None:
            task = asyncio.get_running_loop().create_task(self._freed(self._log(what), place))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _freed(self, name: str, place: int) -> None:
        try:
            await self._store.append(name, place, [Draft(self._node, FREE)], cmd=uuid.uuid4().hex)
        except Conflict:
            pass  # another node has claimed it since
        except StoreUnavailable as problem:
            log.warning("cannot release a claim", claim=name, why=str(problem))
