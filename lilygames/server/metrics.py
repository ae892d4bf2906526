"""Metrics for Prometheus and a health check, served on loopback."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs

from lilygames.store import Conflict, Draft, Entry, Replaced, Store, StoreUnavailable
from lilygames.store.wrapper import Through

GLANCE = 1.0
"""Seconds between measurements of the event loop's delay."""
HEARD = 8192
"""Bytes of a request to read; the rest is ignored."""
PATIENCE = 2.0
"""Seconds that a healthy store has to answer, and that a client has to send its request."""


@attrs.frozen
class Figure:
    """A metric: its name after `lilygames_`, its Prometheus type, its help text, and a function for its value."""

    name: str
    sort: str
    meaning: str
    value: Callable[[], float]


class Counted(Through):
    """A store that counts and times its writes."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.appends = self.conflicts = self.failures = 0
        self.seconds = 0.0

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[None]:
        began = time.perf_counter()
        try:
            yield
        except Conflict:
            self.conflicts += 1
            raise
        except StoreUnavailable:
            self.failures += 1
            raise
        finally:
            self.appends += 1
            self.seconds += time.perf_counter() - began

    async def append(self, log: str, expected: int | None, drafts: Sequence[Draft], **more: Any) -> tuple[Entry, ...]:
        """Append all drafts together; see `Store.append`."""
        async with self._write():
            return await self.store.append(log, expected, drafts, **more)

    async def keep(self, kind: str, key: str, body: str) -> None:
        """Keep a record under its kind and key, in place of an earlier one."""
        async with self._write():
            await self.store.keep(kind, key, body)

    async def swap(self, kind: str, key: str, old: str | None, new: str | None) -> bool:
        """Keep `new` in place of `old`; see `Store.swap`."""
        async with self._write():
            return await self.store.swap(kind, key, old, new)

    async def forget(self, kind: str, key: str) -> None:
        """Drop a record; nothing happens where there is none."""
        async with self._write():
            await self.store.forget(kind, key)


class Lateness:
    """How late the event loop runs its callbacks."""

    def __init__(self) -> None:
        self.now = self.worst = 0.0

    async def watch(self) -> None:
        """Measure again and again until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + GLANCE
            await asyncio.sleep(GLANCE)
            self.now = max(0.0, loop.time() - due)
            self.worst = max(self.worst * 0.98, self.now)


def memory() -> float:
    """Return the process's memory in bytes (`/proc/self/statm`, proc(5)), or its peak if that isn't available."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return memory_peak()
    return float(pages * resource.getpagesize())


def memory_peak() -> float:
    """Return the process's peak memory in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def exposition(figures: Sequence[Figure]) -> str:
    """Return metrics in Prometheus's text format, version 0.0.4."""
    rows = []
    for figure in figures:
        name = f"lilygames_{figure.name}"
        rows += [f"# HELP {name} {figure.meaning}", f"# TYPE {name} {figure.sort}", f"{name} {figure.value():g}"]
    return "\n".join(rows) + "\n"


class Instruments:
    """An HTTP server on loopback: `/metrics` for Prometheus, `/health` for load balancers."""

    def __init__(
        self, figures: Sequence[Figure], store: Store, ill: Callable[[], str], troubles: Callable[[], Sequence[str]]
    ) -> None:
        self._figures = figures
        self._store = store
        self._ill = ill
        self._troubles = troubles
        """Problems for the sysop that don't stop the node from serving."""

    async def listen(self, port: int) -> asyncio.Server:
        """Start to listen. Raises `OSError`."""
        return await asyncio.start_server(self._answer, "127.0.0.1", port, limit=HEARD)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                asked = (await reader.readline()).split()
            status, body = await self._said(asked[1].decode("latin-1") if len(asked) > 1 else "")
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {len(body)}\r\n"
            writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
            await writer.drain()
        except (OSError, TimeoutError, ValueError):
            pass  # the client has disconnected, or asked nothing
        finally:
            writer.close()

    async def _said(self, path: str) -> tuple[str, bytes]:
        match path:
            case "/metrics":
                return "200 OK", exposition(self._figures).encode()
            case "/health":
                why = self._ill() or await self._store_is_ill()
                if why:
                    return "503 Service Unavailable", f"{why}\n".encode()
                return "200 OK", "".join(f"{row}\n" for row in ("well", *self._troubles())).encode()
        return "404 Not Found", b"try /metrics or /health\n"

    async def _store_is_ill(self) -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.now()
        except Replaced as problem:
            return str(problem)
        except (StoreUnavailable, TimeoutError):
            return "the store doesn't answer"
        return ""
