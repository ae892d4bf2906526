"""Telnet: this file and `interpreter` are all that import telnetlib3, and where its defects are repaired.

The library reads and writes options (RFC 854, 855); bytes in and out go past it, to a front end and an outbox, since
its own streams have no bounds. Each repair names its defect; `tests/edge/test_edge_defects.py` has a test for each.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import structlog
from telnetlib3 import TelnetServer
from telnetlib3.telopt import BINARY, CHARSET, DO, ECHO, EOR, GMCP, IAC, MSSP, NAWS, SB, SE, SGA, TTYPE, WILL, WONT

from lilygames.edge.admission import Gate
from lilygames.edge.capabilities import Peer
from lilygames.edge.connection_state import Carried, handed_on
from lilygames.edge.interpreter import BY_KEY, Inlet, Interpreter
from lilygames.edge.limits import Allowance, Limits, Share, network
from lilygames.edge.listener import Door, Server, Visit, Visits, listeners_at
from lilygames.edge.mssp import Facts, encoded, no_facts, plainly
from lilygames.edge.options import AllBut
from lilygames.edge.outbox import Outbox
from lilygames.edge.protocol_sniff import sentence
from lilygames.edge.read_throttle import Intake
from lilygames.edge.render import spoken
from lilygames.edge.terminal import Front
from lilygames.edge.wire import FrontEnd, MakeFrontEnd
from lilygames.text import Kind, Line, clean

STRIKES = 20
"""Malformed sub-negotiations after which it is cut."""
A_MINUTE = 60.0
"""Seconds in which as many bytes of options are granted again as at once: reading them costs much."""

_NAMES = 4
_LONGEST_NAME = 40
_COLUMNS = range(20, 501)

_WE_MAY = frozenset({BINARY, CHARSET, EOR, GMCP, MSSP})
_THEY_MAY = frozenset({BINARY, CHARSET, NAWS, TTYPE})

log = structlog.get_logger()
_quiet = logging.getLogger("lilygames.edge.telnet.options")
_quiet.setLevel(logging.CRITICAL)


class LilyTelnet(TelnetServer):
    """One telnet connection: a `Wire` for its front end."""

    reader: Inlet
    writer: Interpreter
    front: FrontEnd
    outbox: Outbox
    intake: Intake
    address = ""
    _tls_checked = True  # the library would hang up on whoever presses Ctrl-V first; `strangers` knows TLS better

    def __init__(
        self,
        visits: Visits,
        front_end: MakeFrontEnd,
        limits: Limits,
        facts: Facts = no_facts,
        *,
        share_of: Callable[[str], Share] | None = None,
        goes_on: tuple[Carried, Visit] | None = None,
    ) -> None:
        super().__init__(
            encoding=False,
            line_mode=True,
            compression=False,
            timeout=0,
            reader_factory=Inlet,
            writer_factory=Interpreter,
        )
        self.peer = Peer()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.limits = limits
        self._share_of = share_of or (lambda _: Share(limits))
        self._visits = visits
        self._goes_on = goes_on
        self._front_end = front_end
        self._facts = facts
        self._open = 0
        self._options = Allowance(limits.option_bytes / A_MINUTE, limits.option_bytes)
        self._hides = False
        self._keyed = False

    # what the event loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the visit at once; the library would keep a silent peer waiting for four seconds."""
        super().connection_made(transport)
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("telnet needs a stream")
        self._wire = transport
        self.address = network(str((transport.get_extra_info("peername") or ("?",))[0]))
        self.share = self._share_of(self.address)
        self._tune()
        self.front = self.reader.front = self._front_end(self)
        self.writer.gmcp = self.front.gmcp
        self.outbox = self.writer.outbox = Outbox(transport, self.front.skipped, self.front.paced)
        self.intake = Intake(
            transport, self.limits.bytes_per_second, self._interpret, lambda: self.front.full, self.share.bytes
        )
        carried, visit = self._goes_on or (None, None)
        if carried:
            self._take_up(carried)
        self._visits.begin(self, self.front, visit)

    def _take_up(self, carried: Carried) -> None:
        """Have agreed with the peer what another process has agreed, and read on where that one stopped."""
        writer = self.writer
        for known, options in ((writer.local_option, carried.local), (writer.remote_option, carried.remote)):
            known.update({bytes.fromhex(option): on for option, on in options.items()})
        writer.pending_option.update({bytes.fromhex(option): on for option, on in carried.pending.items()})
        if carried.keyed:
            for option in BY_KEY:
                writer.always_wont.discard(option)
        self.reader.first = None
        self.peer, self._keyed = carried.peer, carried.keyed
        asyncio.get_running_loop().call_soon(self.data_received, bytes.fromhex(carried.held))

    def stop_reading(self) -> None:
        """Leave what comes from now on to the next process."""
        self._wire.pause_reading()

    @property
    def settled(self) -> bool:
        """Whether all that was sent has gone out."""
        return self.outbox.empty and not self._wire.get_write_buffer_size()

    def carry(self) -> Carried | None:
        """Return this connection for the next process to go on with; None where that cannot be, as with TLS."""
        if self._wire.get_extra_info("sslcontext") or self._wire.is_closing() or not self.settled:
            return None
        writer = self.writer
        return Carried(
            handed_on(self._wire.get_extra_info("socket")),
            self.peer,
            _hex(writer.local_option),
            _hex(writer.remote_option),
            _hex(writer.pending_option),
            self._keyed,
            bytes(self.intake.held).hex(),
            self.front.carry(),
        )

    def _tune(self) -> None:
        """Set up socket and interpreter: unasked options are refused, and ECHO above all (else nobody would echo)."""
        self.reader.show_out = self._show_out
        self.writer.log = _quiet
        self.writer.told = self._answers
        self.writer.slc_simulated = False
        self.writer.environ_encoding = "utf-8"
        self.writer.status = lambda: encoded(self._facts())
        self.writer.always_wont, self.writer.always_dont = AllBut(_WE_MAY), AllBut(_THEY_MAY)
        self.writer.set_ext_send_callback(CHARSET, self._choose_charset)

    def data_received(self, data: bytes) -> None:
        """Take bytes, as many as may come."""
        self.intake.take(data)

    def _interpret(self, piece: bytes) -> None:
        """Read bytes; where none is of an option, as nearly always, there is nothing to interpret."""
        if IAC not in piece and not self.writer.is_oob:
            self.reader.feed_data(piece)
            return
        before = self.reader.count
        super().data_received(piece)
        if options := len(piece) - (self.reader.count - before):
            self._heard(options)

    def _heard(self, options: int) -> None:
        """Cut a peer that floods us with options; otherwise take note of what it said."""
        now = asyncio.get_running_loop().time()
        self._options.take(now, options)
        self._open = self._open + options if self.writer.cmd_received == SB else 0
        if self._options.owed(now) or self._open > self.limits.option_bytes or self.writer.strikes > STRIKES:
            log.warning("telnet options flooded", address=self.address)
            self.abort()
        elif self.writer.local_option or self.writer.remote_option:
            self._answers()

    def _answers(self) -> None:
        """A peer that answers options is offered the rest of those we use."""
        if not self.peer.negotiates:
            self.writer.iac(DO, NAWS)
            self.writer.iac(DO, CHARSET)
            self.writer.iac(WILL, EOR)
            self.writer.iac(WILL, MSSP)
            self.writer.iac(WILL, GMCP)
        self._learn(negotiates=True, records=self.writer.local_option.get(EOR), keys=self._keys)

    @property
    def _keys(self) -> bool | None:
        """Whether the peer has agreed to send each key, and to leave showing it to us (RFC 857, 858)."""
        if not self._keyed or any(self.writer.pending_option.enabled(WILL + option) for option in BY_KEY):
            return None
        return all(self.writer.local_option.enabled(option) for option in BY_KEY)

    def resume_writing(self) -> None:
        """Tell the outbox that a slow reader has caught up."""
        super().resume_writing()
        self.outbox.relieved()

    def eof_received(self) -> bool:  # type: ignore[override]  # the library narrows asyncio's own type
        """Let a peer that has finished typing, as in `printf ... | nc`, read its answers; the library cuts it off."""
        self.intake.end(self.reader.feed_eof)
        return self._wire.get_extra_info("sslcontext") is None

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything, and free those who wait in `drain`: the library leaves them waiting."""
        if self.lost.done():
            return
        self.lost.set_result(None)
        super().connection_lost(exc)
        self.front.lost()
        asyncio.streams.FlowControlMixin.connection_lost(self, exc)
        self.outbox.stop()
        self.writer.close()
        self.intake.stop()

    def release(self) -> None:
        """Let go of the parts, which know each other in circles.

        Otherwise only a look at all objects there are would find that nobody needs them: memory would grow for long.
        """
        for part in (self.reader, self.writer):  # the library's, with bound methods of this connection
            vars(part).clear()
        del self.front

    # what the library asks and tells

    def begin_negotiation(self) -> None:
        """Send the one probe, DO TTYPE, that even netcat's user hardly sees."""
        if not (self.lost.done() or self.writer.is_closing() or self._goes_on):
            super().begin_negotiation()

    def _check_negotiation_timer(self) -> None:
        """Wait for nothing: the visit has begun. The library, told twice that it may, raises `InvalidStateError`."""

    def encoding(self, outgoing: bool | None = None, incoming: bool | None = None) -> str:  # noqa: ARG002, FBT001 - same
        """Return a charset that we speak; the library would take any codec that a peer names."""
        return self.peer.look.charset

    def on_ttype(self, ttype: str) -> None:
        """Take note of a terminal type, and ask for the next until they repeat (RFC 1091)."""
        name = clean(ttype)[:_LONGEST_NAME].upper()
        known = self.peer.names
        if name in known or len(known) == _NAMES:
            self._learn(settled=True)
            return
        last = name.startswith("MTTS ")
        self._learn(names=(*known, name), settled=last)
        if not last:
            self.writer.request_ttype()

    def on_naws(self, rows: int, cols: int) -> None:  # noqa: ARG002 - the library's signature
        """Take note of the width, within reason; 0 is "I do not know" (RFC 1073)."""
        columns = min(max(cols, _COLUMNS[0]), _COLUMNS[-1]) if cols else None
        self._learn(columns=columns)

    def on_environ(self, mapping: dict[str, str]) -> None:
        """Keep nothing: we ask for no variables."""

    def on_request_charset(self) -> list[str]:
        """Return the charsets to choose from, the best first."""
        return ["UTF-8", "ISO-8859-1", "US-ASCII"]

    def on_charset(self, charset: str) -> None:
        """Take note of the charset that the peer accepted, if it is one of ours."""
        self.writer.environ_encoding = "utf-8"
        self._learn(charset=spoken(charset))

    def _choose_charset(self, offers: list[str]) -> str | None:
        """Return the first of the peer's offers that we speak."""
        chosen = next((offer for offer in offers if spoken(offer)), None)
        if chosen:
            self._learn(charset=spoken(chosen))
        return chosen

    def _learn(self, **facts: Any) -> None:
        peer = attrs.evolve(self.peer, **facts)
        if peer != self.peer:
            self.peer = peer
            self.front.learned(peer)

    # what the front end asks

    def send(self, data: bytes, kind: Kind) -> None:
        """Send bytes, IAC already doubled; talk and notices may be skipped for a slow reader."""
        self.outbox.put(data, kind)

    def above(self, rows: bytes, kind: Kind) -> None:
        """Send whole rows, to stand above the last one."""
        self.outbox.above(rows, kind)

    def stands(self, away: bytes, again: bytes) -> None:
        """Take note of what stands on the last row."""
        self.outbox.stands(away, again)

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Ask the peer to hide what is typed: who promises to echo, and does not, hides it (RFC 857)."""
        self._hides = typing
        self._promise(ECHO, typing or self._keyed)

    def by_key(self, wanted: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Promise to echo and to leave out GO-AHEAD: then clients send each key as it is typed (RFC 857, 858)."""
        self._keyed = wanted
        self.peer = attrs.evolve(self.peer, keys=None)
        self._promise(ECHO, wanted or self._hides)
        self._promise(SGA, wanted)

    def _promise(self, option: bytes, will: bool) -> None:  # noqa: FBT001 - same
        if self.lost.done():
            return
        if will:
            self.writer.always_wont.discard(option)
            self.writer.iac(WILL, option)
            return
        self.writer.always_wont.add(option)
        self.writer.iac(WONT, option)
        self.writer.pending_option[WILL + option] = False

    def gmcp(self, message: str) -> None:
        """Send a GMCP message to a peer that has agreed to hear them."""
        if not self.lost.done() and self.writer.local_option.enabled(GMCP):
            self.outbox.put(IAC + SB + GMCP + message.encode("ascii") + IAC + SE, "game")

    def more(self) -> None:
        """Take what was held back, and read on unless that was enough."""
        self.intake.take()

    def hang_up(self) -> None:
        """Close once everything sent has gone out."""
        self.outbox.close()

    def abort(self) -> None:
        """Close at once."""
        self.outbox.abort()

    # what the door asks

    def known(self) -> bool:
        """Whether somebody has said who they are."""
        return self.front.known

    def make_room(self) -> None:
        """Close, and say that others wanted the place."""
        self.front.show(Line("(others wait to be let in, and you have not said who you are: connect again)"))
        self.front.close()

    def _show_out(self, protocol: str) -> None:
        """Answer a program that speaks another protocol, or a list of places that asks what this is, and close."""
        answer = plainly(self._facts()) if protocol == "MSSP" else sentence(protocol)
        log.info("a stranger was shown out", address=self.address, speaks=protocol)
        self.outbox.put(answer)
        self.hang_up()


def _hex(known: Mapping[bytes, bool]) -> dict[str, bool]:
    return {option.hex(): on for option, on in known.items()}


async def listen(
    host: str,
    port: int,
    visit: Visit,
    front_end: MakeFrontEnd = Front,
    *,
    gate: Gate | None = None,
    tls: ssl.SSLContext | None = None,
    facts: Facts = no_facts,
    listeners: Sequence[socket.socket] = (),
) -> Server:
    """Return an open telnet door that runs `visit` for everyone who connects; raises `OSError` where it cannot listen.

    The library's own server is not used: it keeps a thousand connections after their end, and grows slower with each.
    Doors that share a gate count together; `facts` is what lists of places are told.
    """
    visits, gate = Visits(visit), gate or Gate()
    make = partial(LilyTelnet, visits, front_end, gate.limits, facts, share_of=gate.share)
    return Server(listeners or await listeners_at(host, port), visits, Door(make, gate, tls))
