"""The records that other nodes change while the next process of a reload reads and waits: it isn't a node yet."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from lilygames.bus import Bus, Reconnected
from lilygames.nodes.hints.invalidation import EVERYBODY
from lilygames.store.record_changes import Record

PATIENCE = 5.0
"""Seconds in which the bus must be there."""
ECHO = 0.5
"""Seconds in which the bus must send back what this process sends."""


class EarlyHints:
    """The records of some kinds that hints name. A thread hears them, because nothing else runs a loop all the time.

    `opened` opens the bus. Call `begin` before anything is read.
    """

    def __init__(self, opened: Callable[[], Awaitable[Bus]], kinds: frozenset[str]) -> None:
        self._opened = opened
        self._kinds = kinds
        self._heard: set[Record] = set()
        self._begun = threading.Event()
        self._lost = False
        self._mark = secrets.token_hex(8)
        self._echo: asyncio.Event | None = None
        self._bus: Bus | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="early-hints", daemon=True)

    def begin(self) -> bool:
        """Hear hints from now on; return whether the bus is there."""
        self._thread.start()
        self._lost = not self._begun.wait(PATIENCE) or self._lost
        return not self._lost

    async def end(self) -> frozenset[Record] | None:
        """Hear no more hints, and return the records that nodes have written meanwhile; None if hints may be lost.

        Every hint that was sent before is among them: the bus sends back a mark after it.
        """
        try:
            asked = asyncio.run_coroutine_threadsafe(self._settled(), self._loop)
            heard = await asyncio.wait_for(asyncio.wrap_future(asked), 2 * ECHO)
            asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        except (RuntimeError, TimeoutError):  # the thread has ended
            return None
        return heard

    async def _settled(self) -> frozenset[Record] | None:
        if self._bus is None:
            return None
        self._echo = asyncio.Event()
        await self._bus.publish(EVERYBODY, json.dumps({"from": self._mark, "mark": self._mark}).encode())
        try:
            await asyncio.wait_for(self._echo.wait(), ECHO)
        except TimeoutError:
            self._lost = True
        return None if self._lost else frozenset(self._heard)

    async def _close(self) -> None:
        """End the thread."""
        self._hearing.cancel()
        await asyncio.wait({self._hearing})
        if self._bus:
            await self._bus.close()
        self._loop.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._open())
            self._loop.run_forever()
        finally:
            self._lost = True
            self._begun.set()
            self._loop.close()

    async def _open(self) -> None:
        self._bus = await self._opened()
        self._hearing = self._loop.create_task(self._hear(self._bus))

    async def _hear(self, bus: Bus) -> None:
        async for hint in bus.subscribe(EVERYBODY):
            if isinstance(hint, Reconnected):
                self._lost = self._lost or self._begun.is_set()
                self._begun.set()
            else:
                self._learn(json.loads(hint))

    def _learn(self, hint: Any) -> None:
        match hint:
            case {"mark": self._mark} if self._echo:
                self._echo.set()
            case {"kind": str(kind), "key": str(key)} if kind in self._kinds:
                self._heard.add((kind, key))
