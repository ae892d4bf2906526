"""Telnet options: telnetlib3's option handling with its bugs fixed, and which options we accept.

Each fix names its bug; `tests/edge/connections/test_edge_defects.py` has a test for each.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from telnetlib3 import TelnetWriter
from telnetlib3.telopt import (
    BINARY,
    CHARSET,
    DO,
    DONT,
    ECHO,
    EOR,
    GMCP,
    IAC,
    MSSP,
    NAWS,
    SB,
    SE,
    SGA,
    TTYPE,
    WILL,
    WONT,
)

from lilygames.edge.connections.mssp import Facts, encoded
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import Options
from lilygames.edge.wire.limits import Allowance, Limits
from lilygames.edge.wire.outbox import Outbox
from lilygames.edge.wire.render import spoken
from lilygames.edge.wire.wire import WireTerminal
from lilygames.text import clean

CHARACTER_MODE = (ECHO, SGA)
"""The options that make a client send each key and leave the echo to us (RFC 857, 858)."""
STRIKES = 20
"""Malformed sub-negotiations before the connection is cut."""
A_MINUTE = 60.0
"""Seconds to refill the full burst of option bytes, because reading them is slow."""

COMMAND_LASTS = 5.0
"""Seconds in which a command must end. Otherwise a sub-negotiation without an end would swallow all that is typed."""

SPARE = 16
"""Writers kept for the next connection that needs one."""
Agreed = tuple[tuple[bytes, bool], ...]
"""Options, on or off."""
Known = tuple[Agreed, Agreed, Agreed]
"""The options on our side, on the client's side, and awaiting an answer."""

_NOTHING: Known = ((), (), ())
_OPEN = frozenset({DO, DONT, WILL, WONT, SB})
_READ = frozenset({CHARSET, NAWS, TTYPE})
_WE_MAY = frozenset({BINARY, CHARSET, EOR, GMCP, MSSP})
_THEY_MAY = frozenset({BINARY, CHARSET, NAWS, TTYPE})
_NAMES = 4
_LONGEST_NAME = 40
_COLUMNS = range(20, 501)

