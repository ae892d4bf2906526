"""A port that is listened on: who may connect, the task of each connection, and how all of them are ended."""

from __future__ import annotations

import asyncio
import secrets
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol, cast

import attrs
import structlog

from lilygames.chat.terminal import Gone, Terminal
from lilygames.edge.admission import Admission, Entry
from lilygames.edge.limits import network
from lilygames.text import Line

BACKLOG = 1000
"""Connections that may wait to be let in: all of a login storm."""

MET = 2
"""Connections that are met in one turn of the event loop, so that a storm of them leaves the others theirs."""

HANDSHAKE = 10.0
"""Seconds in which TLS is agreed upon, or ended."""

RETRY = 1.0
"""Seconds until the door opens again after the process ran out of file descriptors."""

KEPT_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 150_000}
"""A peer that has vanished without a word is missed after some two minutes; the first three are in seconds or a count.

Every minute is often enough for most routers to keep a quiet connection in mind.
"""

Visit = Callable[[Terminal], Awaitable[None]]
"""What each connection's own task runs, from the greeting to the goodbye."""


LAST_WORDS = 2.0
"""Seconds in which who has hung up may still come in, so that a script can log in, say something and be gone.

For who is unknown nothing is worked out for longer: passwords that are guessed and not waited for cost most.
"""

log = structlog.get_logger()


class Connection(Protocol):
    """A connection as the door sees it: it can be hung up or cut, and `lost` is done when nothing is left of it."""

    lost: asyncio.Future[None]

    def hang_up(self) -> None:
        """Close once everything sent has gone out."""

    def abort(self) -> None:
        """Close at once."""

    def make_room(self) -> None:
        """Close, and say that others wanted the place."""

    def logged_in(self) -> bool:
        """Whether somebody has said who they are."""

    def release(self) -> None:
        """Let go of the parts of the connection, when it is lost and its visit is over."""


