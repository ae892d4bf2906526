"""The client's side of telnet, the only client file that imports telnetlib3.

The library reads and writes options (RFC 854, 855). Text and packets go straight to the listener.
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
    "Lily.Line 1",
    "Lily.Moves 1",
    "Lily.Resume 1",
    "Lily.Seal 1",
    "Lily.Sealing 1",
    "Lily.Table 1",
    "Lily.Voided 1",
)
"""The GMCP modules requested from the server."""

_ANSI, _UTF_8, _SCREEN_READER = 1, 4, 64
"""Bits of the MUD Terminal Type Standard."""

_WE_MAY = frozenset({BINARY, CHARSET, NAWS, TTYPE})
_THEY_MAY = frozenset({BINARY, CHARSET, ECHO, EOR, GMCP})
_HEARD = frozenset({CHARSET, GMCP, TTYPE})

logging.getLogger("telnetlib3").setLevel(logging.CRITICAL)  # output on stderr would garble the typed line


class Listener(Protocol):
    """Handles what a wire receives."""

    def heard(self, data: bytes) -> None:
        """Handle received text, as bytes."""

    def asked(self) -> None:
        """Record that the last text, without a line end, is a prompt."""

    def told(self, package: str, value: Any) -> None:
        """Handle a GMCP message."""

    def hides(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Hide or show what is typed."""


class RefusedOptions(set[bytes]):
    """All options except the allowed ones, for the library's set of refused options."""

    def __init__(self, allowed: frozenset[bytes]) -> None:
        super().__init__()
        self._allowed = allowed

    def __contains__(self, option: object) -> bool:
        return option not in self._allowed


class TextReader(TelnetReader):
    """Passes on received text. The library's reader would keep it, and splits CR LF across packets."""

    _listener: Listener

    def listen(self, listener: Listener) -> None:
        """Set the listener; the library creates a reader without arguments."""
        self._listener = listener

    def feed_data(self, data: bytes) -> None:
        """Pass on text."""
        self._listener.heard(data)


class OptionWriter(TelnetWriter):
    """Handles echo options at once, so that no letter of a password is shown, and requests no others."""

    _listener: Listener

    def listen(self, listener: Listener) -> None:
        """Set the listener, and refuse options that a line-based client doesn't need."""
        self._listener = listener
        self.always_wont, self.always_dont = RefusedOptions(_WE_MAY), RefusedOptions(_THEY_MAY)
        self.slc_simulated = False
        self.environ_encoding = "utf-8"
        for mark in (CMD_EOR, GA):
            self.set_iac_callback(mark, lambda _: listener.asked())

    def handle_will(self, opt: bytes) -> None:
        """Hide typing if the server promises to echo: it asks for a secret (RFC 857)."""
        super().handle_will(opt)
        if opt == ECHO:
            self._listener.hides(typing=True)

    def handle_wont(self, opt: bytes) -> None:
        """Show typing again."""
        super().handle_wont(opt)
        if opt == ECHO:
            self._listener.hides(typing=False)

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        """Handle only the sub-negotiations we agreed to."""
        if buf and buf[0] in _HEARD:
            super().handle_subnegotiation(buf)


class Wire(TelnetClient):
    """One connection to a server; `lost` is done when it is closed."""

    reader: TextReader
    writer: OptionWriter
    _reader_factory = TextReader  # the library has no other place to name them for a client
    _writer_factory = OptionWriter

    def __init__(self, listener: Listener, size: Callable[[], tuple[int, int]], *, reader: bool = False) -> None:
        super().__init__(encoding=False, compression=False, gmcp_modules=[*MODULES])
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listener = listener
        self._size = size
        self.heard_at = asyncio.get_running_loop().time()
        """When the server last sent anything, by the event loop's clock."""
        bits = _ANSI | _UTF_8 | (_SCREEN_READER if reader else 0)
        self._names = deque(["LILYGAMES", "ANSI", f"MTTS {bits}"])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start receiving."""
        super().connection_made(transport)
        self.reader.listen(self._listener)
        self.writer.listen(self._listener)

    def data_received(self, data: bytes) -> None:
        """Handle bytes at once. The library would delay them, and lose the last ones when the server disconnects."""
        self.heard_at = asyncio.get_running_loop().time()
        self._process_chunk(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything, and notify whoever waits for the end."""
        super().connection_lost(exc)
        if not self.lost.done():
            self.lost.set_result(None)

    def _check_negotiation_timer(self) -> None:
        """Don't wait: text is shown at once. The library would raise `InvalidStateError` the second time."""

    # called by the library

    def send_ttype(self) -> str:
        """Return the client's name, its terminal type, then its capabilities, which repeat (RFC 1091)."""
        return self._names.popleft() if len(self._names) > 1 else self._names[0]

    def send_charset(self, offered: list[str]) -> str | None:  # type: ignore[override]  # None is what refuses
        """Return UTF-8 if it is offered, else None."""
        return next((offer for offer in offered if offer.upper() == "UTF-8"), None)

    def send_naws(self) -> tuple[int, int]:
        """Return the rows and columns of the screen (RFC 1073)."""
        return self._size()

    def send_gmcp_hello(self) -> None:
        """Send the client's name and the GMCP modules it wants."""
        self.writer.send_gmcp("Core.Hello", {"client": "lilygames", "version": __version__})
        self.writer.send_gmcp("Core.Supports.Set", [*MODULES])

    def on_gmcp(self, package: str, data: Any) -> None:
        """Pass on a GMCP message; the library would keep them all."""
        self._listener.told(package, data)

    # called by the client

    def type(self, line: str) -> None:
        """Send a line."""
        self.writer.write(line.encode("utf-8", "replace") + b"\r\n")

    def send(self, package: str, value: object) -> None:
        """Send a GMCP message."""
        self.writer.send_gmcp(package, value)

    def abort(self) -> None:
        """Close now: nothing comes any more, and nothing arrives."""
        if self._transport:
            self._transport.abort()

    @property
    def speaks_gmcp(self) -> bool:
        """Whether the server answers GMCP messages."""
        return bool(self.writer.remote_option.enabled(GMCP))

    def ask(self, package: str) -> None:
        """Request a GMCP message by name."""
        if self.speaks_gmcp:
            self.writer.send_gmcp(package)

    def resized(self) -> None:
        """Report the screen size again."""
        if self.writer.local_option.enabled(NAWS):
            rows, columns = self._size()
            size = struct.pack("!HH", columns, rows).replace(IAC, IAC + IAC)
            self.writer.send_iac(IAC + SB + NAWS + size + IAC + SE)

    def hang_up(self) -> None:
        """Close after everything typed has been sent."""
        self.writer.close()
