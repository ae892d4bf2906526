"""Attacks on the page, for `scripts/bench-page`: each goes on until it is killed.

Usage: attacks.py NAME PORT
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 12)]
"""The addresses that attacks come from."""
EACH = 100
"""Times per second that an attack of requests is tried."""
_ADDRESS = itertools.cycle(ADDRESSES)


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection from the next address."""
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(next(_ADDRESS), 0))


def masked(first: int, payload: bytes) -> bytes:
    """Return a frame masked with zeros."""
    size = len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")  # noqa: PLR2004
    return head + bytes(4) + payload


def handshake(port: int, origin: str = "") -> bytes:
    """Return a request for a websocket."""
    place = f"127.0.0.1:{port}"
    return (
        f"GET /ws HTTP/1.1\r\nHost: {place}\r\nOrigin: {origin or f'http://{place}'}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


async def send(port: int, data: bytes) -> None:
    """Send bytes, and read until the server closes or a moment passes."""
    with suppress(OSError, TimeoutError):
        reader, writer = await connected(port)
        try:
            writer.write(data)
            async with asyncio.timeout(1):
                while await reader.read(65536):
                    pass
        finally:
            writer.transport.abort()


async def again(port: int, *sent: bytes) -> None:
    """Send each of these on a new connection, again and again."""
    tasks = set[asyncio.Task[None]]()
    for data in itertools.cycle(sent):
        task = asyncio.create_task(send(port, data))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.sleep(1 / EACH)


async def origins(port: int) -> None:
    """Connect from pages of others."""
    await again(port, handshake(port, "http://evil.example"), handshake(port, "null"))


async def frames(port: int) -> None:
    """Send binary, oversized, non-UTF-8 and non-JSON frames."""
    bad = (
        *(masked(0x82, b"\xff" * 100), masked(0x81, b"\xff\xfe"), masked(0x81, b"{not json" * 10)),
        *(masked(0x81, b"x" * 60_000), b"\x81\xff" + (1 << 40).to_bytes(8, "big")),
    )
    await again(port, *(handshake(port) + frame for frame in bad))


async def _flood(port: int, data: bytes, a_second: float) -> None:
    while True:
        with suppress(OSError):
            _, writer = await connected(port)
            writer.write(handshake(port))
            await asyncio.sleep(0.5)
            while not writer.is_closing():
                writer.write(data)
                await writer.drain()
                await asyncio.sleep(1 / a_second)
        await asyncio.sleep(0.5)


async def flood(port: int) -> None:
    """Send 10,000 frames per second."""
    await _flood(port, masked(0x81, b"hello") * 100, 100)


async def pings(port: int) -> None:
    """Send 10,000 pings per second."""
    await _flood(port, masked(0x89, b"") * 100, 100)


async def headers(port: int) -> None:
    """Send headers that never end, on 50 connections."""

    async def drip() -> None:
        while True:
            with suppress(OSError):
                _, writer = await connected(port)
                writer.write(b"GET / HTTP/1.1\r\n")
                while not writer.is_closing():
                    writer.write(b"X-More: and more\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.5)
            await asyncio.sleep(0.5)

    await asyncio.gather(*(drip() for _ in range(50)))


async def half_open(port: int) -> None:
    """Keep 1,000 handshakes half open."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await connected(port)
                writer.write(handshake(port)[:60])
                await reader.read()
                writer.transport.abort()
            await asyncio.sleep(10)

    await asyncio.gather(*(one() for _ in range(1000)))


async def paths(port: int) -> None:
    """Ask for what isn't there, in odd ways."""
    lines = ("GET /../../etc/passwd", "GET /%2e%2e/%2e%2e/etc/passwd", "BREW /", "DELETE /", "OPTIONS *", "GET /t/x")
    await again(port, *(f"{line} HTTP/1.0\r\nHost: x\r\n\r\n".encode() for line in lines))


async def pages(port: int) -> None:
    """Ask for 50 pages a second that nobody has asked for before, two from each address."""
    addresses = itertools.cycle(f"127.0.1.{number}" for number in range(1, 26))
    numbers = itertools.count(1)

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(next(addresses), 0))
        writer.write(f"GET /g/{next(numbers)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        with suppress(OSError):
            await reader.read()
        writer.close()

    while True:
        asyncio.ensure_future(one())  # noqa: RUF006 - the attack ends with its process
        await asyncio.sleep(1 / 50)


ATTACKS: dict[str, Callable[[int], Coroutine[None, None, None]]] = {
    "origins": origins,
    "frames": frames,
    "10,000 frames/s": flood,
    "10,000 pings/s": pings,
    "endless headers": headers,
    "1,000 half open": half_open,
    "odd paths": paths,
    "50 new pages/s": pages,
}


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(ATTACKS[sys.argv[1]](int(sys.argv[2])))
