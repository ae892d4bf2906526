"""A minimal Python chat server to compare with: rooms, and one write per reader of a line.

Run as a program, it listens on a free port and prints it: `listening: telnet 127.0.0.1:PORT`.
"""

from __future__ import annotations

import asyncio
import itertools

NUMBERS = itertools.count(1)
ROOMS: dict[bytes, set[Talker]] = {}


class Talker(asyncio.Protocol):
    """One connection: `/join ROOM` enters a room, any other line is said there."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a server's connections are
        self.transport, self.rest, self.room = transport, b"", b"lobby"
        self.name = b"guest%d" % next(NUMBERS)
        transport.write(b"Welcome\r\nlogin: ")

    def data_received(self, data: bytes) -> None:
        """Read whole lines."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.line(line.rstrip(b"\r"))

    def line(self, line: bytes) -> None:
        """Do what a line asks."""
        if line == b"guest":
            self.transport.write(b"You're in the lobby.\r\n")
        elif line.startswith(b"/join "):
            ROOMS.get(self.room, set()).discard(self)
            self.room = line.removeprefix(b"/join ")
            ROOMS.setdefault(self.room, set()).add(self)
            self.transport.write(b"(you are in %s)\r\n" % self.room)
        else:
            said = b"\r\n -> From %s, to %s:\r\n - %s\r\n" % (self.name, self.room, line)
            for other in ROOMS.get(self.room, ()):
                if other is not self:
                    other.transport.write(said)
            self.transport.write(b"(message sent to %s)\r\n" % self.room)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the shape of every protocol
        """Leave the room."""
        ROOMS.get(self.room, set()).discard(self)


async def main() -> None:
    """Serve until killed."""
    server = await asyncio.get_running_loop().create_server(Talker, "127.0.0.1", 0, backlog=1024)
    print(f"listening: telnet 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
