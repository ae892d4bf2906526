"""The web server: the page's files at their paths, and a session for each websocket at `/ws`."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from http import HTTPStatus

import attrs
import structlog
from aiohttp import web

from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.listener import Connection, ListenerConfig, Server, Visit, Visits, listeners_at
from lilygames.edge.connections.tls import ServerCertificate
from lilygames.edge.web.address import Proxies
from lilygames.edge.web.answers import page_answer, refusal, sentence
from lilygames.edge.web.files import page_files
from lilygames.edge.web.frames import GOING_AWAY, RESTART
from lilygames.edge.web.host_names import HostNames
from lilygames.edge.web.http import HttpConnection, Requests
from lilygames.edge.web.pages import Page, PageRequest, Pages
from lilygames.edge.web.shell import telnet_in_html
from lilygames.edge.web.websocket import WebSocket
from lilygames.edge.wire.limits import Limits
from lilygames.edge.wire.wire import MakeTerminal
from lilygames.limits.addresses import Networks, is_in
from lilygames.limits.quota import FILES, Quotas, Who

BROWSER_OPENS = 12
"""Connections that a browser may open in addition to its websockets; most open up to six."""
_ACCEPTS = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""The text that each websocket's server adds to the browser's key (RFC 6455, section 1.3)."""
_TOO_MANY = "Too many requests from your address. Wait a minute, then reload the page."
LEAVING = 1.0
"""Seconds that browsers have to confirm that they come back to the next process; everyone waits for them."""
log = structlog.get_logger()
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@attrs.frozen
class WebConfig:
    """The rules of a web server: who may connect, which proxies to believe, and how to make terminals."""

    admission: Admission
    """Counts the people's connections with those of the other listeners."""
    make_terminal: MakeTerminal
    proxies: Proxies = attrs.field(factory=lambda: Proxies(()))
    tls: ServerCertificate | None = None
    address: str = ""
    """Where people connect by telnet, such as `games.example 7777`; empty if it isn't known."""
    telnet_port: int = 7777
    names: HostNames = attrs.field(factory=HostNames)
    """The names under which the page is served."""
    quotas: Quotas = attrs.field(factory=Quotas)
    """The uses of all quotas."""
    exempt: Networks = ()
    """Networks whose addresses have no quotas."""


