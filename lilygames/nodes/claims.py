"""Names that one node alone may give out: a log for each, whose next place is won by one."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import structlog

from lilygames.store import Conflict, Draft, Store, StoreUnavailable

log = structlog.get_logger()
FREE = "free"


class Claims:
    """What this node has claimed, and may claim."""

    def __init__(self, store: Store, node: str, lives: Callable[[str], bool]) -> None:
        self._store = store
        self._node = node
        self._lives = lives
        self._places: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @staticmethod
    def _log(what: str) -> str:
        return f"claim/{what}"

    async def take(self, what: str) -> bool:
        """Claim something; return whether it is this node's now: nobody's before, or that of a node that is dead.

        Raises `StoreUnavailable`.
        """
        log = self._log(what)
        head = (await self._store.heads([log]))[log]
        if head:
            (last,) = (await self._store.read(log, head - 1, 1)).entries
            if last.body != FREE and last.by != self._node and self._lives(last.by):
                return False
        try:
            await self._store.append(log, head, [Draft(self._node, "taken")], cmd=uuid.uuid4().hex)
        except Conflict:
            return False
        self._places[what] = head + 1
        return True

    def free(self, what: str) -> None:
        """Let go of a claim, if it is this node's; returns at once."""
        place = self._places.pop(what, None)
        if place is not None:
            task = asyncio.get_running_loop().create_task(self._freed(self._log(what), place))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _freed(self, name: str, place: int) -> None:
        try:
            await self._store.append(name, place, [Draft(self._node, FREE)], cmd=uuid.uuid4().hex)
        except Conflict:
            pass  # somebody else has claimed it since: it is theirs
        except StoreUnavailable as problem:
            log.warning("a claim cannot be let go of", claim=name, why=str(problem))
