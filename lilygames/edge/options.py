"""Telnet options: telnetlib3's option handling with its bugs fixed, and which options we accept.

Each fix names its bug; `tests/edge/test_edge_defects.py` has a test for each.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

from telnetlib3 import TelnetWriter
from telnetlib3.telopt import BINARY, CHARSET, DO, ECHO, EOR, GMCP, IAC, MSSP, NAWS, SB, SE, SGA, TTYPE, WILL, WONT

from lilygames.edge.capabilities import Peer
from lilygames.edge.connection_state import Options
from lilygames.edge.limits import Allowance, Limits
from lilygames.edge.mssp import Facts, encoded
from lilygames.edge.outbox import Outbox
from lilygames.edge.render import spoken
from lilygames.edge.wire import WireTerminal
from lilygames.text import clean

CHARACTER_MODE = (ECHO, SGA)
"""The options that make a client send each key and leave the echo to us (RFC 857, 858)."""
STRIKES = 20
"""Malformed sub-negotiations before the connection is cut."""
A_MINUTE = 60.0
"""Seconds to refill the full burst of option bytes, because reading them is slow."""

_READ = frozenset({CHARSET, NAWS, TTYPE})
_WE_MAY = frozenset({BINARY, CHARSET, EOR, GMCP, MSSP})
_THEY_MAY = frozenset({BINARY, CHARSET, NAWS, TTYPE})
_NAMES = 4
_LONGEST_NAME = 40
_COLUMNS = range(20, 501)

_quiet = logging.getLogger("lilygames.edge.telnet.options")
_quiet.setLevel(logging.CRITICAL)


class Connection(Protocol):
    """The connection that options belong to."""

    limits: Limits
    facts: Facts
    terminal: WireTerminal
    outbox: Outbox
    peer: Peer

    def learn(self, **facts: Any) -> None:
        """Store what the client has reported."""


class RefusedOptions(set[bytes]):
    """All options except the allowed ones, for the library's set of refused options; a full set takes 16 KiB."""

    __slots__ = ("_allowed",)

    def __init__(self, allowed: frozenset[bytes]) -> None:
        super().__init__()
        self._allowed = allowed

    def __contains__(self, option: object) -> bool:
        return option not in self._allowed

    def add(self, option: bytes) -> None:
        """Refuse an option from now on."""
        self._allowed -= {option}

    def discard(self, option: object) -> None:
        """Allow an option from now on."""
        self._allowed |= {option}  # type: ignore[arg-type]  # a set may be asked to discard anything


