"""Calm people on a port, in pairs and in their own process: print how long each message takes.

Rows are `WHEN SECONDS WORKED WAITED`, by the machine's monotonic clock. `SECONDS` is the time that the message took.
The other two say how much of it the server's main thread was running, or waiting for a processor. The first row means
that all have logged in. The process ends if a message is lost.

Usage: python calm.py PORT PID
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

COUPLES = (("calm", "quiet"), ("gentle", "placid"), ("mellow", "serene"))
"""Pairs who talk to each other: several, so that a short storm meets enough messages."""
PAUSE = 0.12
"""Seconds between two messages of a pair, which keeps them below the limits."""
LOST = 60
"""Seconds after which a message counts as lost."""

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def entered(port: int, name: str) -> Ends:
    """Log someone in with an account, so that they hear only their partner, and return their connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{name}\r\ncorrect horse\r\ncorrect horse\r\n/notify all off\r\n".encode())
    async with asyncio.timeout(LOST):
        await reader.readuntil(b"/notify all clear")
    return reader, writer


def work(pid: int) -> tuple[float, float]:
    """Return the seconds that a process's main thread has run, and those it waited for a processor."""
    ran, waited, _ = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text("ascii").split()
    return int(ran) / 1e9, int(waited) / 1e9


async def converse(port: int, pid: int) -> None:
    """Log everyone in, and then talk forever."""
    couples = [(await entered(port, name), await entered(port, other), other) for name, other in COUPLES]
    os.write(sys.stdout.fileno(), b"in\n")
    async with asyncio.TaskGroup() as talks:
        for one, two, name in couples:
            talks.create_task(talk(pid, one, two, name))
            await asyncio.sleep(PAUSE / len(COUPLES))


async def talk(pid: int, one: Ends, two: Ends, name: str) -> None:
    """Send numbers from one to the other forever. Raises `EOFError` and `TimeoutError` if one is lost."""
    (reader, writer), (other, other_writer) = one, two
    drained = asyncio.create_task(_drain(reader))
    number = 0
    while not drained.done():
        number += 1
        begin, before = time.monotonic(), work(pid)
        writer.write(f"{name};note {number} ends\r\n".encode())
        async with asyncio.timeout(LOST):
            await _seen(other, f"note {number} ends".encode())
        seconds, after = time.monotonic() - begin, work(pid)
        row = f"{begin} {seconds} {after[0] - before[0]} {after[1] - before[1]}\n"
        os.write(sys.stdout.fileno(), row.encode())  # in one piece: this process may be killed at any time
        await asyncio.sleep(PAUSE)
    other_writer.close()


async def _drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(65536):
        pass


async def _seen(reader: asyncio.StreamReader, mark: bytes) -> None:
    tail = b""
    while mark not in tail:
        data = await reader.read(65536)
        if not data:
            raise EOFError
        tail = tail[-len(mark) :] + data


if __name__ == "__main__":
    asyncio.run(converse(int(sys.argv[1]), int(sys.argv[2])))
