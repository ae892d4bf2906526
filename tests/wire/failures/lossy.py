"""A line that swallows, delays and reorders what programs send and get, and a program that plays over it."""

import asyncio
import contextlib
import json
import random

from tests.deadline import DEADLINE

FAULTS = ("swallow all", "swallow answers", "hold requests", "cut", "cut after the request")
"""What can happen to a connection."""
SILENCE, PATIENCE = 0.5, 4
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

    def leads_to(self, port):
        """Carry later connections to another port."""
        self._behind = port

    async def _joined(self, reader, writer):
        try:
            behind, to_behind = await asyncio.open_connection("127.0.0.1", self._behind)
        except OSError:
            writer.transport.abort()
            return
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
        for one in self._late:
            one.up.close()
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
    """Plays or talks in machine mode, and sends each move or line until it is acknowledged.

    It plays with bots, so that it waits for nobody.
    """

    def __init__(self, port, name, seed):
        self._port = port
        self._name = name
        self._chance = random.Random(seed)
        self._greeting = b'MACHINE\n{"id": 0, "picture": true}\n'
        self._token = ""
        self._id = 0
        self._writer = None
        self._ended = set()
        self.tables = {}
        self.acknowledged = 0
        self.sent_again = 0

    async def play(self, moves, line):
        """Make so many moves, with a fault of the line before some of them."""
        await self._connect()
        while self.acknowledged < moves:
            self._spoil(line)
            table = self._turn()
            if table is None:
                await self._look_again()
                continue
            move = self._chance.choice(table["moves"])
            await self._made({"move": move, "table": table["number"], "seq": table["seq"]})
            self._come_late(line)

    async def say(self, lines, line):
        """Say these lines, with a fault of the line before some of them; not as a page, which is asked about pastes."""
        self._greeting = b"MACHINE\n"
        await self._connect()
        for text in lines:
            self._spoil(line)
            await self._made({"line": text})
            self._come_late(line)

    def _spoil(self, line):
        if self._chance.random() < 0.3:
            line.fail(self._chance.choice(FAULTS))

    def _come_late(self, line):
        if self._chance.random() < 0.5:
            line.bring_late()

    @property
    def _plays(self):
        return any(table["state"] == "playing" for table in self.tables.values())

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
            if not self._plays:
                for command in ("/new ohell max=5 private=on", "/house 3", "/start"):
                    await self._done({"line": command})
            await self._heard(lambda _: self._turn() or not self._plays)
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
            self._forget(move["table"])

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
            case (
                {"over": {"number": number}}
                | {"update": {"number": number, "state": "over"}}
                | {"table": {"number": number, "state": "over"}}
            ):
                self._forget(number)
            case {"table": table} | {"update": table}:
                self._take(table)

    def _take(self, table):
        number, moves = table["number"], table.get("moves")
        if number not in self._ended:
            listed = [one["move"] for one in moves["list"]] if moves and moves["turn"] else []
            state = table.get("state") or self.tables.get(number, {}).get("state")
            self.tables[number] = {"number": number, "seq": table["seq"], "moves": listed, "state": state}

    def _forget(self, number):
        """Forget a table whose game is over; what still comes of it doesn't bring it back."""
        self._ended.add(number)
        self.tables.pop(number, None)

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
                    self._writer.write(self._greeting)
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
        refused = await self._done({"line": f"resume {self._token}" if self._token else self._name})
        assert not (refused and self._token), refused
        if refused:  # the name is that of the line before, whose token has never come
            self._name += "x"
            raise LostAnswer
        if not self._token:
            await self._done({"line": ""})
        await self._done({"get": "tables"})
