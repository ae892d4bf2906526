"""Never behind an absent stranger: two people at a quick table over real sockets, and one alone with bots."""

import asyncio
import json
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]
GAME = "lilypoker"
"""A game that people join in mid-game."""
PROMISED = 75.0
"""Seconds after which someone moves who waits for a silent stranger."""


class Person:
    """Someone in machine mode, who checks or folds while they aren't silent."""

    def __init__(self, reader, writer, name):
        self._reader, self._writer, self.name = reader, writer, name
        self.silent = False
        self.turns = []
        """When they were asked for a move, with the seats that were asked."""
        self.lines = []
        self.type(name, "", "/set machine on")

    def type(self, *lines):
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def live(self):
        while row := await self._reader.readline():
            try:
                said = json.loads(row)
            except ValueError:
                continue
            if "line" in said:
                self.lines.append((time.monotonic(), said["line"]))
            moves = said.get("moves", {})
            if moves.get("turn"):
                self.turns.append(time.monotonic())
                if not self.silent:
                    self.type(f"/at {moves['table']} {moves['moves'][0]}")

    async def until(self, what, seconds):
        """Wait until something is the case."""
        async with asyncio.timeout(seconds):
            while not what():  # noqa: ASYNC110 - a question about what was read, and the time
                await asyncio.sleep(0.1)

    def heard(self, words):
        return any(words in line for _, line in self.lines)


@pytest.fixture
async def people(tmp_path):
    """Return a function that lets guests come to a server."""
    command = (sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", tmp_path / "data")
    server = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL, cwd=ROOT)
    said = (await asyncio.wait_for(server.stdout.readline(), DEADLINE)).decode()
    tasks, writers = [], []

    async def come(name):
        streams = await asyncio.open_connection("127.0.0.1", int(said.rsplit(":", 1)[1]), limit=2**20)
        one = Person(*streams, name)
        writers.append(streams[1])
        tasks.append(asyncio.create_task(one.live()))
        return one

    yield come
    for task, writer in zip(tasks, writers, strict=True):
        task.cancel()
        writer.close()
    server.terminate()
    await server.wait()


@pytest.mark.slow
async def test_nobody_waits_behind_an_absent_stranger_and_someone_alone_thinks_as_long_as_they_like(people):
    olga, bob, alone = [await people(name) for name in ("Olga", "Bob", "Zoe")]
    alone.silent = True
    alone.type("/quick liedie")
    olga.type(f"/quick {GAME}")
    await olga.until(lambda: olga.turns, DEADLINE)
    bob.type(f"/quick {GAME}")
    await bob.until(lambda: len(bob.turns) > 2, 120)
    olga.silent = True
    await olga.until(lambda: time.monotonic() - olga.turns[-1] > 3, 60)  # she is asked, and keeps silent
    asked = olga.turns[-1]
    await bob.until(lambda: bob.turns[-1] > asked, PROMISED)

    assert bob.turns[-1] - asked < PROMISED
    assert olga.heard("You keep others waiting: a bot plays your turn in 20 seconds.")
    assert olga.heard("plays for you. Make a move to take your seat back.")
    assert not any(words in line for _, line in alone.lines for words in ("seconds left", "keep others", "plays for"))
    assert 1 == len(alone.turns)
