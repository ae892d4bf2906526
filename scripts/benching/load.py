"""Load for a benchmark: connections that log in, join a room, talk, and record everything they hear."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

ROOT = Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
_HEARD = re.compile(rb"(?: - |=)m(\d+)\.(\d+) ")
_SENT = b"(message sent"
FILL = b"x" * 44
"""Padding that makes a message about 64 bytes long."""
SHORT = 126
"""Bytes from which the length of a websocket's frame takes more than one byte."""
STEP = 1.0
"""Seconds without input after which a scenario is over."""


class Server:
    """A server in its own process, with its CPU time and memory from the operating system."""

    def __init__(self, kind: str, door: str = "telnet", lily: int = 0) -> None:
        """Start it. Clients enter by a door. Of so many of them, one is tigerlily; with 0, none is."""
        self.kind, self.door, self.lily = kind, door, lily
        self._folder = TemporaryDirectory()
        self._process = subprocess.Popen(  # noqa: S603 - our own server
            self._command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
        )
        assert self._process.stdout  # noqa: S101 - it was asked for
        rows = (row.decode() for row in self._process.stdout)
        said = next(row for row in rows if row.startswith(f"listening: {door} "))
        self.port = int(said.rsplit(":", 1)[1])

    def _command(self) -> list[str]:
        if self.kind == "floor":
            return [sys.executable, str(Path(__file__).with_name("floor.py"))]
        return [sys.executable, str(Path(__file__).with_name("ours.py")), self._folder.name, self.kind, self.door]

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def cpu(self) -> float:
        """Return the CPU seconds it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def exact_cpu(self) -> float:
        """Return the CPU seconds that its threads have used, to the nanosecond."""
        files = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(file.read_text().split()[0]) for file in files) / 1e9

    def memory(self) -> int:
        """Return its memory in bytes."""
        rows = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(row.split()[1]) * 1024 for row in rows if row.startswith("VmRSS"))

    def end(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait(20)
        if self._process.stdout:
            self._process.stdout.close()
        self._folder.cleanup()


def as_many_files_as_may_be() -> None:
    """Raise the limit of open files for this process and its children as far as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Wrong(Exception):
    """A message was lost, repeated or out of order: the run doesn't count."""


class Client(asyncio.Protocol):
    """One person. `heard` counts messages; those of each sender must come once and in order."""

    def __init__(self, number: int, hall: Hall) -> None:
        self.number, self.hall = number, hall
        self.rest = b""
        self.heard = 0
        self.expected: dict[int, int] = {}
        self.here = asyncio.get_running_loop().create_future()
        self.first = asyncio.get_running_loop().create_future()
        self.waits_for = b""
        self.sent = 0
        self.reading = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a client's connection is
        self.transport = transport

    def type(self, line: bytes) -> None:
        """Send a line."""
        self.transport.write(line + b"\r\n")

    def data_received(self, data: bytes) -> None:
        """Count messages."""
        if not self.first.done():
            self.first.set_result(time.perf_counter())
        data = self.rest + data
        cut = data.rfind(b"\n") + 1
        whole, self.rest = data[:cut], data[cut:]
        if self.waits_for and self.waits_for in data:
            self.waits_for = b""
            self.here.set_result(None)
        now = time.perf_counter()
        for sender, number in _HEARD.findall(whole):
            self._hears(int(sender), int(number), now)
        if self.hall.on_sent and _SENT in whole:
            self.hall.on_sent(self, whole.count(_SENT))

    def _hears(self, sender: int, number: int, now: float) -> None:
        awaited = self.expected.get(sender, 0)
        if awaited != number:
            self.hall.wrong.append(f"client {self.number}: {awaited} expected of {sender}, {number} came")
        self.expected[sender] = number + 1
        self.heard += 1
        self.hall.delivered(sender, number, now)

    async def come(self, line: bytes, answer: bytes) -> None:
        """Type a line and wait for its answer."""
        self.here = asyncio.get_running_loop().create_future()
        self.waits_for = answer
        self.type(line)
        async with asyncio.timeout(60):
            await self.here

    def say(self) -> None:
        """Say the next message."""
        self.hall.at[self.number, self.sent] = time.perf_counter()
        self.type(b"m%d.%d %s" % (self.number, self.sent, FILL))
        self.sent += 1