_quiet = logging.getLogger("lilygames.edge.connections.telnet.options")
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
    """Reads and sends the options of one connection at a time, which lends it its `Negotiation`.

    It sends through the outbox, in order with the text, and handles only sub-negotiations we asked for. Unrequested
    options are refused, above all ECHO, or nobody would echo. MCCP3 is ignored, because the library would inflate a
    bomb. NEW-ENVIRON is ignored, because it stores without a limit. Malformed sub-negotiations are counted, not logged:
    the library would write a traceback for each.
    """

    _of: Negotiation

    def __init__(self) -> None:
        super().__init__(
            asyncio.Transport(), None, server=True
        )  # it raises `NotImplementedError` if anything is written
        self.log = _quiet
        self.slc_simulated = False
        self.environ_encoding = "utf-8"
        self.always_dont = RefusedOptions(_THEY_MAY)
        self.set_ext_callback(TTYPE, self._read_ttype)
        self.set_ext_callback(NAWS, self._read_naws)
        self.set_ext_callback(CHARSET, self._read_charset)
        self.set_ext_offer_callback(CHARSET, self._charsets)
        self.set_ext_send_callback(CHARSET, self._choose_charset)

    # lent to a connection

    def begin(self, of: Negotiation) -> None:
        """Begin to work for a connection."""
        self._of = of
        self.always_wont = of.refused
        for known, options in zip(self._known, of.known, strict=True):
            known.update(options)

    def end(self) -> Known:
        """Forget the connection; return what both sides have agreed on."""
        known = _shared(*(tuple(known.items()) for known in self._known))
        for options in self._known:
            options.clear()
        for refusals in (self.rejected_will, self.rejected_do, self.directional_refusals):
            refusals.clear()
        self.abandon()
        del self._of
        return known

    @property
    def _known(self) -> tuple[dict[bytes, bool], ...]:
        return self.local_option, self.remote_option, self.pending_option

    # received from the client

    @property
    def in_command(self) -> bool:
        """Whether the last byte was within a command; the library's `is_oob` is also true after one."""
        return bool(self.iac_received) or self.cmd_received in _OPEN

    def abandon(self) -> None:
        """Forget a command that was begun: what follows is text."""
        self._sb_buffer.clear()
        self.iac_received = self.cmd_received = self._sb_overflow = False

    def heard(self, byte: bytes) -> bool:
        """Read a byte, and return whether it is text."""
        try:
            return self.feed_byte(byte)
        except (ValueError, NotImplementedError):  # an illegal command, or one that the library would answer itself
            return False

    def offer(self) -> None:
        """Offer our other options to a client that answers options."""
        if not self._of.connection.peer.negotiates:
            self.iac(DO, NAWS)
            self.iac(DO, CHARSET)
            self.iac(WILL, EOR)
            self.iac(WILL, MSSP)
            self.iac(WILL, GMCP)
        self._of.connection.learn(negotiates=True, records=self.local_option.get(EOR), keys=self._keys)

    @property
    def _keys(self) -> bool | None:
        """Whether the client has agreed to send each key and leave the echo to us (RFC 857, 858)."""
        if not self._of.character_mode_wanted or any(
            self.pending_option.enabled(WILL + option) for option in CHARACTER_MODE
        ):
            return None
        return all(self.local_option.enabled(option) for option in CHARACTER_MODE)

    def handle_do(self, opt: bytes) -> bool:
        """Handle a DO at once: the rest of the packet may already be sent key by key."""
        agreed = self.local_option[opt] = super().handle_do(opt)
        self.pending_option[WILL + opt] = False
        if opt in CHARACTER_MODE and opt not in self.always_wont:
            self.offer()
        if opt == MSSP and agreed and self._of.tells_status():
            self.send_iac(IAC + SB + MSSP + encoded(self._of.connection.facts()) + IAC + SE)
        return agreed

    def handle_dont(self, opt: bytes) -> None:
        """Handle a DONT at once, like a DO."""
        super().handle_dont(opt)
        self.local_option[opt] = self.pending_option[WILL + opt] = False
        if opt in CHARACTER_MODE and opt not in self.always_wont:
            self.offer()

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        """Handle a sub-negotiation only if we asked for it."""
        if buf[0] not in _READ and not (buf[0] == GMCP and self.local_option.enabled(GMCP)):
            return
        try:
            if buf[0] == GMCP:
                self._of.connection.terminal.gmcp(b"".join(buf)[1:])
            else:
                super().handle_subnegotiation(buf)
        except (ValueError, LookupError, struct.error, NotImplementedError):
            self._of.strike()

    def _read_ttype(self, ttype: str) -> None:
        """Store a terminal type, and ask for the next until they repeat (RFC 1091)."""
        name = clean(ttype)[:_LONGEST_NAME].upper()
        known = self._of.connection.peer.names
        if name in known or len(known) == _NAMES:
            self._of.connection.learn(settled=True)
            return
        last = name.startswith("MTTS ")
        self._of.connection.learn(names=(*known, name), settled=last)
        if not last:
            self.request_ttype()

    def _read_naws(self, rows: int, cols: int) -> None:  # noqa: ARG002 - the library's signature
        """Store the width, within limits; 0 means unknown (RFC 1073)."""
        columns = min(max(cols, _COLUMNS[0]), _COLUMNS[-1]) if cols else None
        self._of.connection.learn(columns=columns)

    @staticmethod
    def _charsets() -> list[str]:
        """Return the charsets we offer, best first."""
        return ["UTF-8", "ISO-8859-1", "US-ASCII"]

    def _read_charset(self, charset: str) -> None:
        """Store the charset that the client accepted, if it is one of ours."""
        self.environ_encoding = "utf-8"
        self._of.connection.learn(charset=spoken(charset))

    def _choose_charset(self, offers: list[str]) -> str | None:
        """Return the client's first offer that we support."""
        chosen = next((offer for offer in offers if spoken(offer)), None)
        if chosen:
            self._of.connection.learn(charset=spoken(chosen))
        return chosen

    # sent by us

    def send_iac(self, buf: bytes) -> None:
        """Send an option in order with the text."""
        self._of.connection.outbox.put(buf)

    def promise(self, option: bytes, will: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Say that we will do something from now on, or won't."""
        if will:
            self.always_wont.discard(option)
            self.iac(WILL, option)
            return
        self.always_wont.add(option)
        self.iac(WONT, option)
        self.pending_option[WILL + option] = False


class OptionWriters:
    """Writers to lend: each takes 13 KiB, and a connection needs one only while it has options to read or send."""

    def __init__(self) -> None:
        self._spare: list[OptionWriter] = []

    def lend(self, to: Negotiation) -> OptionWriter:
        """Return a writer that works for a connection."""
        writer = self._spare.pop() if self._spare else OptionWriter()
        writer.begin(to)
        return writer

    def take_back(self, writer: OptionWriter) -> Known:
        """Take back a writer, and return what its connection has agreed on."""
        known = writer.end()
        if len(self._spare) < SPARE:
            self._spare.append(writer)
        return known


class Negotiation:
    """The telnet options of a connection, and the writer that it borrows to read and send them."""

    __slots__ = (
        "_allowance",
        "_begun_at",
        "_hides",
        "_returning",
        "_strikes",
        "_told_status",
        "_unfinished",
        "_writers",
        "character_mode_wanted",
        "connection",
        "known",
        "lent",
        "refused",
    )  # fmt: skip

    def __init__(self, connection: Connection, writers: OptionWriters) -> None:
        self.connection = connection
        self.known: Known = _NOTHING
        """The options on our side, on the client's side, and awaiting an answer, when the writer was given back."""
        self.refused = RefusedOptions(_WE_MAY)
        self.character_mode_wanted = False
        """Whether the client was asked to send each key."""
        self._strikes = 0
        """Malformed sub-negotiations so far."""
        self._told_status = False
        self._writers = writers
        self.lent: OptionWriter | None = None
        """The writer on loan. Only while there is one can a command have begun."""
        self._returning = False
        self._hides = False
        self._allowance: Allowance | None = None
        self._unfinished = 0
        self._begun_at = 0.0
        """When the command began that isn't complete, by the loop's clock."""

    def _writer(self) -> OptionWriter:
        """Return the writer on loan, which goes back as soon as this packet or line is done with."""
        if self.lent is None:
            self.lent = self._writers.lend(self)
        if not self._returning:
            self._returning = True
            asyncio.get_running_loop().call_soon(self._give_back)
        return self.lent

    def _give_back(self) -> None:
        """Give the writer back, unless it waits for the rest of a command."""
        self._returning = False
        if self.lent and not self.lent.in_command:
            self.end()

    def end(self) -> None:
        """Give the writer back if one is on loan, with what it has read of a command."""
        if self.lent:
            self.known = self._writers.take_back(self.lent)
            self.lent = None

    # handover to another process

    @property
    def options(self) -> tuple[Options, Options, Options]:
        """The options on our side, on the client's side, and awaiting an answer."""
        self.end()
        local, remote, pending = self.known
        return _hex(local), _hex(remote), _hex(pending)

    def take_up(self, local: Options, remote: Options, pending: Options, *, character_mode: bool) -> None:
        """Restore the options that another process negotiated."""
        self.known = _shared(*(_bytes(options) for options in (local, remote, pending)))
        self.character_mode_wanted = character_mode
        for option in CHARACTER_MODE if character_mode else ():
            self.refused.discard(option)

    # received from the client

    @property
    def in_command(self) -> bool:
        """Whether the next byte belongs to a command whose first bytes have come."""
        return self.lent is not None and self.lent.in_command

    def read(self, piece: bytes, text: Callable[[bytes], None]) -> int:
        """Read received bytes and pass on those of text; return how many belong to options."""
        writer, start, options = self._writer(), 0, 0
        now = asyncio.get_running_loop().time()
        if writer.in_command and now - self._begun_at > COMMAND_LASTS:
            writer.abandon()
            self._unfinished = 0
        began = writer.in_command
        while start < len(piece):
            if not writer.in_command and piece[start] != IAC[0]:
                end = piece.find(IAC, start)
                text(piece[start : end if end >= 0 else None])
                start = end if end >= 0 else len(piece)
                continue
            byte = piece[start : start + 1]
            start += 1
            if writer.heard(byte):
                text(byte)
            else:
                options += 1
        if writer.in_command and not began:
            self._begun_at = now
        return options

    def strike(self) -> None:
        """Count a malformed sub-negotiation."""
        self._strikes += 1

    def tells_status(self) -> bool:
        """Return whether to tell the server's status, which a client is told once."""
        told, self._told_status = self._told_status, True
        return not told

    def is_flooded(self, options: int) -> bool:
        """Count option bytes, and return whether there are too many."""
        now, limit, writer = asyncio.get_running_loop().time(), self.connection.limits.option_bytes, self._writer()
        allowance = self._allowance = self._allowance or Allowance(limit / A_MINUTE, limit)
        allowance.take(now, options)
        self._unfinished = self._unfinished + options if writer.cmd_received == SB else 0
        if allowance.owed(now) or self._unfinished > limit or self._strikes > STRIKES:
            return True
        if writer.local_option or writer.remote_option:
            writer.offer()
        return False

    # sent by us

    def probe(self) -> None:
        """Ask for the terminal's type: whoever answers knows options."""
        self._writer().iac(DO, TTYPE)

    def conceal(self, *, typing: bool) -> None:
        """Hide or show what is typed: if we promise to echo and don't, it is hidden (RFC 857)."""
        self._hides = typing
        self._writer().promise(ECHO, typing or self.character_mode_wanted)

    def character_mode(self, *, wanted: bool) -> None:
        """Promise to echo and suppress GO-AHEAD, so that clients send each key (RFC 857, 858)."""
        self.character_mode_wanted = wanted
        self._writer().promise(ECHO, wanted or self._hides)
        self._writer().promise(SGA, wanted)

    def write_gmcp(self, message: str) -> None:
        """Send a GMCP message, if the client supports it."""
        if self.lent.local_option.enabled(GMCP) if self.lent else (GMCP, True) in self.known[0]:
            self.connection.outbox.put(IAC + SB + GMCP + message.encode("ascii") + IAC + SE, "game")


@lru_cache(maxsize=256)
def _shared(local: Agreed, remote: Agreed, pending: Agreed) -> Known:
    """Return the options of a connection as one value, which all connections with the same options share."""
    return local, remote, pending


def _hex(known: Agreed) -> Options:
    return {option.hex(): on for option, on in known}


def _bytes(options: Options) -> Agreed:
    return tuple((bytes.fromhex(option), on) for option, on in options.items())
