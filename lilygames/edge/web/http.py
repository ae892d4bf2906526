"""One HTTP connection: aiohttp reads it, and it has to make a request every now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from lilygames.edge.web.answers import refusal, sentence
from lilygames.edge.web.websocket import WebSocket

IDLE = 15.0
"""Seconds that a connection may take until its next request is complete."""


class Requests(RequestHandler):
    """Reads and answers the requests of one connection. It can end before the connection does."""

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a request that can't be read; aiohttp would log a traceback for each."""
        if status != HTTPStatus.BAD_REQUEST:
            return super().handle_error(request, status, exc, message)
        return sentence(status, "No browser sends such a request. The page is at /", closes=True)

    def let_go(self) -> bytes:
        """End, leave the connection open, and return what has come after the last request."""
        tail: bytes = self._message_tail
        self.transport = None  # else it is closed
        self.connection_lost(None)
        return tail


class HttpConnection(asyncio.Protocol):
    """One connection, which aiohttp reads. It's closed if it makes no request for a while."""

    def __init__(self, http: Callable[[], Requests]) -> None:
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._http: Requests | None = http()
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._websocket: WebSocket | None = None
        self._has_begun = False
        """Whether anything of the next request has come."""

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
        if self._http:
            self._http.connection_made(transport)
        self.rest()

    def data_received(self, data: bytes) -> None:
        """Let the websocket or aiohttp read."""
        self._has_begun = True
        if self._websocket:
            self._websocket.data_received(data)
        elif self._http:
            self._http.data_received(data)

    def eof_received(self) -> bool | None:
        """Close: aiohttp does the same."""
        return None

    def pause_writing(self) -> None:
        """Let the websocket or aiohttp wait."""
        if self._websocket:
            self._websocket.pause_writing()
        elif self._http:
            self._http.pause_writing()

    def resume_writing(self) -> None:
        """Let the websocket or aiohttp write again."""
        if self._websocket:
            self._websocket.resume_writing()
        elif self._http:
            self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything."""
        self.begin()
        if not self.lost.done():
            self.lost.set_result(None)
        if self._websocket:
            self._websocket.ended()
        elif self._http:
            self._http.connection_lost(exc)

    # called by the web server

    def begin(self) -> None:
        """Note that a request is being answered."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def rest(self) -> None:
        """Note that a request has been answered: the next one has to come soon."""
        self.begin()
        self._has_begun = False
        if self._transport and not self._websocket:
            self._timer = asyncio.get_running_loop().call_later(IDLE, self._give_up)

    def _give_up(self) -> None:
        if self._has_begun:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "Your request took too long. Please reload the page.")
        elif self._transport:
            self._transport.close()

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        """Answer instead of aiohttp, and close."""
        if self._transport and not self._transport.is_closing():
            self._transport.write(refusal(status, text))
            self._transport.close()

    def switch(self, websocket: WebSocket) -> None:
        """Let a websocket read and write from now on. For aiohttp, which keeps 11 KiB of a request, this is the end."""
        http, self._http, self._websocket = self._http, None, websocket
        if http and (tail := http.let_go()):
            websocket.data_received(tail)

    @property
    def transport(self) -> asyncio.Transport:
        """The connection's bytes; raises `ConnectionResetError` if the browser has left."""
        if self._transport is None or self._transport.is_closing():
            raise ConnectionResetError("the browser has left")
        return self._transport

    # called by the listener

    def make_room(self) -> None:
        """Close, because others are waiting."""
        if not self._websocket:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Others are waiting for your connection. Please try again.")

    def logged_in(self) -> bool:
        """Whether this is a websocket, which another admission counts."""
        return self._websocket is not None

    def hang_up(self) -> None:
        """Close."""
        if self._transport:
            self._transport.close()
