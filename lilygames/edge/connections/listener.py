"""Listeners: accept connections on a port, run a task for each, and close them all."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol, cast

import attrs
import structlog

from lilygames.chat.people.terminal import Gone, Terminal
from lilygames.edge.connections.admission import Admission, Entry
from lilygames.edge.connections.tls import NEEDS_TLS, ServerCertificate, begins_tls
from lilygames.limits.addresses import network
from lilygames.text import Line

BACKLOG = 1000
"""Connections that may wait to be accepted: enough for a login storm."""

MET = 2
"""Connections accepted per event loop turn, so that a login storm doesn't block the others."""

HANDSHAKE = 10.0
"""Timeout in seconds of TLS handshake and shutdown."""

LARGEST = 65536
"""Bytes that are thrown away of what a client without TLS has sent."""

RETRY = 1.0
"""Seconds until connections are accepted again after the process ran out of file descriptors."""

KEPT_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 150_000}
"""TCP keepalive: a vanished peer is detected after about two minutes. The last value is in milliseconds.

Once a minute keeps a quiet connection alive in most routers.
"""

Visit = Callable[[Terminal], Awaitable[None]]
"""Runs a connection's session, from greeting to disconnect."""


LAST_WORDS = 2.0
"""Seconds a login may still take after a disconnect, so that a script can log in, say something and quit.

It's short because unread password guesses cost the most processor time.
"""

log = structlog.get_logger()


class Connection(Protocol):
    """A connection as the listener sees it; `lost` is done when the connection is closed."""

    lost: asyncio.Future[None]

    def hang_up(self) -> None:
        """Close after everything queued has been sent."""

    def abort(self) -> None:
        """Close at once."""

    def make_room(self) -> None:
        """Close, and say that others are waiting."""

    def logged_in(self) -> bool:
        """Whether someone has logged in."""

    def release(self) -> None:
        """Break reference cycles after the connection is lost and its session is over."""

    def stop_reading(self) -> None:
        """Read nothing more: another process takes over."""

    @property
    def settled(self) -> bool:
        """Whether all output has been sent."""

    @property
    def unsent(self) -> int:
        """Bytes that were written but not taken by the client yet."""


class Listener(Protocol):
    """An open port and the people's connections through it, whatever is spoken there."""

    @property
    def port(self) -> int:
        """The port it listens on."""

    @property
    def connected(self) -> int:
        """The number of people's connections."""

    @property
    def connections(self) -> list[Connection]:
        """The people's connections."""

    def start(self) -> None:
        """Start accepting connections."""

    def stop(self) -> Sequence[socket.socket]:
        """Stop accepting connections, and return the listening sockets."""

    async def restart(self) -> None:
        """Close what another process can't take over, so that clients come back to it, and wait until it's gone."""

    async def close(self, grace: float = 3) -> None:
        """Stop accepting connections, close all, and wait until they are gone or cut."""


class Visits:
    """The session tasks of all connections. Each task ends when its connection is closed."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._connections: dict[asyncio.Task[None], Connection] = {}

    def __len__(self) -> int:
        return len(self._connections)

    @property
    def connections(self) -> list[Connection]:
        """All connections."""
        return [*self._connections.values()]

    def begin(self, connection: Connection, terminal: Terminal, visit: Visit | None = None) -> None:
        """Run the session of a new or handed-over connection."""
        task = asyncio.get_running_loop().create_task(self._host(connection, terminal, visit or self._visit))
        self._connections[task] = connection
        task.add_done_callback(self._connections.pop)
        connection.lost.add_done_callback(partial(self._left, task))

    def _left(self, task: asyncio.Task[None], _: object) -> None:
        """After a disconnect, cancel a session that doesn't log in within `LAST_WORDS` seconds."""
        if task in self._connections:
            timer = asyncio.get_running_loop().call_later(LAST_WORDS, self._abandon, task)
            task.add_done_callback(lambda _: timer.cancel())

    def _abandon(self, task: asyncio.Task[None]) -> None:
        if not task.done() and not self._connections[task].logged_in():
            task.cancel()

    async def _host(self, connection: Connection, terminal: Terminal, visit: Visit) -> None:
        try:
            await visit(terminal)
        except Gone:
            pass
        except Exception:
            case = secrets.token_hex(4)
            log.exception("a session failed", case=case, address=terminal.address)
            terminal.show(Line(f"(Disconnected by a bug: case {case}. Please connect again. The sysop knows.)"))
        finally:
            terminal.close()
            await asyncio.wait((connection.lost,))
            connection.release()

    async def end(self, grace: float) -> None:
        """Close all connections, and cut those that remain after `grace` seconds."""
        for connection in [*self._connections.values()]:
            connection.hang_up()
        if self._connections:
            await asyncio.wait(self._connections, timeout=grace)
        for task, connection in [*self._connections.items()]:
            connection.abort()
            task.cancel()
        if self._connections:
            await asyncio.wait(self._connections, timeout=grace)


def in_words(why: str) -> bytes:
    """Return the row that tells a person why their connection is refused."""
    return f"Refused: {why}\r\n".encode()


@attrs.frozen
class ListenerConfig:
    """How a listener makes connections, who may connect, and its certificate, if it speaks TLS."""

    make: Callable[..., asyncio.Protocol]
    admission: Admission
    tls: ServerCertificate | None = None
    refused: Callable[[str], bytes] = in_words
    """Returns the bytes that say why a connection is refused."""


