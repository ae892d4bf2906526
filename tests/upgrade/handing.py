"""A process that hands over: it gives a server of today what one of an earlier release left, over its own sockets."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

from tests.deadline import DEADLINE
from tests.upgrade.caller import SETTINGS, Caller, Player, lilygames


def _connected(door: socket.socket) -> tuple[socket.socket, socket.socket]:
    """Return both ends of a new connection: a person's, and the server's."""
    person = socket.create_connection(door.getsockname())
    server, _ = door.accept()
    return person, server


def _file(body: bytes) -> int:
    """Return the descriptor of a file in memory."""
    handle = os.memfd_create("handover")
    os.write(handle, body)
    return handle


@asynccontextmanager
async def taken_over(
    body: bytes, data: Path, *options: object, ahead: float
) -> AsyncIterator[tuple[dict[str, socket.socket], int]]:
    """Let a server take over, and yield the connections of its people by name, and its port.

    The name of someone who hasn't logged in is empty.

    `body` is what the process before handed over. This speaks the protocol of `lilygames/server/reload/succession.py`.
    """
    handover = json.loads(body)
    with socket.create_server(("127.0.0.1", 0)) as door:
        ends = {line["carried"]["handle"]: _connected(door) for line in handover["lines"]}
    heard = {one: socket.create_server(("127.0.0.1", 0)) for many in handover["listeners"].values() for one in many}
    port = next(iter(heard.values())).getsockname()[1]
    given = {**{one: server for one, (_, server) in ends.items()}, **heard}
    link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    keeper, kept = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command, how = lilygames("serve", "--port", 0, "--data", data, *SETTINGS, *options, ahead=ahead)
    how["env"] |= {"LILYGAMES_HANDOVER": str(theirs.fileno())}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, pass_fds=[theirs.fileno()], start_new_session=True, **how
    )
    theirs.close()
    try:
        await asyncio.to_thread(_hand_over, link, {str(one): end.fileno() for one, end in given.items()}, kept, body)
        for end in (*given.values(), kept):
            end.close()
        await asyncio.wait_for(process.stdout.readline(), DEADLINE)
        names = [((line["who"] or {"name": ""})["name"], line["carried"]["handle"]) for line in handover["lines"]]
        yield {name: ends[handle][0] for name, handle in names}, port
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.wait_for(process.wait(), DEADLINE)
        for person, _ in ends.values():
            person.close()
        keeper.close()


def _hand_over(link: socket.socket, given: Mapping[str, int], keeper: socket.socket, body: bytes) -> None:
    """Wait until the next process is ready, give it everything, and wait until it has taken it."""
    link.settimeout(DEADLINE)
    with closing(link):
        assert link.recv(100) == b"ready"
        given = {**given, "handover": _file(body), "keeper": keeper.fileno(), "stderr": 2}
        socket.send_fds(link, [" ".join(given).encode()], [*given.values()])
        link.shutdown(socket.SHUT_WR)
        assert link.recv(100) == b"taken"


async def taken_up(end: socket.socket, name: str) -> Player:
    """Return someone in machine mode whose connection was handed over."""
    caller = Caller(*await asyncio.open_connection(sock=end, limit=2**22))
    caller.name = name
    return Player(caller, "2")
