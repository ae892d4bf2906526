"""The client's end of telnet: the one file of it that imports telnetlib3.

The library reads and writes options (RFC 854, 855). Text and packets go straight to whoever listens.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from telnetlib3 import TelnetClient, TelnetReader, TelnetWriter
from telnetlib3.telopt import BINARY, CHARSET, CMD_EOR, ECHO, EOR, GA, GMCP, IAC, NAWS, SB, SE, TTYPE

from lilygames import __version__

MODULES = (
    "Char.Name 1",
    "Comm.Channel.List 1",
    "Comm.Channel.Players 1",
    "Comm.Channel.Text 1",
    "Lily.Commands 1",
    "Lily.Moves 1",
    "Lily.Resume 1",
    "Lily.Table 1",
)
"""What the host is asked to send by GMCP, beside the text."""

_ANSI, _UTF_8, _SCREEN_READER = 1, 4, 64
"""Bits of the MUD Terminal Type Standard."""

_WE_MAY = frozenset({BINARY, CHARSET, NAWS, TTYPE})
_THEY_MAY = frozenset({BINARY, CHARSET, ECHO, EOR, GMCP})
_HEARD = frozenset({CHARSET, GMCP, TTYPE})

logging.getLogger("telnetlib3").setLevel(logging.CRITICAL)  # a word on stderr would tear the line that is typed


class Listener(Protocol):
    """Whoever listens to a wire."""

    def heard(self, data: bytes) -> None:
        """Take text, as bytes."""

    def asked(self) -> None:
        """Take note that what has been heard last, without a line end, is a question."""

    def told(self, package: str, value: Any) -> None:
        """Take a GMCP message."""

    def hides(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Hide what is typed, or show it again."""


class RefusedOptions(set[bytes]):
    """All options except those allowed, where the library asks for a set of those to refuse."""

    def __init__(self, allowed: frozenset[bytes]) -> None:
        super().__init__()
        self._allowed = allowed

    def __contains__(self, option: object) -> bool:
        return option not in self._allowed


class TextReader(TelnetReader):
    """Hands on the text that arrives; the library's reader keeps it, and splits CR LF across packets."""

    _listener: Listener

    def listen(self, listener: Listener) -> None:
        """Hand on text to a listener; the library makes a reader without arguments."""
        self._listener = listener

    def feed_data(self, data: bytes) -> None:
        """Hand on text."""
        self._listener.heard(data)


class OptionWriter(TelnetWriter):
    """Takes note at once of who shows what is typed, so that no letter of a password is seen, and asks for no more."""

    _listener: Listener

    def listen(self, listener: Listener) -> None:
        """Tell a listener of what the host says, and refuse the options that are of no use to a line of text."""
        self._listener = listener
        self.always_wont, self.always_dont = RefusedOptions(_WE_MAY), RefusedOptions(_THEY_MAY)
        self.slc_simulated = False
        self.environ_encoding = "utf-8"
        for mark in (CMD_EOR, GA):
            self.set_iac_callback(mark, lambda _: listener.asked())

    def handle_will(self, opt: bytes) -> None:
        """Hide typing when the host promises to echo: it asks for a secret (RFC 857)."""
        super().handle_will(opt)
        if opt == ECHO:
            self._listener.hides(typing=True)

    def handle_wont(self, opt: bytes) -> None:
        """Show typing again."""
        super().handle_wont(opt)
        if opt == ECHO:
            self._listener.hides(typing=False)

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        """Hear what we agreed to, and nothing else."""
        if buf and buf[0] in _HEARD:
            super().handle_subnegotiation(buf)


class Wire(TelnetClient):
    """One connection to a host; `lost` is done when nothing is left of it."""

    reader: TextReader
    writer: OptionWriter
    _reader_factory = TextReader  # the library has no other place to name them for a client
    _writer_factory = OptionWriter

    def __init__(self, listener: Listener, size: Callable[[], tuple[int, int]], *, reader: bool = False) -> None:
        super().__init__(encoding=False, compression=False, gmcp_modules=[*MODULES])
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listener = listener
        self._size = size
        bits = _ANSI | _UTF_8 | (_SCREEN_READER if reader else 0)
        self._names = deque(["LILYGAMES", "ANSI", f"MTTS {bits}"])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen."""
        super().connection_made(transport)
        self.reader.listen(self._listener)
        self.writer.listen(self._listener)

    def data_received(self, data: bytes) -> None:
        """Hear bytes at once; the library puts them off, and forgets what has come when the host hangs up after it."""
        self._process_chunk(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go, and let whoever waits for the end know."""
        super().connection_lost(exc)
        if not self.lost.done():
            self.lost.set_result(None)

    def _check_negotiation_timer(self) -> None:
        """Wait for nothing: text is shown at once. The library, told twice that it may, raises `InvalidStateError`."""

    # what the library asks

    def send_ttype(self) -> str:
        """Return the client's name, the kind of terminal, and what it can show; the last again and again (RFC 1091)."""
        return self._names.popleft() if len(self._names) > 1 else self._names[0]

    def send_charset(self, offered: list[str]) -> str | None:  # type: ignore[override]  # None is what refuses
        """Return UTF-8 if it is offered, and no other."""
        return next((offer for offer in offered if offer.upper() == "UTF-8"), None)

    def send_naws(self) -> tuple[int, int]:
        """Return the rows and columns of the screen (RFC 1073)."""
        return self._size()

    def send_gmcp_hello(self) -> None:
        """Say who this is and what it wants to be sent."""
        self.writer.send_gmcp("Core.Hello", {"client": "lilygames", "version": __version__})
        self.writer.send_gmcp("Core.Supports.Set", [*MODULES])

    def on_gmcp(self, package: str, data: Any) -> None:
        """Hand on a message; the library would keep them all."""
        self._listener.told(package, data)

    # what the client asks

    def type(self, line: str) -> None:
        """Send a line."""
        self.writer.write(line.encode("utf-8", "replace") + b"\r\n")

    def ask(self, package: str) -> None:
        """Ask for a GMCP message by its name."""
        if self.writer.remote_option.enabled(GMCP):
            self.writer.send_gmcp(package)

    def resized(self) -> None:
        """Tell the size of the screen again."""
        if self.writer.local_option.enabled(NAWS):
            rows, columns = self._size()
            size = struct.pack("!HH", columns, rows).replace(IAC, IAC + IAC)
            self.writer.send_iac(IAC + SB + NAWS + size + IAC + SE)

    def hang_up(self) -> None:
        """Close once everything typed has gone out."""
        self.writer.close()
