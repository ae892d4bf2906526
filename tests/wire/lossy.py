"""A line that swallows, delays and reorders what programs send and get, and a program that plays over it."""

import asyncio
import contextlib
import json
import random

from tests.deadline import DEADLINE

FAULTS = ("swallow all", "swallow answers", "hold requests", "cut", "cut after the request")
"""What can happen to a connection."""
SILENCE, PATIENCE = 0.2, 0.5
"""Seconds without an answer until the program asks whether the server is there, and then until the line is dead."""


class Line:
    """A TCP proxy to a port, whose connections break as a test wants."""

    def __init__(self, port):
        self._behind = port
        self._open = []
        self._late = []

    async def lay(self):
        """Start to listen; return the port."""
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    async def _joined(self, reader, writer):
        behind, to_behind = await asyncio.open_connection("127.0.0.1", self._behind)
        one = _Pair(writer, to_behind)
        self._open.append(one)
        try:
            await asyncio.gather(one.carry_up(reader), one.carry_down(behind))
        except OSError:
            pass
        finally:
            if one in self._open:
                self._open.remove(one)
            writer.transport.abort()
            if not one.held:
                to_behind.transport.abort()
            else:
                self._late.append(one)

    def fail(self, fault):
        """Let all connections that are open now fail so; later ones are sound."""
        for one in self._open:
            one.fault = fault
            if fault == "cut":
                one.cut()

    def bring_late(self):
        """Bring the server what was held back, after whatever has come since."""
        for one in (*self._open, *self._late):
            held, one.held = one.held, []
            for data in held:
                if not one.up.is_closing():
                    one.up.write(data)
        self._late.clear()

    async def close(self):
        """Stop."""
        self._server.close()
        for one in (*self._open, *self._late):
            one.cut()
            one.up.transport.abort()


class _Pair:
    """One connection of the proxy, and what has gone wrong with it."""

    def __init__(self, down, up):
        self.down = down
        self.up = up
        self.fault = ""
        self.held = []

    async def carry_up(self, reader):
        while data := await reader.read(4096):
            if self.fault == "swallow all":
                continue
            if self.fault == "hold requests":
                self.held.append(data)
                continue
            self.up.write(data)
            if self.fault == "cut after the request":
                await self.up.drain()
                self.cut()

    async def carry_down(self, reader):
        while data := await reader.read(4096):
            if not self.fault:
                self.down.write(data)
        self.down.transport.abort()

    def cut(self):
        self.down.transport.abort()


class LostAnswer(Exception):
    """The line is dead, or cut."""


class Program:
    """Plays in machine mode, and sends each move until it is acknowledged."""

    def __init__(self, port, name):
        self._port = port
        self._name = name
        self._token = ""
        self._id = 0
        self._writer = None
        self.tables = {}
        self.acknowledged = 0
        self.sent_again = 0

    async def play(self, moves, seed, line):
        """Make so many moves, with a fault of the line before some of them."""
        chance = random.Random(seed)
        await self._connect()
        while self.acknowledged < moves:
            if chance.random() < 0.3:
                line.fail(chance.choice(FAULTS))
            table = self._turn()
            if table is None:
                await self._look_again()
                continue
            move = chance.choice(table["moves"])
            await self._made({"move": move, "table": table["number"], "seq": table["seq"]})
            if chance.random() < 0.5:
                line.bring_late()

    def _turn(self):
        return next((table for table in self.tables.values() if table["moves"]), None)

    async def close(self):
        """Disconnect."""
        self._writer.close()
        if self._reading:
            await self._reading
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _look_again(self):
        """Wait for what happens next, or begin a game."""
        try:
            if not self.tables:
                await self._done({"line": "/quick ohell"})
            await self._heard(lambda _: self._turn() or not self.tables)
        except LostAnswer:
            await self._connect()

    async def _made(self, move):
        """Send a move until it's acknowledged."""
        move |= {"once": f"{self._name}-{self.acknowledged}"}
        while True:
            try:
                error = await self._done(move)
            except LostAnswer:
                self.sent_again += 1
                await self._connect()
                continue
            assert error is None or error["code"] == "not-found", (move, error)
            break
        self.acknowledged += 1
        if error:  # the game ended with this move, and the answer to it was lost
            self.tables.pop(move["table"], None)

    async def _done(self, request):
        """Send a request, and return its error."""
        self._id += 1
        number = self._id
        try:
            self._writer.write(json.dumps({"id": number, **request}).encode() + b"\n")
        except (AttributeError, OSError):
            raise LostAnswer from None
        return (await self._heard(lambda packet: packet.get("done") == number))["error"]

    async def _heard(self, wanted):
        """Return the first packet that is wanted; a silent line is asked, and then taken for dead."""
        while True:
            packet = await self._next()
            self._learn(packet)
            if wanted(packet):
                return packet

    async def _next(self):
        for wait in (SILENCE, PATIENCE):
            with contextlib.suppress(TimeoutError):
                row = await asyncio.wait_for(asyncio.shield(self._row()), wait)
                self._reading = None
                if not row:
                    raise LostAnswer
                return json.loads(row)
            self._writer.write(b'{"ping": 1}\n')
        raise LostAnswer

    def _row(self):
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._readline())
        return self._reading

    async def _readline(self):
        try:
            return await self._reader.readline()
        except OSError:
            return b""

    def _learn(self, packet):
        match packet:
            case {"resume": {"token": token}}:
                self._token = token
            case {"table": table}:
                self._take(table["number"], table["seq"], table.get("moves"))
            case {"update": update}:
                self._take(update["number"], update["seq"], update.get("moves"))
            case {"over": {"number": number}}:
                self.tables.pop(number, None)

    def _take(self, number, seq, moves):
        listed = [one["move"] for one in moves["list"]] if moves and moves["turn"] else []
        self.tables[number] = {"number": number, "seq": seq, "moves": listed}

    async def _connect(self):
        """Connect and log in, until that works."""
        while True:
            if self._writer:
                self._writer.transport.abort()
            self.tables = {}
            try:
                async with asyncio.timeout(DEADLINE):
                    self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
                    self._reading = None
                    self._writer.write(b'MACHINE\n{"id": 0, "picture": true}\n')
                    await self._log_in()
            except (LostAnswer, OSError):
                continue
            break

    async def _log_in(self):
        while True:
            row = await self._reader.readline()
            if not row:
                raise LostAnswer
            if row.startswith(b"{") and "prompt" in json.loads(row):
                break
        await self._done({"line": f"resume {self._token}" if self._token else self._name})
        if not self._token:
            await self._done({"line": ""})
        await self._done({"get": "tables"})