class WebServer:
    """Serves the page. Only websockets count as connections of people."""

    def __init__(self, config: WebConfig, visit: Visit, pages: Pages | None = None) -> None:
        self._config = config
        self._visits = Visits(visit)
        self._files = page_files(telnet_in_html(config.address, config.telnet_port))
        self.answers = Counter[int]()
        """Requests answered so far, by status. A websocket counts as 101."""
        self._server: Server | None = None
        app = web.Application(middlewares=[self._guarded])
        app.router.add_get("/ws", self._websocket)
        for path, page in (pages or {}).items():
            pattern = path.replace("{rest}", "{rest:.*}")
            app.router.add_get(pattern, partial(self._page, page))
            app.router.add_post(pattern, partial(self._page, page))
        app.router.add_get("/{path:.*}", self._file)
        self._runner = web.AppRunner(app, handle_signals=False, access_log=None, shutdown_timeout=1)

    async def listen(self, host: str, port: int, listeners: Sequence[socket.socket] = ()) -> None:
        """Start to listen; raises `OSError`."""
        listeners = listeners or await listeners_at(host, port)
        await self._runner.setup()
        http = self._runner.server
        if http is None:
            raise RuntimeError("aiohttp has not been set up")
        requests = partial(
            Requests,
            http,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type]  # None turns it off
            lingering_time=0,  # else it would read a body that nobody wants for ten seconds
        )
        admission = Admission(self._for_files)
        config = ListenerConfig(partial(HttpConnection, requests), admission, self._config.tls, _too_many)
        self._server = Server(listeners, Visits(self._none), config)

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
            answer = await self._answered(request, handler)
        finally:
            connection.rest()
        self.answers[answer.status] += 1
        return answer

    async def _answered(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        if not self._config.names.has(host):
            return sentence(421, self._config.names.refusal(host), closes=True)
        try:
            return await handler(request)
        except web.HTTPMethodNotAllowed as problem:
            return sentence(405, "Only GET and HEAD work here. The page is at /", Allow=problem.headers["Allow"])
        except (ConnectionResetError, asyncio.CancelledError):
            raise
        except Exception:
            case = secrets.token_hex(4)
            log.exception("a web request failed", case=case, path=request.path)
            return sentence(500, f"This is a bug: case {case}. The sysop knows. Please try again.")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if not self._may_ask(self._config.proxies.client(request)):
            return sentence(429, _TOO_MANY, closes=True)
        path = f"/{request.match_info['path']}"
        found = self._files.get("/index.html" if path == "/" or _is_table(path) else path)
        if not found:
            return sentence(404, "There is nothing here. The page is at /")
        return found.answer(request)

    async def _page(self, page: Page, request: web.Request) -> web.StreamResponse:
        """Answer with a page of another part of the server."""
        address = self._config.proxies.client(request)
        if not self._may_ask(address):
            return sentence(429, _TOO_MANY, closes=True)
        rest = request.match_info.get("rest", "")
        scheme = "https" if self._config.proxies.is_secure(request) else "http"
        origin = f"{scheme}://{request.headers.get('Host', '')}"
        answer = await page(PageRequest(request.method == "POST", request.query, rest, self._who(address), origin))
        return page_answer(answer, request)

    def _may_ask(self, address: str) -> bool:
        return self._config.quotas.take(FILES, self._who(address), time.time()) is None

    def _who(self, address: str) -> Who:
        return Who(address=address, exempt=is_in(address, self._config.exempt))

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        address = self._config.proxies.client(request)
        if why := self._misplaced(request):
            return why if self._may_ask(address) else sentence(429, _TOO_MANY, closes=True)
        admission = self._config.admission
        if refused := admission.refusal(address):
            return sentence(429, f"Refused: {refused}", closes=True)
        connection = HttpConnection.of(request)
        transport = connection.transport
        wire = WebSocket(transport, address, admission.limits, admission.share(address))
        terminal = wire.begin(self._config.make_terminal)
        transport.write(_switching(request.headers["Sec-WebSocket-Key"]))
        entry = admission.enter(address)
        entry.held_by(wire.make_room, wire.logged_in)
        wire.lost.add_done_callback(lambda _: admission.leave(entry))
        connection.switch(wire)
        self._visits.begin(wire, terminal)
        return web.Response(status=101)  # which isn't sent: for aiohttp, the browser has left

    def _misplaced(self, request: web.Request) -> web.Response | None:
        """Return the answer to what isn't a websocket of our own page."""
        if not _is_own_page(request, secure=self._config.proxies.is_secure(request)):
            return sentence(403, "Only this place's own page may connect here. Open the page itself, at /")
        if not web.WebSocketResponse(compress=False).can_prepare(request):
            return sentence(400, "This is for the page's websocket. The page is at /")
        return None

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

    async def restart(self) -> None:
        """Tell all pages to come back to the process that takes over, and wait until they have left or are cut."""
        for websocket in self._websockets:
            websocket.say_goodbye()
        await self._end(RESTART, LEAVING)

    async def close(self, grace: float = 3) -> None:
        """Stop accepting connections, close all, and wait until they are gone or cut."""
        self._listening.stop()
        await self._end(GOING_AWAY, grace)
        await self._listening.close(grace)
        await self._runner.cleanup()

    async def _end(self, code: int, grace: float) -> None:
        for websocket in self._websockets:
            websocket.close_as(code)
        await self._visits.end(grace)

    @property
    def _websockets(self) -> list[WebSocket]:
        return [connection for connection in self._visits.connections if isinstance(connection, WebSocket)]

    @property
    def _listening(self) -> Server:
        if self._server is None:
            raise RuntimeError("the web server isn't listening yet")
        return self._server


def _too_many(why: str) -> bytes:
    """Return the answer to a connection that is refused."""
    return refusal(HTTPStatus.SERVICE_UNAVAILABLE, f"Refused: {why}")


def _switching(key: str) -> bytes:
    """Return the answer that opens a websocket (RFC 6455, section 4.2.2)."""
    accept = base64.b64encode(hashlib.sha1(f"{key}{_ACCEPTS}".encode(), usedforsecurity=False).digest()).decode()
    rows = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")
    return "\r\n".join([*rows, f"Sec-WebSocket-Accept: {accept}", "", ""]).encode()


def _is_table(path: str) -> bool:
    """Whether a path is an invitation to a table: `/t/12`."""
    number = path.removeprefix("/t/")
    return number != path and number.isascii() and number.isdigit()


def _is_own_page(request: web.BaseRequest, *, secure: bool) -> bool:
    """Whether the browser says that the page which connects came from here (RFC 6454)."""
    origin = request.headers.get("Origin", "")
    return origin == f"{'https' if secure else 'http'}://{request.headers.get('Host', '')}"
