"""The two halves of telnetlib3 with their defects repaired: what it hears, and what it says about options.

Each repair names its defect; `tests/edge/test_edge_defects.py` has a test for each.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable

from telnetlib3 import TelnetReader, TelnetWriter
from telnetlib3.telopt import CHARSET, ECHO, GMCP, IAC, MSSP, NAWS, SB, SE, SGA, TTYPE, WILL

from lilygames.edge.outbox import Outbox
from lilygames.edge.protocol_sniff import FIRST, stranger
from lilygames.edge.wire import FrontEnd

BY_KEY = (ECHO, SGA)
"""The options by which a client sends each key, and leaves showing it to us (RFC 857, 858)."""
_HEARD = frozenset({CHARSET, NAWS, TTYPE})


class Inlet(TelnetReader):
    """Hands what was typed straight on; the library's reader buffers without bound, and splits CR LF across packets.

    The first line is looked at: some programs take this door for another one.
    """

    front: FrontEnd
    show_out: Callable[[str], None]
    count = 0
    first: bytes | None = b""

    def feed_data(self, data: bytes) -> None:
        """Hand on what was typed."""
        self.count += len(data)
        if self.first is not None and self._strange(self.first + data):
            return
        self.front.feed(data)

    def _strange(self, first: bytes) -> bool:
        self.first = first if len(first) < FIRST and b"\n" not in first else None
        if protocol := stranger(first[:FIRST]):
            self.first = None
            self.show_out(protocol)
        return bool(protocol)

    def feed_eof(self) -> None:
        """Say that nothing more will be typed."""
        self.front.gone()

    def set_exception(self, exc: Exception) -> None:
        """Say that nothing more will be typed, since the connection broke."""
        super().set_exception(exc)
        self.front.gone()


class Interpreter(TelnetWriter):
    """Sends options through the outbox, in order with the text, and hears only the sub-negotiations we asked for.

    Unheard are MCCP3, by which anybody could have the library inflate a bomb, and NEW-ENVIRON, which stores without
    bound. Malformed ones are counted, not logged: the library writes a traceback for each.
    """

    outbox: Outbox
    told: Callable[[], None]
    status: Callable[[], bytes]
    gmcp: Callable[[bytes], None]
    strikes = 0
    asked = False

    def handle_do(self, opt: bytes) -> bool:
        """Take note at once: what follows in the same packet may be typed by key already."""
        agreed = self.local_option[opt] = super().handle_do(opt)
        self.pending_option[WILL + opt] = False
        if opt in BY_KEY and opt not in self.always_wont:
            self.told()
        if opt == MSSP and agreed and not self.asked:
            self.asked = True
            self.send_iac(IAC + SB + MSSP + self.status() + IAC + SE)
        return agreed

    def handle_dont(self, opt: bytes) -> None:
        """Take note at once, as of a DO."""
        super().handle_dont(opt)
        self.local_option[opt] = self.pending_option[WILL + opt] = False
        if opt in BY_KEY and opt not in self.always_wont:
            self.told()

    def send_iac(self, buf: bytes) -> None:
        """Send an option in order with the text."""
        self.outbox.put(buf)

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        """Hear what we asked for, and nothing else."""
        if buf[0] not in _HEARD and not (buf[0] == GMCP and self.local_option.enabled(GMCP)):
            return
        try:
            if buf[0] == GMCP:
                self.gmcp(b"".join(buf)[1:])
            else:
                super().handle_subnegotiation(buf)
        except (ValueError, LookupError, struct.error, NotImplementedError):
            self.strikes += 1
