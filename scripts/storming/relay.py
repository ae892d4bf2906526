"""Relays on loopback between nodes and their database, which can be cut or stalled during play."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import Self

CHUNK = 65536


class Relay:
    """Pass bytes both ways; `cut` breaks all connections and refuses new ones, `stall` passes nothing."""

    def __init__(self, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self._loop = loop
        self._to = port
        self._flows = asyncio.Event()
        self._flows.set()
        self._cut = False
        self._lines: set[asyncio.StreamWriter] = set()

    async def listen(self) -> int:
        """Start to relay, and return the port to connect to."""
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Break every connection."""
        self._loop.call_soon_threadsafe(self._break)

    def stall(self) -> None:
        """Pass nothing, but keep the connections."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def flow(self) -> None:
        """Pass bytes again."""
        self._loop.call_soon_threadsafe(self._mend)

    def _break(self) -> None:
        self._cut = True
        for line in self._lines:
            line.transport.abort()

    def end(self) -> None:
        """Stop listening and break every connection. Call this in the loop."""
        self._server.close()
        self._break()

    def _mend(self) -> None:
        self._cut = False
        self._flows.set()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.add(writer)
        try:
            await self._flows.wait()
            if not self._cut:
                await self._through(reader, writer)
        except OSError:
            pass
        finally:
            self._hang_up(writer)

    async def _through(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._lines.add(back)
        try:
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        finally:
            self._hang_up(back)

    def _hang_up(self, line: asyncio.StreamWriter) -> None:
        self._lines.discard(line)
        line.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            await self._flows.wait()
            writer.write(data)
            await writer.drain()
        writer.close()


class Relays:
    """All relays, in a thread of their own: `with Relays() as relays`."""

    def __init__(self) -> None:
        self.relays: list[Relay] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        for relay in self.relays:
            relay.end()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.01)  # an aborted connection closes in the loop's next turns

    def to(self, port: int) -> int:
        """Start another relay to a port on loopback, and return its port."""
        relay = Relay(self._loop, port)
        self.relays.append(relay)
        begun: Future[int] = asyncio.run_coroutine_threadsafe(relay.listen(), self._loop)
        return begun.result(10)