class Visits:
    """The tasks of those who are connected. One ends when its connection is gone, so none is forgotten."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._connections: dict[asyncio.Task[None], Connection] = {}

    def __len__(self) -> int:
        return len(self._connections)

    @property
    def connections(self) -> list[Connection]:
        """All who are connected."""
        return [*self._connections.values()]

    def begin(self, connection: Connection, terminal: Terminal, visit: Visit | None = None) -> None:
        """Run the visit of a new connection, or one that goes on."""
        task = asyncio.get_running_loop().create_task(self._host(connection, terminal, visit or self._visit))
        self._connections[task] = connection
        task.add_done_callback(self._connections.pop)
        connection.lost.add_done_callback(partial(self._left, task))

    def _left(self, task: asyncio.Task[None], _: object) -> None:
        """End the visit of somebody who has hung up, unless they are about to come in."""
        if task in self._connections:
            timer = asyncio.get_running_loop().call_later(LAST_WORDS, self._abandon, task)
            task.add_done_callback(lambda _: timer.cancel())

    def _abandon(self, task: asyncio.Task[None]) -> None:
        if task in self._connections and not self._connections[task].logged_in():
            task.cancel()

    async def _host(self, connection: Connection, terminal: Terminal, visit: Visit) -> None:
        try:
            await visit(terminal)
        except Gone:
            pass
        except Exception:
            case = secrets.token_hex(4)
            log.exception("a visit failed", case=case, address=terminal.address)
            terminal.show(Line(f"(something broke here: connect again, or tell the sysop “case {case}”)"))
        finally:
            terminal.close()
            await asyncio.wait((connection.lost,))
            connection.release()

    async def end(self, grace: float) -> None:
        """Hang up on everybody, and cut those who are not gone after `grace` seconds."""
        for connection in [*self._connections.values()]:
            connection.hang_up()
        if self._connections:
            await asyncio.wait(self._connections, timeout=grace)
        for task, connection in [*self._connections.items()]:
            connection.abort()
            task.cancel()
        if self._connections:
            await asyncio.wait(self._connections, timeout=grace)


@attrs.frozen
class ListenerConfig:
    """What makes a connection, who may connect, and TLS where that is spoken."""

    make: Callable[..., asyncio.Protocol]
    admission: Admission
    tls: ssl.SSLContext | None = None


class Server:
    """A listening door. Connections are counted before anything is built for them, and before TLS is spoken."""

    def __init__(self, listeners: Sequence[socket.socket], visits: Visits, config: ListenerConfig) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners = [*listeners]
        self._visits = visits
        self._config = config
        self._coming: set[asyncio.Task[None]] = set()
        self.start()

    @property
    def port(self) -> int:
        """The port it listens at."""
        port: int = self._listeners[0].getsockname()[1]
        return port

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._visits)

    def _open(self, listener: socket.socket) -> None:
        if listener.fileno() >= 0:
            self._loop.add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Meet some of those who wait; where the process has no file descriptor left, wait a moment."""
        for _ in range(MET):
            try:
                handle, where = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as problem:
                log.warning("nobody can be let in for a moment", why=problem.strerror)
                self._loop.remove_reader(listener)
                self._loop.call_later(RETRY, self._open, listener)
                return
            _tune(handle)
            self._meet(handle, network(str(where[0])))

    def _meet(self, handle: socket.socket, address: str) -> None:
        """Turn a connection away, in a sentence where it can be read, or let it in."""
        if why := self._config.admission.refusal(address):
            with handle, suppress(OSError):
                if self._config.tls is None:
                    handle.send(f"Refused: {why}\r\n".encode())
            return
        entry = self._config.admission.enter(address)
        task = self._loop.create_task(self._let_in(handle, entry))
        entry.held_by(task.cancel)
        self._coming.add(task)
        task.add_done_callback(partial(self._came, handle, entry))

    async def _let_in(
        self, handle: socket.socket, entry: Entry, make: Callable[[], asyncio.Protocol] | None = None
    ) -> None:
        tls = self._config.tls
        patience = HANDSHAKE if tls else None
        try:
            _, protocol = await self._loop.connect_accepted_socket(
                make or self._config.make,
                handle,
                ssl=tls,
                ssl_handshake_timeout=patience,
                ssl_shutdown_timeout=patience,
            )
        except OSError as problem:
            log.info("a connection came to nothing", address=entry.address, why=str(problem))
            self._config.admission.leave(entry)
            return
        connection = cast("Connection", protocol)
        entry.held_by(connection.make_room, connection.logged_in)
        connection.lost.add_done_callback(lambda _: self._config.admission.leave(entry))

    def _came(self, handle: socket.socket, entry: Entry, task: asyncio.Task[None]) -> None:
        self._coming.discard(task)
        if task.cancelled():
            self._config.admission.leave(entry)
            handle.close()

    async def take_up(self, handle: socket.socket, goes_on: object) -> None:
        """Let in a connection that another process has served; `goes_on` says where that one stopped."""
        entry = self._config.admission.enter(network(str(handle.getpeername()[0])))
        await self._let_in(handle, entry, partial(self._config.make, goes_on=goes_on))

    def start(self) -> None:
        """Let people in."""
        for listener in self._listeners:
            self._open(listener)

    def stop(self) -> Sequence[socket.socket]:
        """Let nobody in any more, and return the listening sockets, at which people may wait."""
        for listener in self._listeners:
            self._loop.remove_reader(listener)
        return self._listeners

    @property
    def connections(self) -> list[Connection]:
        """All who are connected."""
        return self._visits.connections

    async def close(self, grace: float = 3) -> None:
        """Let nobody in any more, hang up on everybody, and return when all are gone or cut."""
        while self._listeners:
            listener = self._listeners.pop()
            self._loop.remove_reader(listener)
            listener.close()
        for task in self._coming:
            task.cancel()
        await self._visits.end(grace)


async def listeners_at(host: str, port: int) -> Sequence[socket.socket]:
    """Return sockets that listen at each address of a host; raises `OSError`, with none left open."""
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
    """Keep a quiet connection alive, miss one that has vanished, and send at once.

    SO_OOBINLINE keeps telnet's urgent byte (DM, sent with Ctrl-C) in its place among the others.
    """
    handle.settimeout(0)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in KEPT_ALIVE.items():
        if option := getattr(socket, name, None):
            handle.setsockopt(socket.IPPROTO_TCP, option, value)
