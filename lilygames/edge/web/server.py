"""The web server: the page's files at their paths, and a session for each websocket at `/ws`."""

from __future__ import annotations

import asyncio
import secrets
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import attrs
import structlog
from aiohttp import web

from lilygames.edge.admission import Admission
from lilygames.edge.limits import Allowance, Limits
from lilygames.edge.listener import Connection, ListenerConfig, Server, Visit, Visits, listeners_at
from lilygames.edge.web.address import Proxies
from lilygames.edge.web.files import page_files
from lilygames.edge.web.http import HttpConnection
from lilygames.edge.web.websocket import HEARTBEAT, WebSocket
from lilygames.edge.wire import MakeTerminal

FILES_AT_ONCE, FILES_PER_SECOND = 120, 10
"""Requests for files from one address."""
BROWSER_OPENS = 12
"""Connections that a browser may open in addition to its websockets; most open up to six."""
REMEMBERED = 10_000
"""Addresses whose requests are counted."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

log = structlog.get_logger()
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@attrs.frozen
class WebConfig:
    """The rules of a web server: who may connect, which proxies to believe, and how to make terminals."""

    admission: Admission
    """Counts the people's connections with those of the other listeners."""
    make_terminal: MakeTerminal
    proxies: Proxies = attrs.field(factory=lambda: Proxies(()))
    tls: ssl.SSLContext | None = None


class WebServer:
    """Serves the page. Only websockets count as connections of people."""

    def __init__(self, config: WebConfig, visit: Visit) -> None:
        self._config = config
        self._visits = Visits(visit)
        self._files = page_files()
        self._requests: dict[str, Allowance] = {}
        self._server: Server | None = None
        app = web.Application(middlewares=[self._guarded])
        app.router.add_get("/ws", self._websocket)
        app.router.add_get("/{path:.*}", self._file)
        self._runner = web.AppRunner(app, handle_signals=False, access_log=None, shutdown_timeout=1)

    async def listen(self, host: str, port: int, listeners: Sequence[socket.socket] = ()) -> None:
        """Start to listen; raises `OSError`."""
        await self._runner.setup()
        http = self._runner.server
        if http is None:
            raise RuntimeError("aiohttp has not been set up")
        config = ListenerConfig(partial(HttpConnection, http), Admission(self._for_files), self._config.tls)
        self._server = Server(listeners or await listeners_at(host, port), Visits(self._none), config)

    @property
    def _for_files(self) -> Limits:
        """The limits for all connections of browsers, which open several for files; a proxy opens everyone's."""
        limits, proxies = self._config.admission.limits, self._config.proxies
        at_once = limits.connections if proxies.believed else limits.connections_per_address + BROWSER_OPENS
        a_minute = limits.connects_per_minute * (limits.connections if proxies.believed else BROWSER_OPENS)
        return attrs.evolve(limits, connections_per_address=at_once, connects_per_minute=a_minute)

    @staticmethod
    async def _none(_: object) -> None:
        """Do nothing: only websockets have sessions."""

    # answers

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request; a bug costs only this answer."""
        connection = HttpConnection.of(request)
        connection.begin()
        try:
            return _with_headers(await handler(request))
        except web.HTTPException as refusal:
            refusal.headers.update(HEADERS)
            raise
        except (ConnectionResetError, asyncio.CancelledError):
            raise
        except Exception:
            case = secrets.token_hex(4)
            log.exception("a web request failed", case=case, path=request.path)
            return _sentence(500, f"This is a bug: case {case}. The sysop knows. Please try again.")
        finally:
            connection.rest()

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if not self._may_ask(self._config.proxies.client(request)):
            return _sentence(429, "Too many requests from your address. Wait a minute, then reload the page.")
        path = f"/{request.match_info['path']}"
        found = self._files.get("/index.html" if path == "/" or _is_table(path) else path)
        if not found:
            return _sentence(404, "There is nothing here. The page is at /")
        return found.answer(request)

    def _may_ask(self, address: str) -> bool:
        if len(self._requests) >= REMEMBERED and address not in self._requests:
            self._requests.pop(next(iter(self._requests)))
        allowance = self._requests.setdefault(address, Allowance(FILES_PER_SECOND, FILES_AT_ONCE))
        return allowance.grant(asyncio.get_running_loop().time())

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        if not _is_own_page(request, secure=self._config.proxies.is_secure(request)):
            return _sentence(403, "Only this place's own page may connect here. Open the page itself, at /")
        address = self._config.proxies.client(request)
        admission = self._config.admission
        if why := admission.refusal(address):
            return _sentence(429, f"Refused: {why}")
        received = web.WebSocketResponse(
            max_msg_size=admission.limits.line_bytes, compress=False, heartbeat=HEARTBEAT, autoclose=False
        )
        if not received.can_prepare(request):
            return _sentence(400, "This is for the page's websocket. The page is at /")
        entry = admission.enter(address)
        try:
            await received.prepare(request)
            connection = HttpConnection.of(request)
            wire = WebSocket(connection.transport, address, admission.limits, admission.share(address))
            terminal = wire.begin(self._config.make_terminal)
            connection.carry(wire)
            entry.held_by(wire.make_room, wire.logged_in)
            self._visits.begin(wire, terminal)
            try:
                await wire.read(received)
            finally:
                wire.hang_up()
                wire.ended()
                with suppress(ConnectionResetError):
                    connection.transport.close()
        finally:
            admission.leave(entry)
        return received

    # called by the server

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._listening.port

    @property
    def connected(self) -> int:
        """The number of people's connections."""
        return len(self._visits)

    @property
    def connections(self) -> list[Connection]:
        """The people's connections."""
        return self._visits.connections

    def start(self) -> None:
        """Start accepting connections."""
        self._listening.start()

    def stop(self) -> Sequence[socket.socket]:
        """Stop accepting connections, and return the listening sockets."""
        return self._listening.stop()

    def restart(self) -> None:
        """Tell all pages to come back to the process that takes over."""
        for connection in self._visits.connections:
            if isinstance(connection, WebSocket):
                connection.restart()

    async def close(self, grace: float = 3) -> None:
        """Stop accepting connections, close all, and wait until they are gone or cut."""
        await self._visits.end(grace)
        await self._listening.close(grace)
        await self._runner.cleanup()

    @property
    def _listening(self) -> Server:
        if self._server is None:
            raise RuntimeError("the web server isn't listening yet")
        return self._server


def _with_headers(response: web.StreamResponse) -> web.StreamResponse:
    if not response.prepared:
        response.headers.update(HEADERS)
    return response


def _sentence(status: int, text: str) -> web.Response:
    return web.Response(status=status, text=f"{text}\n", headers={**HEADERS, "Cache-Control": "no-store"})


def _is_table(path: str) -> bool:
    """Whether a path is an invitation to a table: `/t/12`."""
    number = path.removeprefix("/t/")
    return number != path and number.isascii() and number.isdigit()


def _is_own_page(request: web.BaseRequest, *, secure: bool) -> bool:
    """Whether the browser says that the page which connects came from here (RFC 6454)."""
    origin = request.headers.get("Origin", "")
    return origin == f"{'https' if secure else 'http'}://{request.headers.get('Host', '')}"