class Lily(Client):
    """One person at a client of lily: SLCP from the first line."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so."""
        super().connection_made(transport)
        self.type(b"#$# options +version +prompt +prompt2 +leaf-notify +leaf-cmd +connected")


class Page(Client):
    """One person in a browser: text frames in both directions (RFC 6455, section 5.2)."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Open the websocket."""
        super().connection_made(transport)
        self._frames = b""
        self._is_open = False
        place = b"127.0.0.1:%d" % self.hall.server.port
        self.transport.write(
            b"GET /ws HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" % (place, place)
        )

    def type(self, line: bytes) -> None:
        """Send a line, masked with zeros."""
        size = bytes((0x80 | len(line),)) if len(line) < SHORT else b"\xfe" + len(line).to_bytes(2, "big")
        self.transport.write(b"\x81" + size + bytes(4) + line)

    def data_received(self, data: bytes) -> None:
        """Read whole frames."""
        self._frames += data
        if not self._is_open:
            answer, end, self._frames = self._frames.partition(b"\r\n\r\n")
            self._is_open = bool(end)
            if not end:
                self._frames = answer
        if self._is_open and (text := self._whole_frames()):
            super().data_received(text)

    def _whole_frames(self) -> bytes:
        """Take all whole frames, and return their text."""
        data, at, texts = self._frames, 0, list[bytes]()
        while len(data) - at >= 2:  # noqa: PLR2004 - a frame's first byte and its length
            size, begin = data[at + 1], at + 2
            if size >= SHORT:
                begin += 2 if size == SHORT else 8
                size = int.from_bytes(data[at + 2 : begin], "big")
            if len(data) < begin + size:
                break
            texts.append(data[begin : begin + size])
            at = begin + size
        self._frames = data[at:]
        return b"".join(texts)


class Hall:
    """All clients of a run."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.clients: list[Client] = []
        self.wrong: list[str] = []
        self.at: dict[tuple[int, int], float] = {}
        self.delays: list[float] = []
        self.timing = False
        self.on_sent: Callable[[Client, int], None] | None = None

    def delivered(self, sender: int, number: int, now: float) -> None:
        """Record how long a message took, if asked for."""
        if self.timing:
            self.delays.append(now - self.at[sender, number])

    async def connect(self) -> Client:
        """Return another connection, before it has sent anything."""
        loop = asyncio.get_running_loop()
        number = len(self.clients)
        speaks_lily = self.server.lily and number % self.server.lily == 0
        client = (Lily if speaks_lily else Page if self.server.door == "web" else Client)(number, self)
        self.clients.append(client)
        await loop.create_connection(lambda: client, "127.0.0.1", self.server.port)
        return client

    async def enter(self, number: int, room: Callable[[int], str], at_once: int = 50) -> None:
        """Let so many log in and join their rooms."""
        for first in range(0, number, at_once):
            await asyncio.gather(*(self._enter(room(n)) for n in range(first, min(number, first + at_once))))

    async def _enter(self, room: str) -> None:
        client = await self.connect()
        await client.come(b"guest", b"You're in ")  # which lobby depends on how many are here
        if room != "lobby":
            await client.come(f"/join {room}".encode(), f"(you are in {room}".encode())

    @property
    def heard(self) -> int:
        """The number of messages heard by all."""
        return sum(client.heard for client in self.clients)

    async def quiet(self) -> None:
        """Return when nothing has come for a while."""
        before = -1
        while before != self.heard:
            before = self.heard
            await asyncio.sleep(STEP)

    def leave(self) -> None:
        """Break all connections."""
        for client in self.clients:
            client.transport.abort()

    def check(self, expected: int) -> None:
        """Raise `Wrong` unless every message reached each of its readers once."""
        if self.wrong:
            raise Wrong(self.wrong[0])
        if self.heard != expected:
            raise Wrong(f"{expected} deliveries expected, {self.heard} came")


@attrs.frozen
class Result:
    """The result of a run: figures by name."""

    figures: dict[str, float]


Scenario = Callable[[Server], Awaitable[Result]]


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile of the values; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
