"""A server with a tournament of its own in the next minutes, and one visitor over a real socket."""

import asyncio
import json
import re
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]

THINKS = 1.0
"""Seconds that the visitor takes for a move."""
LATE = 5.0
"""Seconds that a start, a table or a line may be late on a busy machine."""
LASTS = 25 * 60.0


class Visitor:
    """A guest in machine mode who plays the first listed move, and remembers when each line came."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer
        self.lines = []

    def type(self, line):
        self._writer.write(f"{line}\r\n".encode())

    async def until(self, pattern, seconds):
        """Play until a line has this pattern, and return the time and the match."""
        async with asyncio.timeout(seconds):
            while True:
                for at, line in self.lines:
                    if found := re.search(pattern, line):
                        self.lines.remove((at, line))
                        return at, found
                self._read(await self._reader.readline())

    def _read(self, row):
        assert row, "the connection was lost"
        try:
            said = json.loads(row)
        except ValueError:
            return
        if "line" in said:
            self.lines.append((time.time(), said["line"]))
        moves = said.get("moves", {})
        if moves.get("turn"):
            line = f"/at {moves['table']} {moves['moves'][0]}"
            asyncio.get_running_loop().call_later(THINKS, self.type, line)


@pytest.fixture
async def serve(tmp_path):
    """Return a function that starts a server, which is stopped at the end, and returns its port."""
    started = []

    async def start(*options):
        command = (sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", tmp_path / "data", *options)
        started.append(await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL, cwd=ROOT))
        said = (await asyncio.wait_for(started[0].stdout.readline(), DEADLINE)).decode()
        return int(said.rsplit(":", 1)[1])

    yield start
    for process in started:
        process.terminate()
        await process.wait()


def next_minute():
    """Return a minute that begins in at least 20 seconds, as a UTC time."""
    soon = datetime.now(UTC) + timedelta(seconds=80)
    return soon.replace(second=0, microsecond=0)


async def played(serve, game):
    """Join an arena and play three games; return the seconds that it began late, until bots came, and of each end."""
    starts = next_minute()
    port = await serve("--tournaments", f"hourly :{starts:%M} {game} arena minutes=25")
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    visitor = Visitor(reader, writer)
    for line in ("guest", "/set machine on", "/tournament", "/tournament join"):
        visitor.type(line)
    await visitor.until(rf"{game}-arena: {game} arena, lasts 25 minutes, begins ", LATE)
    await visitor.until(rf"you have joined {game}-arena, which begins ", LATE)
    began, _ = await visitor.until(rf"{game}-arena: the arena begins\.", 90)
    ready, _ = await visitor.until(rf"{game}-arena: your table is #1 with 3 bots\.", 20)
    ends = [(await visitor.until(rf"{game}-arena: table {number} is done:", LASTS))[0] for number in (1, 2, 3)]
    writer.close()

    return began - starts.timestamp(), ready - began, [end - began for end in ends]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["liedie", "ohell", "liarsdice"])
async def test_visitor_has_three_games_of_an_arena_that_begins_on_time_with_bots_after_8_seconds(serve, game):
    late, bots, ends = await played(serve, game)

    assert 0 <= late < LATE
    assert 8 <= bots < 8 + LATE
    assert ends[-1] < LASTS
