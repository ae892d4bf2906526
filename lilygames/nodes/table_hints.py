"""The hints about tables that this node follows: each table has a topic, so no node hears of any other table."""

from __future__ import annotations

import asyncio

from lilygames.bus import Bus, Reconnected, Subscription

Hint = tuple[int, bytes | Reconnected]
"""A table's number, and a hint about it. `Reconnected` says that earlier hints may have been lost."""


class TableHints:
    """A stream of hints about the tables that this node follows. Implements `lilygames.tables.open_tables.Followed`."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._subscriptions: dict[int, Subscription] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard: asyncio.Queue[Hint] = asyncio.Queue()

    def opened(self, number: int) -> None:
        """Hear of a table from now on."""
        if number not in self._subscriptions:
            hints = self._subscriptions[number] = self._bus.subscribe(f"table/{number}")
            task = asyncio.get_running_loop().create_task(self._pass_on(number, hints))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def dropped(self, number: int) -> None:
        """Hear of a table no more."""
        if hints := self._subscriptions.pop(number, None):
            hints.close()

    async def _pass_on(self, number: int, hints: Subscription) -> None:
        async for hint in hints:
            self._heard.put_nowait((number, hint))

    def __aiter__(self) -> TableHints:
        return self

    async def __anext__(self) -> Hint:
        return await self._heard.get()
