"""Telnet connections. Only this file and `options` import telnetlib3, and its bugs are avoided in both.

The library reads and writes options (RFC 854, 855). Other bytes bypass it, to a terminal and an outbox, because its own
streams have no limits. Each fix names its bug; `tests/edge/connections/test_edge_defects.py` has a test for each.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import attrs
import structlog
from telnetlib3.telopt import IAC

from lilygames import log_events
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.listener import ListenerConfig, Server, Visit, Visits, in_words, listeners_at
from lilygames.edge.connections.mssp import Facts, no_facts, plainly
from lilygames.edge.connections.options import Negotiation, OptionWriters
from lilygames.edge.connections.protocol_sniff import FIRST, foreign_protocol, message_for
from lilygames.edge.connections.tls import ServerCertificate
from lilygames.edge.screens.machine import row_of
from lilygames.edge.terminal.terminal import TelnetTerminal, for_program
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import ConnectionState, handed_on
from lilygames.edge.wire.limits import Limits, ReadThrottle, Share
from lilygames.edge.wire.outbox import ANY, Outbox
from lilygames.edge.wire.wire import MakeTerminal, WireTerminal
from lilygames.limits.addresses import network
from lilygames.text import Kind, Line, Problem

log = structlog.get_logger()


class LilyTelnet(asyncio.Protocol):
    """One telnet connection: a `Wire` for its terminal."""

    __slots__ = (
        "__weakref__", "_first", "_handed_over", "_has_options", "_has_tls", "_make_terminal", "_share_of", "_visits",
        "_wire", "address", "facts", "intake", "limits", "lost", "options", "outbox", "peer", "share", "terminal",
    )  # fmt: skip

    terminal: WireTerminal
    outbox: Outbox
    intake: ReadThrottle

    def __init__(
        self,
        visits: Visits,
        make_terminal: MakeTerminal,
        limits: Limits,
        facts: Facts = no_facts,
        *,
        share_of: Callable[[str], Share] | None = None,
        handed_over: tuple[ConnectionState, Visit] | None = None,
        writers: OptionWriters | None = None,
    ) -> None:
        self.address = ""
        self.peer = Peer()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.limits = limits
        self.options = Negotiation(self, writers or OptionWriters())
        self._share_of = share_of or (lambda _: Share(limits))
        self._visits = visits
        self._handed_over = handed_over
        self._has_options = True
        """Whether telnet options are read and sent."""
        self._first: bytes | None = b""
        """The start of the first line; None once it is known to come from a person."""
        self._make_terminal = make_terminal
        self.facts = facts

    # called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the session at once, without waiting for a client that may never answer."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("telnet needs a stream")
        self._wire = transport
        self._has_tls = transport.get_extra_info("sslcontext") is not None
        self.address = network(str((transport.get_extra_info("peername") or ("?",))[0]))
        self.share = self._share_of(self.address)
        self.terminal = self._make_terminal(self)
        self.outbox = Outbox(transport, self.terminal.skipped, self.terminal.changed)
        transport.set_write_buffer_limits(high=ANY)  # TLS may have bytes that wait already
        self.intake = ReadThrottle(
            transport, self.limits.bytes_per_second, self._interpret, self.terminal.is_full, self.share.bytes
        )
        loop = asyncio.get_running_loop()
        carried, visit = self._handed_over or (None, None)
        if carried:  # restore the options that another process negotiated, and continue reading
            self.options.take_up(carried.local, carried.remote, carried.pending, character_mode=carried.keyed)
            self._first = None  # another process has checked it
            self.peer = carried.peer
            self.intake.hold(bytes.fromhex(carried.held))
            if visit is None:
                loop.call_soon(self.more)
        else:  # after the greeting: clients of lily take it as part of a line, and then don't know a login prompt
            loop.call_soon(loop.call_soon, self._probe)
        self._visits.begin(self, self.terminal, visit)

    def _probe(self) -> None:
        """Send one probe, DO TTYPE, which even netcat users hardly see."""
        if self._has_options and not (self.lost.done() or self._wire.is_closing()):
            self.options.probe()

    def stop_reading(self) -> None:
        """Leave further input to the next process."""
        self.intake.pause()

    @property
    def settled(self) -> bool:
        """Whether all output has been sent."""
        return self.outbox.empty and not self.unsent

    @property
    def unsent(self) -> int:
        """Bytes that were written but not taken by the client yet. A closing TLS transport can't say: 0."""
        return 0 if self._has_tls and self._wire.is_closing() else self._wire.get_write_buffer_size()

    def carry(self) -> ConnectionState | None:
        """Return the connection's state for the next process; None if it can't be handed over, as with TLS.

        Input that hasn't been read is only read there from now on.
        """
        if self._has_tls or self._wire.is_closing() or not self.settled:
            return None
        return ConnectionState(
            handed_on(self._wire.get_extra_info("socket")),
            self.peer,
            *self.options.options,
            self.options.character_mode_wanted,
            self.intake.taken().hex(),
            self.terminal.carry(),
        )

    def data_received(self, data: bytes) -> None:
        """Handle received bytes."""
        self.outbox.flusher.flush_after(self.intake.take, data)

    def _interpret(self, piece: bytes) -> None:
        """Read bytes; without telnet options, the usual case, nothing needs interpreting."""
        if not self._has_options or (IAC not in piece and not (self.options.lent and self.options.in_command)):
            if self._first is None:
                self.terminal.feed(piece)
            else:
                self._read_text(piece)
            return
        options = self.options.read(piece, self._read_text)
        if options and self.options.is_flooded(options):
            log_events.limit("option_bytes", address=self.address)
            self.abort()

    def _read_text(self, data: bytes) -> None:
        """Pass on typed bytes. The first line is checked, because some clients speak another protocol."""
        if self._first is None or not self._speaks_another_protocol(self._first + data):
            self.terminal.feed(data)

    def _speaks_another_protocol(self, first: bytes) -> bool:
        self._first = first if len(first) < FIRST and b"\n" not in first else None
        if protocol := foreign_protocol(first[:FIRST]):
            self._first = None
            self.show_out(protocol)
        return bool(protocol)

    def pause_writing(self) -> None:
        """Tell the outbox that bytes wait for a slow reader."""
        self.outbox.pause()

    def resume_writing(self) -> None:
        """Tell the outbox that a slow reader has caught up."""
        self.outbox.caught_up()

    def eof_received(self) -> bool:
        """Let a client that closed its side, as in `printf ... | nc`, read its answers; TLS can't."""
        self.intake.end(self.terminal.gone)
        return not self._has_tls

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Release everything."""
        if self.lost.done():
            return
        self.lost.set_result(None)
        self.terminal.gone(lost=True)
        self.outbox.stop()
        self.options.end()
        self.intake.stop()

    def release(self) -> None:
        """Break the reference cycles between the parts, and that of asyncio's transport with its own method.

        Otherwise they would stay in memory until the next full garbage collection.
        """
        del self.terminal, self.options
        vars(self._wire).pop("_read_ready_cb", None)

    def learn(self, **facts: Any) -> None:
        """Store what the client has reported, and tell the terminal."""
        peer = attrs.evolve(self.peer, **facts)
        if peer != self.peer:
            self.peer = peer
            self.terminal.learned(peer)

    # called by the terminal

    def send(self, data: bytes, kind: Kind) -> None:
        """Send bytes, with IAC already doubled; talk and notices may be skipped for a slow reader."""
        self.outbox.put(data, kind)

    def send_rows(self, rows: bytes, kind: Kind) -> None:
        """Send whole rows above the last row."""
        self.outbox.put_rows(rows, kind)

    def set_last_row(self, away: bytes, again: bytes) -> None:
        """Set the content of the last row."""
        self.outbox.set_last_row(away, again)

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Ask the client to hide or show what is typed."""
        if self._has_options and not self.lost.done():
            self.options.conceal(typing=typing)

    def character_mode(self, wanted: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Ask the client to send each key as it is typed, or to stop doing so."""
        self.peer = attrs.evolve(self.peer, keys=None)
        if self._has_options and not self.lost.done():
            self.options.character_mode(wanted=wanted)

    def end_options(self) -> None:
        """Read and send no more telnet options."""
        self._has_options = False

    def gmcp(self, message: str) -> None:
        """Send a GMCP message, if the client supports it."""
        if self._has_options and not self.lost.done():
            self.options.write_gmcp(message)

    def more(self) -> None:
        """Handle input held back, and resume reading if there is room."""
        self.intake.take()

    def hang_up(self) -> None:
        """Close after everything queued has been sent."""
        self.outbox.close()

    def abort(self) -> None:
        """Close at once."""
        self.outbox.abort()

    # called by the listener

    def logged_in(self) -> bool:
        """Whether someone has logged in."""
        return self.terminal.logged_in

    def make_room(self) -> None:
        """Close, and say that others are waiting."""
        self.terminal.show(Line("(disconnected: others are waiting and you hadn't logged in; please try again)"))
        self.terminal.close()

    def show_out(self, protocol: str) -> None:
        """Answer a client of another protocol, or an MSSP request, and close."""
        answer = plainly(self.facts()) if protocol == "MSSP" else message_for(protocol)
        log.info("closed a connection of another protocol", address=self.address, speaks=protocol)
        self.outbox.put(answer)
        self.hang_up()


class ProgramConnection(LilyTelnet):
    """One connection of a program: lines of text, and nothing of telnet."""

    __slots__ = ()

    def _probe(self) -> None:
        """Ask for nothing."""

    def _interpret(self, piece: bytes) -> None:
        self._read_text(piece)

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Do nothing: the prompt says that its answer is a secret."""

    def character_mode(self, wanted: bool) -> None:  # noqa: FBT001 - same
        """Do nothing: a program sends whole lines."""

    def gmcp(self, message: str) -> None:
        """Do nothing: packets come as JSON."""

    def show_out(self, protocol: str) -> None:
        """Tell a client of another protocol what is spoken here, and close."""
        log.info("closed a connection of another protocol", address=self.address, speaks=protocol)
        self.terminal.show(Line(_SPOKEN_HERE, problem=Problem("bad-request")))
        self.hang_up()


_SPOKEN_HERE = "Refused: this port is for programs that send lines or objects in JSON; see /help machine."


def in_json(why: str) -> bytes:
    """Return the row that tells a program why its connection is refused."""
    return row_of(Line(f"Refused: {why}", problem=Problem("no-room")))


async def listen(
    host: str,
    port: int,
    visit: Visit,
    make_terminal: MakeTerminal = TelnetTerminal,
    *,
    program: bool = False,
    admission: Admission | None = None,
    tls: ServerCertificate | None = None,
    facts: Facts = no_facts,
    listeners: Sequence[socket.socket] = (),
) -> Server:
    """Return a running telnet listener that calls `visit` for each connection; raises `OSError` if it can't listen.

    The library's own server isn't used: it keeps a thousand closed connections and gets slower with each. Listeners
    with the same admission count together; `facts` is the MSSP information. A listener for programs speaks JSON from
    the first byte.
    """
    visits, admission = Visits(visit), admission or Admission()
    kind, terminal = (ProgramConnection, for_program) if program else (LilyTelnet, make_terminal)
    make = partial(kind, visits, terminal, admission.limits, facts, share_of=admission.share, writers=OptionWriters())
    config = ListenerConfig(make, admission, tls, in_json if program else in_words)
    return Server(listeners or await listeners_at(host, port), visits, config)
