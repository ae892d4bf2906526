"""The control socket: a running server answers the command line through a Unix socket in its data folder.

A client sends one request as a line of JSON (`{"is":"Ping"}`). The server answers with any number of lines like
`{"part":...}` and then with `{"done":""}`, or with a sentence there if it refuses. Only the user who runs the server,
and root, may connect.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import structlog

from lilygames import __version__, codec
from lilygames.codec import Json
from lilygames.errors import UserError
from lilygames.server.place.place import Place
from lilygames.server.place.retention import at_leisure
from lilygames.server.process.logs import RecentLines
from lilygames.server.process.tail import lines_after
from lilygames.server.serving.account_requests import AccountDesk
from lilygames.server.serving.control_requests import (
    NAME,
    AccountRequest,
    Archive,
    Ban,
    DeleteAccount,
    ExportAccount,
    GiveRole,
    IssueWord,
    ListPeople,
    PeopleRequest,
    Ping,
    Reload,
    Request,
    ShowPerson,
    Tail,
    Unban,
    Vacuum,
)
from lilygames.server.serving.people import People
from lilygames.store import StoreUnavailable

log = structlog.get_logger()
LONGEST = 65536
"""Maximum bytes of a request."""
_MODE = 0o600


class Reloads:
    """Requests to restart. Some wait to hear why they are refused."""

    def __init__(self) -> None:
        self._wanted = asyncio.Event()
        self._waiting: list[asyncio.Future[str]] = []

    def want(self) -> None:
        """Ask for a restart without waiting."""
        self._wanted.set()

    async def refusal(self) -> str:
        """Ask for a restart, and return why it is refused. If it is granted, the caller is cancelled."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        self.want()
        return await answer

    async def wanted(self) -> None:
        """Wait for a request."""
        await self._wanted.wait()
        self._wanted.clear()

    def refuse(self, why: str) -> None:
        """Tell everyone who waits why the server doesn't restart."""
        for answer in self._waiting:
            if not answer.done():
                answer.set_result(why)
        self._waiting.clear()


class Control:
    """The control socket of one server."""

    def __init__(self, place: Place, reloads: Reloads, recent: RecentLines) -> None:
        self._place = place
        self._reloads = reloads
        self._recent = recent
        self._up = time.time_ns()
        self._server: asyncio.Server | None = None
        self._socket: Path | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def _parts(self, request: Request) -> AsyncIterator[Json]:
        """Yield the parts of an answer. Raises `UserError` with a sentence to refuse."""
        match request:
            case Ping():
                yield {"version": __version__, "pid": os.getpid(), "up": self._up}
            case Reload():
                raise UserError(await self._reloads.refusal())
            case Archive() | Vacuum():
                async for part in self._kept_small(request):
                    yield part
            case Tail(after, follow):
                async for line in lines_after(self._recent, after, follow=follow):
                    yield line
            case _:
                async for line in self._about_people(request):
                    yield line

    async def _about_people(self, request: PeopleRequest | AccountRequest) -> AsyncIterator[Json]:
        """Yield the lines of an answer about people. Raises `UserError` and `StoreUnavailable`."""
        match request:
            case ListPeople() | ShowPerson() | GiveRole() | Ban() | Unban():
                for line in await People(self._place.desk).answer(request):
                    yield line
            case IssueWord() | ExportAccount() | DeleteAccount():
                deletions = self._place.deletions
                desk = AccountDesk(self._place.host.accounts, deletions.personal, deletions)
                async for row in desk.answer(request):
                    yield row

    async def _kept_small(self, request: Archive | Vacuum) -> AsyncIterator[Json]:
        """Yield the steps of an archiving or of a vacuum."""
        match request:
            case Archive(older):
                async for archived in at_leisure(self._place.archiving.run(self._place.host.clock() - older)):
                    yield codec.dump(archived)
            case Vacuum():
                async for freed in self._place.retention.vacuum():
                    yield freed

    async def listen(self, data: Path) -> None:
        """Create the socket in the data folder. If that fails, log why and do without it."""
        try:
            bound = _bound(data)
        except OSError as problem:
            log.warning("there's no control socket, so use signals instead", folder=str(data), why=str(problem))
            return
        self._socket = data / NAME
        self._server = await asyncio.start_unix_server(self._accept, sock=bound, limit=LONGEST)

    def close(self) -> None:
        """Close the socket and all connections, and delete the socket's file."""
        if self._server and self._socket:
            self._server.close()
            self._socket.unlink(missing_ok=True)
            self._server = None
        for task in self._running:
            task.cancel()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._visit(reader, writer))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the request of one connection."""
        try:
            with suppress(ConnectionError):
                await self._answer(await _line(reader), writer)
        finally:
            writer.close()

    async def _answer(self, line: str, writer: asyncio.StreamWriter) -> None:
        try:
            async for part in self._parts(codec.from_text(line, Request)):
                await _send(writer, {"part": part})
            await _send(writer, {"done": ""})
        except (UserError, StoreUnavailable) as problem:
            await _send(writer, {"done": str(problem)})
        except ValueError as problem:
            await _send(writer, {"done": f"the server doesn't understand this request: {problem}"})
        except ConnectionError:
            raise
        except Exception:
            log.exception("a request through the control socket failed")
            await _send(writer, {"done": "the server has a bug: its log says where"})


async def _line(reader: asyncio.StreamReader) -> str:
    """Return the line with the request; empty if it is too long."""
    try:
        return (await reader.readline()).decode("utf-8", "replace")
    except ValueError:
        return ""


async def _send(writer: asyncio.StreamWriter, answer: Json) -> None:
    writer.write(json.dumps(answer).encode() + b"\n")
    await writer.drain()


def _bound(data: Path) -> socket.socket:
    """Return a socket that is bound to its name in a data folder. Raises `OSError`.

    It is bound through the folder's descriptor, because the path of a Unix socket may have only 107 bytes. Its mode is
    set first, so that nobody else can connect in between.
    """
    (data / NAME).unlink(missing_ok=True)
    folder = os.open(data, os.O_PATH)
    made = socket.socket(socket.AF_UNIX)
    try:
        os.fchmod(made.fileno(), _MODE)
        made.bind(f"/proc/self/fd/{folder}/{NAME}")
    except OSError:
        made.close()
        raise
    finally:
        os.close(folder)
    return made
