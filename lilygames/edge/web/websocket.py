"""One websocket: the wire of a terminal whose screen is JSON."""

from __future__ import annotations

import asyncio

import structlog

from lilygames.edge.web.frames import GOING_AWAY, BadFrame, Control, FrameReader, FrameTransport, Text
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import Limits, ReadThrottle, Share
from lilygames.edge.wire.outbox import ANY, Outbox
from lilygames.edge.wire.wire import MakeTerminal, WireTerminal
from lilygames.text import Kind, Line, Packet

HEARTBEAT = 30.0
"""Seconds between pings. Proxies close a silent connection, and a browser that answers none has gone."""

log = structlog.get_logger()


class WebSocket:
    """A `Wire` and a `Connection`: text in both directions, nothing of telnet."""

    def __init__(self, transport: asyncio.Transport, address: str, limits: Limits, share: Share) -> None:
        self.address = address
        self.limits = limits
        self.share = share
        self.peer = Peer(charset="utf-8")
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport = transport
        self._frames = FrameTransport(transport, address)
        self._reader = FrameReader()
        self._reading = True
        self._is_there = True
        self.terminal: WireTerminal | None = None
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, make_terminal: MakeTerminal) -> WireTerminal:
        """Make the terminal, and return it."""
        terminal = self.terminal = make_terminal(self)
        self._outbox = Outbox(self._frames, terminal.skipped, terminal.changed)
        self._frames.set_write_buffer_limits(high=ANY)
        self._intake = ReadThrottle(
            self._transport, self.limits.bytes_per_second, self._read, terminal.is_full, self.share.bytes
        )
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat)
        return terminal

    # called by the connection

    def data_received(self, data: bytes) -> None:
        """Read what the browser sends, no faster than its limits allow."""
        self._is_there = True
        self._intake.take(data)

    def _read(self, piece: bytes) -> None:
        try:
            for found in self._reader.feed(piece):
                self._take(found)
        except BadFrame as problem:
            self._refuse(problem)

    def _take(self, found: Text | Control) -> None:
        match found:
            case Text(data, last):
                if self._reading and self.terminal and not self._frames.is_closing():
                    self.terminal.feed(data + b"\n" if last else data)
            case Control("ping", data):
                self._frames.pong(data)
            case Control("close"):
                self._frames.confirmed()

    def _refuse(self, problem: BadFrame) -> None:
        if self._reading and self.terminal:
            log.info("closed a websocket", address=self.address, why=str(problem))
            self._reading = False
            self.terminal.show(Line(f"(disconnected: {problem})"))
            self.close_as(problem.code)

    def _beat(self) -> None:
        """Ask the browser whether it is there; one that hasn't answered the last time has gone."""
        if not (self._is_there or self._intake.held):
            self.abort()
            return
        self._is_there = False
        self._frames.ping()
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat)

    def pause_writing(self) -> None:
        """Tell the outbox that bytes wait for a slow reader."""
        self._outbox.pause()

    def resume_writing(self) -> None:
        """Tell the outbox that a slow reader has caught up."""
        self._outbox.caught_up()

    def ended(self) -> None:
        """Release everything: the browser has left."""
        if not self.lost.done():
            self.lost.set_result(None)
            if self._timer:
                self._timer.cancel()
            if self.terminal:
                self.terminal.gone(lost=True)
            self._outbox.stop()
            self._intake.stop()

    # called by the terminal

    @property
    def outbox(self) -> Outbox | None:
        """The outbox for shared rows."""
        return self._outbox if self.terminal else None

    def send(self, data: bytes, kind: Kind) -> None:
        """Send a line of JSON; talk and notices may be skipped for a slow reader."""
        self._outbox.put(data, kind)

    def send_rows(self, rows: bytes, kind: Kind) -> None:
        """Send lines of JSON."""
        self._outbox.put_rows(rows, kind)

    def set_last_row(self, away: bytes, again: bytes) -> None:
        """Do nothing: a page has no last row."""

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Do nothing: the prompt says that its answer is a secret."""

    def character_mode(self, wanted: bool) -> None:  # noqa: FBT001 - same
        """Do nothing: a page sends whole lines."""

    def gmcp(self, message: str) -> None:
        """Do nothing: packets come as JSON."""

    def end_options(self) -> None:
        """Do nothing: a page knows nothing of telnet."""

    def more(self) -> None:
        """Read on: there is room for more input."""
        self._intake.take()

    def hang_up(self) -> None:
        """Close after everything queued has been sent."""
        self._outbox.close()

    # called by the server

    def abort(self) -> None:
        """Close at once."""
        self._outbox.abort()

    def stop_reading(self) -> None:
        """Ignore what still comes: its answer would be lost, and the page asks again when it is back."""
        self._reading = False

    def say_goodbye(self) -> None:
        """Tell the page that the place restarts, and that it can come back at once."""
        if self.terminal and self.terminal.takes_picture:
            self.terminal.packet(Packet("goodbye", {"reason": "restart", "retry": True}))

    def close_as(self, code: int) -> None:
        """Close with this code after everything queued has been sent."""
        self._frames.close_as(code)
        self.hang_up()

    @property
    def settled(self) -> bool:
        """Whether all output has been sent."""
        return self._outbox.empty and not self.unsent

    @property
    def unsent(self) -> int:
        """Bytes that were written but not taken by the browser yet."""
        return self._frames.get_write_buffer_size()

    def logged_in(self) -> bool:
        """Whether someone has logged in."""
        return bool(self.terminal and self.terminal.logged_in)

    def make_room(self) -> None:
        """Close, and say that others are waiting."""
        if self.terminal:
            self.terminal.show(Line("(disconnected: others are waiting and you hadn't logged in; please try again)"))
        self.close_as(GOING_AWAY)

    def release(self) -> None:
        """Break the reference cycle between the parts."""
        self.terminal = None
