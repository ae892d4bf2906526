"""People for a soak test: they come, talk, move between rooms, play with bots and with each other, and leave."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import attrs

PASSWORD = "correct horse"  # noqa: S105 - of people who live for an hour
ROOMS = 12
"""Rooms that people walk between."""
WORDS = "does anyone want to play another round of cards before the kettle boils and bob goes home again".split()


@attrs.define
class Crowd:
    """Everyone of a soak test, and how much they have done."""

    port: int
    titles: Sequence[str]
    players: asyncio.Semaphore
    """How many may be at a table of their own at once."""
    pause: float
    """Mean seconds between two things that someone does."""
    visits: float = float("inf")
    """After so many visits nobody comes back."""
    longest: int = 40
    """The most that someone does in a visit."""
    joins: int = 0
    moves: int = 0
    games: int = 0
    lines: int = 0


class Person:
    """Someone who comes back again and again: with an account, or each time as another guest."""

    def __init__(self, number: int, crowd: Crowd) -> None:
        self.number, self.crowd = number, crowd
        self.luck = random.Random(number)  # noqa: S311 - it chooses what to type
        self.name = f"Soaker{'abcdefghijklmnopqrstuvwxyz'[number % 26]}{number}" if number % 3 else "guest"
        self.known = False

    async def live(self) -> None:
        """Visit until cancelled, or until the crowd has visited often enough."""
        await asyncio.sleep(self.luck.random() * self.crowd.pause * 5)
        while self.crowd.visits > 0:
            self.crowd.visits -= 1
            with suppress(OSError, EOFError, TimeoutError):
                await self._visit()
            await asyncio.sleep(self.luck.expovariate(1 / self.crowd.pause))

    async def _visit(self) -> None:
        ours = (f"127.{1 + self.number // 200}.{self.number % 200}.1", 0)  # or the limits of one address would be met
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.crowd.port, limit=2**20, local_addr=ours)
        reading: asyncio.Task[None] | None = None
        self.moves: dict[str, Any] = {}
        self.over = asyncio.Event()
        self._turn = asyncio.Event()
        try:
            for line in self._login():
                self._type(line)
            self.known = self.name != "guest"
            self._type("/set machine on")
            self.crowd.joins += 1
            reading = asyncio.create_task(self._read(reader))
            for _ in range(self.luck.randint(min(5, self.crowd.longest), self.crowd.longest)):
                await self._do_something()
                if reading.done():
                    return
                await asyncio.sleep(self.luck.expovariate(1 / self.crowd.pause))
            if self.luck.random() < 0.5:  # noqa: PLR2004 - the others drop their connection
                self._type("/bye")
                await asyncio.sleep(0.1)
        finally:
            if reading:
                reading.cancel()
            self._writer.transport.abort()

    def _login(self) -> list[str]:
        if self.name == "guest":
            return ["guest", ""]
        return [f"{self.name} {PASSWORD}"] if self.known else [self.name, PASSWORD, PASSWORD]

    async def _do_something(self) -> None:
        match self.luck.random():
            case chance if chance < 0.55:  # noqa: PLR2004 - talk
                self._type(" ".join(self.luck.choices(WORDS, k=self.luck.randint(2, 9))))
                self.crowd.lines += 1
            case chance if chance < 0.7:  # noqa: PLR2004 - look about
                self._type(self.luck.choice(("/who", "/tables", "/help", "/review 20", "/stats", "/what", "/news")))
            case chance if chance < 0.85:  # noqa: PLR2004 - another room
                self._type(f"/join room{self.luck.randrange(ROOMS)}")
                self.crowd.joins += 1
            case _ if not self.crowd.players.locked():
                async with self.crowd.players:
                    await self._play()

    async def _play(self) -> None:
        """Play a game against bots, for a while at least: some leave in the middle of it."""
        self.over.clear()
        self._type(f"/quick {self.luck.choice(self.crowd.titles)}")
        self._type("/start")
        for _ in range(self.luck.choice((self.crowd.longest // 4, 60, 60, 60))):
            self._turn.clear()
            if self.moves.get("turn") and self.moves["moves"]:
                self._type(f"/at {self.moves['table']} {self.luck.choice(self.moves['moves'])}")
                self.crowd.moves += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(min(5, 50 * self.crowd.pause)):
                    await self._turn.wait()
            if self.over.is_set():
                self.crowd.games += 1
                break
        self._type("/leave")
        self._type("yes")
        self._type("/join lobby")

    def _type(self, line: str) -> None:
        self._writer.write(f"{line}\r\n".encode())

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while row := await reader.readline():
            start = row.find(b"{")
            said: Any = None
            with suppress(ValueError):
                said = json.loads(row[start:]) if start >= 0 else None
            for name, value in said.items() if isinstance(said, dict) else ():
                self._take(name, value)

    def _take(self, name: str, value: Any) -> None:
        if name == "moves":
            self.moves = value
            self._turn.set()
        elif name == "table" and value.get("state") == "over":
            self.over.set()
            self._turn.set()