class _Arrival(asyncio.Protocol):
    """Makes the protocol of a connection and lets it begin. asyncio would only report an error in that, and go on."""

    def __init__(self, make: Callable[[], asyncio.Protocol]) -> None:
        self._make = make
        self.connection: Connection | None = None
        self.problem: Exception | None = None
        """Why the connection couldn't be set up."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Set the connection up, or close it."""
        stream = cast("asyncio.Transport", transport)
        try:
            protocol = self._make()
            stream.set_protocol(protocol)
            protocol.connection_made(stream)
            self.connection = cast("Connection", protocol)
        except Exception as problem:  # noqa: BLE001 - `_let_in` logs it
            self.problem = problem
            stream.set_protocol(asyncio.Protocol())  # half of the other one can't be told that the connection is lost
            stream.abort()


class Server:
    """A listener. Connections are counted before they are set up and before the TLS handshake."""

    def __init__(self, listeners: Sequence[socket.socket], visits: Visits, config: ListenerConfig) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners = [*listeners]
        self._visits = visits
        self._config = config
        self._coming: set[asyncio.Task[None]] = set()
        self.start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        port: int = self._listeners[0].getsockname()[1]
        return port

    @property
    def connected(self) -> int:
        """The number of connections."""
        return len(self._visits)

    def _open(self, listener: socket.socket) -> None:
        if listener.fileno() >= 0:
            self._loop.add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Accept some waiting connections; pause if the process has no file descriptor left."""
        for _ in range(MET):
            try:
                handle, where = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as problem:
                log.warning("can't accept connections; retrying", why=problem.strerror)
                self._loop.remove_reader(listener)
                self._loop.call_later(RETRY, self._open, listener)
                return
            _tune(handle)
            self._meet(handle, network(str(where[0])))

    def _meet(self, handle: socket.socket, address: str) -> None:
        """Accept a connection, or refuse it, with a message if it can be read."""
        if why := self._config.admission.refusal(address):
            with handle, suppress(OSError):
                if self._config.tls is None:
                    handle.send(self._config.refused(why))
            return
        entry = self._config.admission.enter(address)
        task = self._loop.create_task(self._let_in(handle, entry))
        entry.held_by(task.cancel)
        self._coming.add(task)
        task.add_done_callback(partial(self._came, handle, entry))

    async def _let_in(
        self, handle: socket.socket, entry: Entry, make: Callable[[], asyncio.Protocol] | None = None
    ) -> None:
        tls, arrival = self._config.tls, _Arrival(make or self._config.make)
        patience = HANDSHAKE if tls else None
        try:
            if tls and not await begins_tls(handle):
                self._turn_away(handle, entry)
                return
            await self._loop.connect_accepted_socket(
                lambda: arrival,
                handle,
                ssl=tls.context if tls else None,
                ssl_handshake_timeout=patience,
                ssl_shutdown_timeout=patience,
            )
        except OSError as problem:
            log.info("a connection failed", address=entry.address, why=str(problem))
            self._give_up(handle, entry)
            return
        connection = arrival.connection
        if connection is None:
            case = secrets.token_hex(4)
            log.error("a connection can't be set up", case=case, address=entry.address, exc_info=arrival.problem)
            self._config.admission.leave(entry)
            return
        entry.held_by(connection.make_room, connection.logged_in)
        connection.lost.add_done_callback(lambda _: self._config.admission.leave(entry))

    def _turn_away(self, handle: socket.socket, entry: Entry) -> None:
        """Tell a client that doesn't speak TLS what this port needs. Unread bytes would cut the answer off."""
        log.info("a client didn't speak TLS", address=entry.address)
        self._config.admission.leave(entry)
        with handle:
            with suppress(OSError):
                handle.recv(LARGEST)
            with suppress(OSError):
                handle.send(self._config.refused(NEEDS_TLS))

    def _give_up(self, handle: socket.socket, entry: Entry) -> None:
        """Close a connection that couldn't be set up, and stop counting it."""
        self._config.admission.leave(entry)
        handle.close()

    def _came(self, handle: socket.socket, entry: Entry, task: asyncio.Task[None]) -> None:
        self._coming.discard(task)
        if task.cancelled():
            self._give_up(handle, entry)

    async def take_up(self, handle: socket.socket, handed_over: object) -> None:
        """Take over a connection from another process, with its state `handed_over`."""
        entry = self._config.admission.enter(network(str(handle.getpeername()[0])))
        await self._let_in(handle, entry, partial(self._config.make, handed_over=handed_over))

    def start(self) -> None:
        """Start accepting connections."""
        for listener in self._listeners:
            self._open(listener)

    def stop(self) -> Sequence[socket.socket]:
        """Stop accepting connections, and return the listening sockets, where people may be waiting."""
        for listener in self._listeners:
            self._loop.remove_reader(listener)
        return self._listeners

    @property
    def connections(self) -> list[Connection]:
        """All connections."""
        return self._visits.connections

    async def restart(self) -> None:
        """Do nothing: `lilygames.server.reload.handover` hands the connections over, or closes those that it can't."""

    async def close(self, grace: float = 3) -> None:
        """Stop accepting connections, close all, and wait until they are gone or cut."""
        while self._listeners:
            listener = self._listeners.pop()
            self._loop.remove_reader(listener)
            listener.close()
        for task in self._coming:
            task.cancel()
        await self._visits.end(grace)


async def listeners_at(host: str, port: int) -> Sequence[socket.socket]:
    """Return listening sockets for each address of a host; raises `OSError` and leaves none open."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listeners: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            listeners.append(listener := socket.socket(family, socket.SOCK_STREAM))
            listener.settimeout(0)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
    except OSError:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _tune(handle: socket.socket) -> None:
    """Set keepalive, a timeout for vanished peers, and no delay.

    SO_OOBINLINE keeps telnet's urgent byte (DM, sent with Ctrl-C) in order with the others.
    """
    handle.settimeout(0)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in KEPT_ALIVE.items():
        if option := getattr(socket, name, None):
            handle.setsockopt(socket.IPPROTO_TCP, option, value)