class OptionWriter(TelnetWriter):
    """Sends options through the outbox, in order with the text, and handles only sub-negotiations we asked for.

    Unrequested options are refused, above all ECHO, or nobody would echo. MCCP3 is ignored, because the library would
    inflate a bomb. NEW-ENVIRON is ignored, because it stores without a limit. Malformed sub-negotiations are counted,
    not logged: the library would write a traceback for each.
    """

    def __init__(self, transport: asyncio.Transport, protocol: Connection, **more: Any) -> None:
        super().__init__(transport, protocol, **more)
        self.log = _quiet
        self.slc_simulated = False
        self.environ_encoding = "utf-8"
        self.always_wont, self.always_dont = RefusedOptions(_WE_MAY), RefusedOptions(_THEY_MAY)
        self.character_mode_wanted = False
        """Whether the client was asked to send each key."""
        self._connection = protocol
        limit = protocol.limits.option_bytes
        self._limit = limit
        self._allowance = Allowance(limit / A_MINUTE, limit)
        self._unfinished = 0
        self._strikes = 0
        self._told_status = False
        self._hides = False

    def listen(self) -> None:
        """Route the library's option callbacks to this object, not the connection."""
        self.set_ext_callback(TTYPE, self._read_ttype)
        self.set_ext_callback(NAWS, self._read_naws)
        self.set_ext_callback(CHARSET, self._read_charset)
        self.set_ext_offer_callback(CHARSET, self._charsets)
        self.set_ext_send_callback(CHARSET, self._choose_charset)

    # handover to another process

    @property
    def options(self) -> tuple[Options, Options, Options]:
        """The options on our side, on the client's side, and awaiting an answer."""
        return _hex(self.local_option), _hex(self.remote_option), _hex(self.pending_option)

    def take_up(self, local: Options, remote: Options, pending: Options, *, character_mode: bool) -> None:
        """Restore the options that another process negotiated."""
        for known, options in (
            (self.local_option, local), (self.remote_option, remote), (self.pending_option, pending)
        ):  # fmt: skip
            known.update({bytes.fromhex(option): on for option, on in options.items()})
        self.character_mode_wanted = character_mode
        for option in CHARACTER_MODE if character_mode else ():
            self.always_wont.discard(option)

    # received from the client

    def is_flooded(self, options: int) -> bool:
        """Count option bytes, and return whether there are too many."""
        now = asyncio.get_running_loop().time()
        self._allowance.take(now, options)
        self._unfinished = self._unfinished + options if self.cmd_received == SB else 0
        if self._allowance.owed(now) or self._unfinished > self._limit or self._strikes > STRIKES:
            return True
        if self.local_option or self.remote_option:
            self._offer()
        return False

    def _offer(self) -> None:
        """Offer our other options to a client that answers options."""
        if not self._connection.peer.negotiates:
            self.iac(DO, NAWS)
            self.iac(DO, CHARSET)
            self.iac(WILL, EOR)
            self.iac(WILL, MSSP)
            self.iac(WILL, GMCP)
        self._connection.learn(negotiates=True, records=self.local_option.get(EOR), keys=self._keys)

    @property
    def _keys(self) -> bool | None:
        """Whether the client has agreed to send each key and leave the echo to us (RFC 857, 858)."""
        if not self.character_mode_wanted or any(
            self.pending_option.enabled(WILL + option) for option in CHARACTER_MODE
        ):
            return None
        return all(self.local_option.enabled(option) for option in CHARACTER_MODE)

    def handle_do(self, opt: bytes) -> bool:
        """Handle a DO at once: the rest of the packet may already be sent key by key."""
        agreed = self.local_option[opt] = super().handle_do(opt)
        self.pending_option[WILL + opt] = False
        if opt in CHARACTER_MODE and opt not in self.always_wont:
            self._offer()
        if opt == MSSP and agreed and not self._told_status:
            self._told_status = True
            self.send_iac(IAC + SB + MSSP + encoded(self._connection.facts()) + IAC + SE)
        return agreed

    def handle_dont(self, opt: bytes) -> None:
        """Handle a DONT at once, like a DO."""
        super().handle_dont(opt)
        self.local_option[opt] = self.pending_option[WILL + opt] = False
        if opt in CHARACTER_MODE and opt not in self.always_wont:
            self._offer()

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        """Handle a sub-negotiation only if we asked for it."""
        if buf[0] not in _READ and not (buf[0] == GMCP and self.local_option.enabled(GMCP)):
            return
        try:
            if buf[0] == GMCP:
                self._connection.terminal.gmcp(b"".join(buf)[1:])
            else:
                super().handle_subnegotiation(buf)
        except (ValueError, LookupError, struct.error, NotImplementedError):
            self._strikes += 1

    def _read_ttype(self, ttype: str) -> None:
        """Store a terminal type, and ask for the next until they repeat (RFC 1091)."""
        name = clean(ttype)[:_LONGEST_NAME].upper()
        known = self._connection.peer.names
        if name in known or len(known) == _NAMES:
            self._connection.learn(settled=True)
            return
        last = name.startswith("MTTS ")
        self._connection.learn(names=(*known, name), settled=last)
        if not last:
            self.request_ttype()

    def _read_naws(self, rows: int, cols: int) -> None:  # noqa: ARG002 - the library's signature
        """Store the width, within limits; 0 means unknown (RFC 1073)."""
        columns = min(max(cols, _COLUMNS[0]), _COLUMNS[-1]) if cols else None
        self._connection.learn(columns=columns)

    @staticmethod
    def _charsets() -> list[str]:
        """Return the charsets we offer, best first."""
        return ["UTF-8", "ISO-8859-1", "US-ASCII"]

    def _read_charset(self, charset: str) -> None:
        """Store the charset that the client accepted, if it is one of ours."""
        self.environ_encoding = "utf-8"
        self._connection.learn(charset=spoken(charset))

    def _choose_charset(self, offers: list[str]) -> str | None:
        """Return the client's first offer that we support."""
        chosen = next((offer for offer in offers if spoken(offer)), None)
        if chosen:
            self._connection.learn(charset=spoken(chosen))
        return chosen

    # sent by us

    def send_iac(self, buf: bytes) -> None:
        """Send an option in order with the text."""
        self._connection.outbox.put(buf)

    def conceal(self, *, typing: bool) -> None:
        """Hide or show what is typed: if we promise to echo and don't, it is hidden (RFC 857)."""
        self._hides = typing
        self._promise(ECHO, typing or self.character_mode_wanted)

    def character_mode(self, *, wanted: bool) -> None:
        """Promise to echo and suppress GO-AHEAD, so that clients send each key (RFC 857, 858)."""
        self.character_mode_wanted = wanted
        self._promise(ECHO, wanted or self._hides)
        self._promise(SGA, wanted)

    def _promise(self, option: bytes, will: bool) -> None:  # noqa: FBT001 - it is the state asked for
        if will:
            self.always_wont.discard(option)
            self.iac(WILL, option)
            return
        self.always_wont.add(option)
        self.iac(WONT, option)
        self.pending_option[WILL + option] = False

    def write_gmcp(self, message: str) -> None:
        """Send a GMCP message, if the client supports it."""
        if self.local_option.enabled(GMCP):
            self._connection.outbox.put(IAC + SB + GMCP + message.encode("ascii") + IAC + SE, "game")


def _hex(known: Mapping[bytes, bool]) -> Options:
    return {option.hex(): on for option, on in known.items()}
