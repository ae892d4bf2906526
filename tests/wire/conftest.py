"""A telnet client for tests: it opens a socket, types and reads."""

import asyncio
import re

import pytest

from tests.deadline import DEADLINE

_COLOURS = re.compile(r"\x1b\[(?:(?:1;)?(?:38;5;\d+|31)|0|1)m")
"""The server's own colours, which a terminal shows and nobody reads."""
_COMMAND = re.compile(
    rb"\xff(?:\xff|[\xf1-\xf9\xef]|(?P<verb>[\xfb-\xfe])(?P<option>.)|\xfa(?P<data>(?:[^\xff]|\xff\xff)*)\xff\xf0)",
    re.DOTALL,
)
DO, WILL = b"\xfd", b"\xfb"
TTYPE, NAWS, EOR, ECHO, SGA, CHARSET = b"\x18", b"\x1f", b"\x19", b"\x01", b"\x03", b"\x2a"


@pytest.fixture(autouse=True)
def no_tournaments_of_the_place(monkeypatch):
    """Let no server of these tests tell people what begins at the next hour."""
    monkeypatch.setenv("LILYGAMES_TOURNAMENTS", "none")


class TelnetClient:
    """A client that types lines and reads text without telnet commands; `commands` keeps those.

    As a terminal it answers options like a telnet program that sends lines. As `keyed` it sends each key if it is
    promised an echo. As `stubborn` it refuses each option. As `silent` it answers nothing and sees every byte, like
    netcat. `charset` is the one it accepts, if any.
    """

    charset = None

    def __init__(self, reader, writer, manner, names, columns):
        self.commands = []
        self.hides = False
        self._reader = reader
        self._writer = writer
        self._manner = manner
        self._names = [*names, names[-1]]
        self._columns = columns
        self._raw = b""
        self._text = ""

    def type(self, line):
        """Type a line and press Enter."""
        self.press(line.encode(self.charset or "utf-8") + (b"\n" if self._manner == "silent" else b"\r\n"))

    def press(self, keys):
        """Send bytes as they are."""
        self._writer.write(keys)

    async def expect(self, *texts):
        """Return everything shown up to and including the first of `texts`; fail if none comes in time."""
        try:
            async with asyncio.timeout(DEADLINE):
                while not any(text in self._text for text in texts):
                    await self._more()
        except (TimeoutError, EOFError) as error:
            wanted = " or ".join(map(repr, texts))
            pytest.fail(f"waited for {wanted} until {type(error).__name__}, and saw:\n{self._text}")
        text = min((text for text in texts if text in self._text), key=self._text.find)
        before, self._text = self._text.split(text, 1)
        return before + text

    async def edited(self):
        """Wait until the server echoes what is typed: from then on it edits the line of a `keyed` client."""
        async with asyncio.timeout(DEADLINE):
            while not self.hides:
                await self._more()

    async def until_gone(self):
        """Return everything shown until the server disconnects."""
        async with asyncio.timeout(DEADLINE):
            while True:
                try:
                    await self._more()
                except EOFError:
                    shown, self._text = self._text, ""
                    return shown

    def finish(self):
        """Send nothing more, but keep reading."""
        self._writer.write_eof()

    def leave(self):
        """Break the connection without saying goodbye."""
        self._writer.transport.abort()

    async def _more(self):
        data = await self._reader.read(65536)
        if not data:
            raise EOFError
        self._raw += data
        if self._manner == "silent":
            shown, self._raw = self._raw, b""
        else:
            shown = self._interpreted()
        text = self._text + shown.decode(self.charset or "utf-8", "replace").replace("\r\n", "\n")
        self._text = _COLOURS.sub("", text)

    def _interpreted(self):
        shown = b""
        while (start := self._raw.find(b"\xff")) >= 0:
            command = _COMMAND.match(self._raw, start)
            if command is None:
                break
            shown += self._raw[:start] + (b"\xff" if command[0] == b"\xff\xff" else b"")
            self._raw = self._raw[command.end() :]
            self.commands.append(command[0])
            self._answer(command)
        start = start if start >= 0 else len(self._raw)
        shown, self._raw = shown + self._raw[:start], self._raw[start:]
        return shown

    def _answer(self, command):
        verb, option = command["verb"], command["option"]
        agreed = self._manner in ("terminal", "keyed")
        if command["data"] == TTYPE + b"\x01":
            name = self._names.pop(0) if len(self._names) > 1 else self._names[0]
            self._writer.write(b"\xff\xfa" + TTYPE + b"\0" + name.encode() + b"\xff\xf0")
        elif verb == DO:
            will = agreed and (option in (TTYPE, NAWS) or (option == CHARSET and self.charset is not None))
            self._writer.write(b"\xff" + (b"\xfb" if will else b"\xfc") + option)
            if will and option == NAWS:
                self.resize(self._columns)
        elif command["data"] and command["data"][:2] == CHARSET + b"\x01":
            self._writer.write(b"\xff\xfa" + CHARSET + b"\x02" + self.charset.encode() + b"\xff\xf0")
        elif verb == WILL:
            do = agreed and (option in (EOR, ECHO) or (option == SGA and self._manner == "keyed"))
            self.hides = self.hides or (do and option == ECHO)
            self._writer.write(b"\xff" + (b"\xfd" if do else b"\xfe") + option)
        elif option == ECHO:
            self.hides = False

    def resize(self, columns):
        """Report another width."""
        self._writer.write(b"\xff\xfa" + NAWS + columns.to_bytes(2, "big") + b"\0\x18\xff\xf0")


@pytest.fixture
async def dial():
    """Return a function that connects to a port and returns a client; all are disconnected at the end."""
    clients = []

    async def connect(port, manner="terminal", names=("XTERM",), columns=80, charset=None):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        clients.append(TelnetClient(reader, writer, manner, names, columns))
        clients[-1].charset = charset
        return clients[-1]

    yield connect
    for client in clients:
        client.leave()
