"""Servers for the tests: `lilygames serve` as a process of its own, and what stands between it and a page."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

from lilygames.server.settings.local_engines import free_port
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = "--house-pause-min 0 --house-pause-max 0.05 --hash-memory 8192 --hash-time 1 --lines-per-second 1000".split()
OPTIONS += [
    "--tournaments",
    "none",
    "--connections-per-address",
    "2000",
    "--connects-per-minute",
    "100000",
    "--logins-at-once",
    "2000",
]


class Place:
    """A server that runs, where people can reach it by telnet and in a browser."""

    def __init__(self, process, ports, data):
        self.process = process
        self.ports = ports
        self.data = data

    @property
    def port(self):
        """The port for telnet."""
        return self.ports["telnet"]

    @property
    def url(self):
        """The address of the page."""
        return f"http://127.0.0.1:{self.ports['web']}"

    async def reload(self):
        """Let another process take over, and return when it listens."""
        self.process.send_signal(signal.SIGHUP)
        await _ports(self.process, len(self.ports))


@asynccontextmanager
async def served(folder, *options):
    """Start a server on a folder, and stop it in the end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lilygames", "serve", "--port", "0", "--web-port", str(free_port())),
        *("--data", folder / "data", *OPTIONS, *options),
        stdout=subprocess.PIPE, stderr=None if os.environ.get("SHOW") else subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    try:
        yield Place(process, await _ports(process, 2), folder / "data")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _ports(process, count):
    """Return the ports that a server says it listens on, by kind."""
    ports = {}
    while len(ports) < count:
        said = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
        kind, port = re.fullmatch(r"listening: (\w+) 127\.0\.0\.1:(\d+)\n", said).groups()
        ports[kind] = int(port)
    return ports


class Cable:
    """A TCP connection in between, which can be cut: whoever connects to `url` reaches the server behind it."""

    def __init__(self, port):
        self._behind = port
        self._ends = set()
        self.plugged = True
        self.swallows = False
        """Whether it carries nothing, and says nothing of that."""
        self.held = None
        """Bytes of the browser that are held back, to come out of order; None if nothing is."""
        self.carried = 0
        """Bytes that the server sent to the browser."""
        self._cut_at = None

    async def lay(self):
        """Start to listen."""
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    async def _joined(self, reader, writer):
        if not self.plugged:
            writer.transport.abort()
            return
        behind, to_behind = await asyncio.open_connection("127.0.0.1", self._behind)
        ends = {writer, to_behind}
        self._ends |= ends
        try:
            await asyncio.gather(self._carry(reader, to_behind), self._carry(behind, writer, counts=True))
        except OSError:
            pass
        finally:
            self._ends -= ends
            for end in ends:
                end.transport.abort()

    async def _carry(self, reader, writer, *, counts=False):
        while data := await reader.read(4096):
            if counts and self._cut_at is not None and self._cut_at <= self.carried + len(data):
                writer.write(data[: self._cut_at - self.carried])
                self._cut_at = None
                self.cut()
                return
            if self.swallows:
                continue
            if self.held is not None and not counts:
                self.held.append((writer, data))
                continue
            self.carried += len(data) * counts
            writer.write(data)
            await writer.drain()
        writer.close()

    def cut(self):
        """Cut all connections now, in the middle of whatever is carried."""
        for end in [*self._ends]:
            end.transport.abort()

    def release(self):
        """Carry what was held back, however late that is."""
        held, self.held = self.held or [], None
        for writer, data in held:
            writer.write(data)

    def cut_after(self, count):
        """Cut all connections when so many more bytes have been carried to the browser."""
        self._cut_at = self.carried + count

    async def roll_up(self):
        """Stop, and cut everything."""
        self._server.close()
        self.cut()


class Relay:
    """A web server between page and server that can drop, repeat and reorder what the page gets.

    `change` gets each packet for the page, and returns the list of packets to send instead. `change_sent` gets each
    request, and returns the one to send.
    """

    def __init__(self, url, change=lambda packet: [packet], change_sent=lambda request: request):
        self._behind = url
        self.change = change
        self.change_sent = change_sent
        self.sent = []
        """The requests of the page."""
        self._sockets = []

    async def begin(self):
        """Start to listen."""
        app = web.Application()
        app.router.add_get("/ws", self._websocket)
        app.router.add_get("/{path:.*}", self._file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        self._client = aiohttp.ClientSession()

    async def _file(self, request):
        async with self._client.get(self._behind + request.path) as answer:
            kept = ("Content-Type", "Content-Security-Policy")
            headers = {name: answer.headers[name] for name in kept if name in answer.headers}
            return web.Response(status=answer.status, body=await answer.read(), headers=headers)

    async def _websocket(self, request):
        here = web.WebSocketResponse()
        await here.prepare(request)
        async with self._client.ws_connect(f"{self._behind}/ws", origin=self._behind) as behind:
            self._sockets.append(here)
            await asyncio.gather(self._to_server(here, behind), self._to_page(behind, here))
        return here

    async def _to_server(self, here, behind):
        async for message in here:
            self.sent.append(json.loads(message.data))
            await behind.send_str(json.dumps(self.change_sent(self.sent[-1])))
        await behind.close()

    async def _to_page(self, behind, here):
        async for message in behind:
            for line in filter(None, message.data.split("\r\n")):
                for packet in self.change(json.loads(line)):
                    if not here.closed:
                        await here.send_str(json.dumps(packet))
        await here.close(code=behind.close_code or 1006)

    def cut(self):
        """Cut the pages' websockets."""
        for page in self._sockets:
            if page._req and page._req.transport:
                page._req.transport.abort()

    async def end(self):
        """Stop."""
        await self._runner.cleanup()
        await self._client.close()
