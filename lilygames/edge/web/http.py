"""One HTTP connection: aiohttp reads it, and it has to make a request every now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import web

from lilygames.edge.web.websocket import WebSocket

IDLE = 15.0
"""Seconds that a connection may take until its next request is complete."""


class HttpConnection(asyncio.Protocol):
    """One connection, which aiohttp reads. It's closed if it makes no request for a while."""

    def __init__(self, http: Callable[[], asyncio.Protocol]) -> None:
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._http = http()
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._websocket: WebSocket | None = None

    @classmethod
    def of(cls, request: web.BaseRequest) -> HttpConnection:
        """Return the connection of a request."""
        transport = request.transport
        found = transport.get_protocol() if transport else None
        if not isinstance(found, cls):
            raise ConnectionResetError("the browser has left")
        return found

    # called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("HTTP needs a stream")
        self._transport = transport
        self._http.connection_made(transport)
        self.rest()

    def data_received(self, data: bytes) -> None:
        """Let aiohttp read."""
        self._http.data_received(data)

    def eof_received(self) -> bool | None:
        """Let aiohttp end."""
        return self._http.eof_received()

    def pause_writing(self) -> None:
        """Let aiohttp wait."""
        self._http.pause_writing()

    def resume_writing(self) -> None:
        """Let aiohttp and the websocket go on."""
        self._http.resume_writing()
        if self._websocket:
            self._websocket.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything."""
        self.begin()
        if not self.lost.done():
            self.lost.set_result(None)
        self._http.connection_lost(exc)
        if self._websocket:
            self._websocket.ended()

    # called by the web server

    def begin(self) -> None:
        """Note that a request is being answered."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def rest(self) -> None:
        """Note that a request has been answered: the next one has to come soon."""
        self.begin()
        if self._transport and not self._websocket:
            self._timer = asyncio.get_running_loop().call_later(IDLE, self._transport.abort)

    def carry(self, websocket: WebSocket) -> None:
        """Note that this connection is a websocket from now on."""
        self._websocket = websocket

    @property
    def transport(self) -> asyncio.Transport:
        """The connection's bytes; raises `ConnectionResetError` if the browser has left."""
        if self._transport is None or self._transport.is_closing():
            raise ConnectionResetError("the browser has left")
        return self._transport

    # called by the listener

    def make_room(self) -> None:
        """Close, because others are waiting."""
        if self._transport and not self._websocket:
            self._transport.abort()

    def logged_in(self) -> bool:
        """Whether this is a websocket, which another admission counts."""
        return self._websocket is not None

    def hang_up(self) -> None:
        """Close."""
        if self._transport:
            self._transport.close()
