"""Scripted players on plain lines, who record when they saw what."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import defaultdict

_COMMAND = re.compile(rb"\xff(?:[\xfb-\xfe].|[\xf0-\xf9\xef])", re.DOTALL)
PACE = (0.5, 1.5)
"""Minimum and maximum seconds that a player thinks."""


class Player:
    """Someone at one table who makes the first possible move, or none, after a moment."""

    def __init__(self, name: str, port: int, luck: random.Random, pace: tuple[float, float] = PACE) -> None:
        self.name = name
        self.port = port
        self.rows: list[tuple[float, str]] = []
        """Every row shown, with its time."""
        self.moved: list[float] = []
        """When each move was typed."""
        self.gone = False
        self._luck = luck
        self._pace = pace
        self._rest = b""
        self._seen = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self) -> None:
        """Log in as a guest."""
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._tasks.append(asyncio.create_task(self._read(reader)))
        await self.until("login: ")
        self.type(self.name)
        await self.until("as a guest: ")
        self.type("")
        await self.until("in the lobby")
        self.type("/set tags on")

    def type(self, line: str) -> None:
        """Type a line."""
        self._writer.write(line.encode() + b"\r\n")

    async def until(self, words: str, seconds: float = 60.0) -> None:
        """Return once these words have been shown. Raises `TimeoutError`."""
        async with asyncio.timeout(seconds):
            while not (words.encode() in self._rest or any(words in row for _, row in self.rows)):
                self._seen.clear()
                await self._seen.wait()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(65536):
            self._rest += _COMMAND.sub(b"", data)
            *whole, self._rest = self._rest.split(b"\r\n")
            now = time.perf_counter()
            for row in whole:
                self._note(now, row.decode("utf-8", "replace"))
            self._seen.set()
        self.gone = True

    def _note(self, now: float, row: str) -> None:
        self.rows.append((now, row))
        if "] Your turn: " in row:
            asyncio.get_running_loop().call_later(self._luck.uniform(*self._pace), self._move)

    def _move(self) -> None:
        if not self.gone:
            self.moved.append(time.perf_counter())
            self.type(f"/pick {self._luck.choice((0, 1, 1, 1))}")

    def leave(self) -> None:
        """Disconnect."""
        self._writer.transport.abort()
        for task in self._tasks:
            task.cancel()

    def read_of(self, room: str) -> dict[str, list[str]]:
        """Return the rows about a table's game, by the name that comes first in them."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for _, row in self.rows:
            if row.startswith(f"[{room}] ") and not row.endswith(" sits down."):
                found[row.split()[1]].append(row)
        return found
