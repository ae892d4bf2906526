"""Tell systemd what the server is doing: sd_notify(3). Without NOTIFY_SOCKET, nothing is sent.

The watchdog's ping comes from the event loop. If the loop hangs, systemd kills the process and starts it again.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import attrs
import structlog

log = structlog.get_logger()
RESTART = 90
"""Seconds that a restart may take before systemd gives up, from when it begins."""
STEP = 10
"""Seconds that a start may take longer, each time that the event loop shows that it still makes progress."""
PINGS = 3
"""Pings within the time that systemd waits for one, so that two may be late."""


@attrs.define
class Systemd:
    """The socket that systemd listens on, and how often it wants a ping."""

    address: str = ""
    watchdog: float | None = None
    """Seconds without a ping after which systemd kills the process. None if it doesn't wait for any."""
    is_ready: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str], number: int) -> Systemd:
        """Return the one that started the process of this number: NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID."""
        limit, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
        ours = limit.isdecimal() and int(limit) > 0 and process in ("", str(number))
        return cls(environment.get("NOTIFY_SOCKET", ""), int(limit) / 1e6 if ours else None)

    def ready(self) -> None:
        """Say that the server listens, after a start or a restart."""
        self.is_ready = True
        self._send("READY=1", "STATUS=Serving")

    def reloading(self) -> None:
        """Say that the server restarts, and how long that may take."""
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self._send("RELOADING=1", f"MONOTONIC_USEC={now}", "STATUS=Restarting", _extend(RESTART), "WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the server stops."""
        self._send("STOPPING=1", "STATUS=Stopping")

    @asynccontextmanager
    async def pinged(self) -> AsyncIterator[None]:
        """Ping from the event loop while the block runs, and ask for more time until the server is ready."""
        pings = asyncio.create_task(self._ping()) if self.address else None
        try:
            yield
        finally:
            if pings:
                pings.cancel()

    async def _ping(self) -> None:
        while True:
            self._send("WATCHDOG=1", *(() if self.is_ready else (_extend(STEP),)))
            await asyncio.sleep(min(self.watchdog or STEP, STEP) / PINGS)

    def _send(self, *lines: str) -> None:
        """Send a message; log it if systemd doesn't take it."""
        if not self.address:
            return
        where = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as out:
                out.sendto("\n".join(lines).encode(), where)
        except OSError as problem:
            log.warning("can't tell systemd", what=lines[0], why=problem.strerror)


def _extend(seconds: float) -> str:
    return f"EXTEND_TIMEOUT_USEC={int(seconds * 1e6)}"
