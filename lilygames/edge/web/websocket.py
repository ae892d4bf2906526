"""One websocket: the wire of a terminal whose screen is JSON."""

from __future__ import annotations

import asyncio

import structlog
from aiohttp import WSMessage, WSMsgType, web

from lilygames.edge.capabilities import Peer
from lilygames.edge.limits import BYTES_AT_ONCE, Allowance, Limits, Share
from lilygames.edge.outbox import Outbox
from lilygames.edge.web.frames import GOING_AWAY, RESTART, FrameTransport
from lilygames.edge.wire import MakeTerminal, WireTerminal
from lilygames.text import Kind, Line

FRAME_COSTS = 32
"""Bytes that a frame counts in addition to its text, so that empty ones aren't free."""
HEARTBEAT = 30.0
"""Seconds between pings. A browser that doesn't answer one in half that time is gone."""

log = structlog.get_logger()


class WebSocket:
    """A `Wire` and a `Connection`: text in both directions, nothing of telnet."""

    def __init__(self, transport: asyncio.Transport, address: str, limits: Limits, share: Share) -> None:
        self.address = address
        self.limits = limits
        self.share = share
        self.peer = Peer(charset="utf-8")
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._frames = FrameTransport(transport)
        self._flow = Allowance(limits.bytes_per_second, limits.bytes_per_second * BYTES_AT_ONCE, share.bytes)
        self._room = asyncio.Event()
        self.terminal: WireTerminal | None = None

    def begin(self, make_terminal: MakeTerminal) -> WireTerminal:
        """Make the terminal, and return it."""
        terminal = self.terminal = make_terminal(self)
        self._outbox = Outbox(self._frames, terminal.skipped, terminal.changed)
        return terminal

    async def read(self, received: web.WebSocketResponse) -> None:
        """Pass on what the browser sends, no faster than its limits allow, until it leaves."""
        loop = asyncio.get_running_loop()
        async for message in received:
            terminal = self.terminal
            if terminal is None or message.type is not WSMsgType.TEXT:
                self._refuse(message)
                break
            self._flow.take(loop.time(), FRAME_COSTS + len(message.data))
            terminal.feed(f"{message.data}\n".encode("utf-8", "replace"))
            if owed := self._flow.owed(loop.time()):
                await asyncio.sleep(owed)
            while terminal.is_full() and not self._frames.is_closing():
                self._room.clear()
                await self._room.wait()
        if received.exception():
            log.info("a websocket was closed", address=self.address, why=str(received.exception()))

    def _refuse(self, message: WSMessage) -> None:
        if message.type is WSMsgType.BINARY and self.terminal:
            self.terminal.show(Line("(disconnected: binary messages aren't read here; send text)"))
            self.hang_up()

    def ended(self) -> None:
        """Release everything: the browser has left."""
        if not self.lost.done():
            self.lost.set_result(None)
            if self.terminal:
                self.terminal.gone(lost=True)
                self._outbox.stop()
            self._room.set()

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

    def more(self) -> None:
        """Read on: there is room for more input."""
        self._room.set()

    def hang_up(self) -> None:
        """Close after everything queued has been sent."""
        self._outbox.close()
        self._room.set()

    # called by the server

    def resume_writing(self) -> None:
        """Tell the outbox that a slow reader has caught up."""
        self._outbox.caught_up()

    def abort(self) -> None:
        """Close at once."""
        self._outbox.abort()
        self._room.set()

    def restart(self) -> None:
        """Close, and tell the page to come back: another process goes on."""
        self._frames.close_as(RESTART)
        self.hang_up()

    def logged_in(self) -> bool:
        """Whether someone has logged in."""
        return bool(self.terminal and self.terminal.logged_in)

    def make_room(self) -> None:
        """Close, and say that others are waiting."""
        if self.terminal:
            self.terminal.show(Line("(disconnected: others are waiting and you hadn't logged in; please try again)"))
        self._frames.close_as(GOING_AWAY)
        self.hang_up()

    def release(self) -> None:
        """Break the reference cycle between the parts."""
        self.terminal = None
