"""Ask a running server something through its control socket."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from lilygames import codec
from lilygames.codec import Json
from lilygames.server.process import pidfile
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving.control_requests import NAME, Reload, Request

LOADING = 120.0
"""Seconds to wait for an answer to a reload: the server gives the new program 100 to load."""


class Refused(Exception):
    """The server refuses a request. The text says why."""


class HungUp(Exception):
    """The server closed the connection before it had answered."""


def is_running(data: Path) -> bool:
    """Return whether a server answers on a data folder. Raises `NotRunning` if it is another user's."""
    try:
        _connected(data).close()
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    return True


def ask(data: Path, request: Request, seconds: float | None = 60) -> Iterator[Json]:
    """Yield the parts of the answer of the server on a data folder, as they come.

    `seconds` is the longest wait for a part; None waits for ever. Raises `NotRunning`, `Refused` and `HungUp`.
    """
    try:
        connection = _connected(data)
    except (FileNotFoundError, ConnectionRefusedError):
        raise NotRunning(f"no server is running on {data}: start one, or name the right folder with --data") from None
    with connection:
        connection.settimeout(seconds)
        yield from _parts(connection, request)


def _parts(connection: socket.socket, request: Request) -> Iterator[Json]:
    try:
        connection.sendall(codec.to_text(request).encode() + b"\n")
        with connection.makefile("rb") as answers:
            for line in answers:
                match json.loads(line):
                    case {"part": part}:
                        yield part
                    case {"done": ""}:
                        return
                    case {"done": str(why)}:
                        raise Refused(why)
    except TimeoutError:
        raise NotRunning("the server doesn't answer: its log may say what it is waiting for") from None
    except ConnectionError:
        pass
    raise HungUp


def _connected(data: Path) -> socket.socket:
    """Return a connection to the socket of a data folder. Its path may be longer than that of a Unix socket."""
    folder = os.open(data, os.O_PATH)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(f"/proc/self/fd/{folder}/{NAME}")
    except PermissionError:
        connection.close()
        raise NotRunning(f"the server on {data} belongs to another user: run this as that user or as root") from None
    except OSError:
        connection.close()
        raise
    finally:
        os.close(folder)
    return connection


def reload(data: Path, say: Callable[[str], object]) -> None:
    """Ask the server of a data folder to restart, and return when it is up again. `say` gets what it waits for.

    Raises `NotRunning` and `Refused`.
    """
    before = pidfile.serving(data)
    try:
        for sentence in ask(data, Reload(), LOADING):
            say(str(sentence))
    except HungUp:
        pidfile.wait_for_another(data, before)
