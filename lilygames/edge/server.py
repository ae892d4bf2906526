"""Those who are connected: each one's own task, and how all of them are sent home."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import structlog

from lilygames.chat.terminal import Gone, Terminal
from lilygames.text import Line

Visit = Callable[[Terminal], Awaitable[None]]
"""What each connection's own task runs, from the greeting to the goodbye."""

log = structlog.get_logger()

LAST_WORDS = 2.0
"""Seconds in which who has hung up may still come in, so that a script can log in, say something and be gone.

For who is unknown nothing is worked out for longer: passwords that are guessed and not waited for cost most.
"""


class Caller(Protocol):
    """A connection as the door sees it: it can be hung up or cut, and `lost` is done when nothing is left of it."""

    lost: asyncio.Future[None]

    def hang_up(self) -> None:
        """Close once everything sent has gone out."""

    def abort(self) -> None:
        """Close at once."""

    def make_room(self) -> None:
        """Close, and say that others wanted the place."""

    def known(self) -> bool:
        """Whether somebody has said who they are."""

    def release(self) -> None:
        """Let go of the parts of the connection, when it is lost and its visit is over."""


class Visits:
    """The tasks of those who are connected. One ends when its connection is gone, so none is forgotten."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._callers: dict[asyncio.Task[None], Caller] = {}

    def __len__(self) -> int:
        return len(self._callers)

    @property
    def callers(self) -> list[Caller]:
        """All who are connected."""
        return [*self._callers.values()]

    def begin(self, caller: Caller, terminal: Terminal, visit: Visit | None = None) -> None:
        """Run the visit of a new caller, or one that goes on."""
        task = asyncio.get_running_loop().create_task(self._host(caller, terminal, visit or self._visit))
        self._callers[task] = caller
        task.add_done_callback(self._callers.pop)
        caller.lost.add_done_callback(partial(self._left, task))

    def _left(self, task: asyncio.Task[None], _: object) -> None:
        """End the visit of somebody who has hung up, unless they are about to come in."""
        if task in self._callers:
            timer = asyncio.get_running_loop().call_later(LAST_WORDS, self._abandon, task)
            task.add_done_callback(lambda _: timer.cancel())

    def _abandon(self, task: asyncio.Task[None]) -> None:
        if task in self._callers and not self._callers[task].known():
            task.cancel()

    async def _host(self, caller: Caller, terminal: Terminal, visit: Visit) -> None:
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
            await asyncio.wait((caller.lost,))
            caller.release()

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
