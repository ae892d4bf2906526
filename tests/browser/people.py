"""People who aren't in the browser: programs on the page's own websocket."""

import asyncio
import json
from contextlib import asynccontextmanager

import aiohttp

from tests.deadline import DEADLINE

WORD = "plums and pears"


class Program:
    """Someone who speaks the page's protocol. `heard` keeps all packets."""

    def __init__(self, socket):
        self._socket = socket
        self._rows = []
        self._id = 0
        self.heard = []

    async def log_in(self, name, *words):
        """Answer the prompts with a name and the words that follow: none is a guest."""
        for answer in (name, *words, *[""] * (not words)):
            await self.until(lambda packet: "prompt" in packet)
            await self._socket.send_str(answer)
        await self.until(lambda packet: "name" in packet)

    async def do(self, *lines):
        """Type lines, and wait until each is done; return the errors that weren't None."""
        errors = []
        for line in lines:
            self._id += 1
            await self._socket.send_str(json.dumps({"id": self._id, "line": line}))
            done = await self.until(lambda packet: packet.get("done") == self._id)
            errors += [done["error"]] if done["error"] else []
        return errors

    async def until(self, wanted):
        """Return the first packet from now on for which `wanted` is true."""
        async with asyncio.timeout(DEADLINE):
            while True:
                packet = await self.next()
                if wanted(packet):
                    return packet

    async def next(self):
        """Return the next packet."""
        while not self._rows:
            self._rows = [row for row in (await self._socket.receive_str()).split("\r\n") if row]
        self.heard.append(json.loads(self._rows.pop(0)))
        return self.heard[-1]


@asynccontextmanager
async def program(place, name, *words):
    """Connect someone and log them in."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{place.url}/ws", origin=place.url) as socket:
        one = Program(socket)
        await one.log_in(name, *words)
        yield one
