"""A door that is open: who came in by it, each one's own task, and how it closes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from lilygames.chat.terminal import Gone, Terminal
from lilygames.text import Line

Visit = Callable[[Terminal], Awaitable[None]]
"""What each connection's own task runs, from the greeting to the goodbye."""

log = structlog.get_logger()


class Caller(Protocol):
    """A connection as the door sees it: it can be hung up or cut, and `lost` is done when nothing is left of it."""

    lost: asyncio.Future[None]

    def hang_up(self) -> None:
        """Close once everything sent has gone out."""

    def abort(self) -> None:
        """Close at once."""


class Visits:
    """The tasks of those who are connected. One ends when its connection is gone, so none is forgotten."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._callers: dict[asyncio.Task[None], Caller] = {}

    def __len__(self) -> int:
        return len(self._callers)

    def begin(self, caller: Caller, terminal: Terminal) -> None:
        """Run the visit of a new caller."""
        task = asyncio.get_running_loop().create_task(self._host(caller, terminal))
        self._callers[task] = caller
        task.add_done_callback(self._callers.pop)

    async def _host(self, caller: Caller, terminal: Terminal) -> None:
        try:
            await self._visit(terminal)
        except Gone:
            pass
        except Exception:
            case = secrets.token_hex(4)
            log.exception("a visit failed", case=case, address=terminal.address)
            terminal.show(Line(f"(something broke here: connect again, or tell the sysop “case {case}”)"))
        finally:
            terminal.close()
            await asyncio.wait((caller.lost,))

    async def end(self, grace: float) -> None:
        """Hang up on everybody, and cut those who are not gone after `grace` seconds."""
        for caller in [*self._callers.values()]:
            caller.hang_up()
        if self._callers:
            await asyncio.wait(self._callers, timeout=grace)
        for task, caller in [*self._callers.items()]:
            caller.abort()
            task.cancel()
        if self._callers:
            await asyncio.wait(self._callers, timeout=grace)


class Server:
    """A listening door."""

    def __init__(self, listener: asyncio.Server, visits: Visits) -> None:
        self._listener = listener
        self._visits = visits

    @property
    def port(self) -> int:
        """The port it listens at."""
        port: int = self._listener.sockets[0].getsockname()[1]
        return port

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._visits)

    async def close(self, grace: float = 3) -> None:
        """Let nobody in any more, hang up on everybody, and return when all are gone or cut."""
        self._listener.close()
        await self._visits.end(grace)
        await self._listener.wait_closed()
