"""A reload from one process to the next, which loads the program while this one serves.

Connections go through a socket between the two. The first process leaves a keeper behind, which keeps its number.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

import attrs
import structlog

from lilygames import codec
from lilygames.server.place.preloading import Preloaded
from lilygames.server.process import descriptors, keeper
from lilygames.server.process.keeper import FORWARDED
from lilygames.server.reload.handover import Handover

log = structlog.get_logger()
INHERITED = "LILYGAMES_HANDOVER"
"""Environment variable with the descriptor of the socket to the process before."""
TRIED = 100.0
"""Seconds that the new program has to load. It may take long, because people are served meanwhile."""
_READY, _TAKEN = b"ready", b"taken"
"""Words of the next process: it could take over, and it has everything that it needs for that."""
_PLACE = re.compile(r'^ *File "(.+)", line (\d+)', re.MULTILINE)
_KEEPER = Path(keeper.__file__).read_bytes()
"""The keeper as this release knows it: the files on the disk may be another release's by the time it is needed."""


class CannotStart(Exception):
    """The next process can't start. The text says why."""


class NotTaken(Exception):
    """The next process has ended while everything was handed over to it."""


@attrs.frozen
class Kept:
    """The keeper of this process, and the number by which others know the server."""

    link: socket.socket
    number: int

    def watch(self) -> None:
        """End at once when the keeper is killed, as if this process had been killed by its number."""
        asyncio.get_running_loop().add_reader(self.link, os.kill, os.getpid(), signal.SIGKILL)

    def say(self, what: str, number: int) -> None:
        """Tell the keeper the number of the process that follows (`next`), or the `code` with which this one ends."""
        with suppress(OSError):
            self.link.send(f"{what} {number}".encode())


@attrs.frozen
class Start:
    """How a process starts: what it takes over, if anything, and its keeper, which only a reload leaves."""

    before: Handover | None = None
    kept: Kept | None = None
    preloaded: Preloaded | None = None

    @property
    def number(self) -> int:
        """The number by which systemd, a container, a terminal and the PID file know the server."""
        return self.kept.number if self.kept else os.getpid()

    def say_end(self, code: int) -> None:
        """Tell the keeper with which code this process ends."""
        if self.kept:
            self.kept.say("code", code)


@attrs.frozen
class Successor:
    """The next process: it has loaded the program, and waits."""

    process: subprocess.Popen[bytes]
    connection: socket.socket

    @property
    def waits(self) -> bool:
        """Whether it still waits. Something may have ended it."""
        return self.process.poll() is None

    def end(self) -> None:
        """End it; it has nothing yet."""
        self.connection.close()
        self.process.kill()
        self.process.wait()

    def give(self, handover: Handover, start: Start) -> NoReturn:
        """Hand everything over, and end, or become the keeper.

        Raises `NotTaken` if it has ended before it had everything. This process has everything then, as before.
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)  # they are for the next process
        ours, theirs = (None, start.kept.link) if start.kept else descriptors.pair()
        given = {str(handle): handle for handle in handover.descriptors}
        text = codec.to_text(attrs.evolve(handover, process=start.number))
        own = {"handover": _file("handover", text.encode()), "keeper": theirs.fileno(), "stderr": 2}
        if start.kept:
            start.kept.say("next", self.process.pid)
        try:
            descriptors.send(self.connection, {**given, **own})
            self._must_have_taken()
        except OSError as problem:
            self.end()
            os.close(own["handover"])
            if start.kept:
                start.kept.say("next", os.getpid())
            signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
            raise NotTaken from problem
        if ours:
            _become_keeper(ours, self.process.pid)
        for number in signal.sigpending() & {*FORWARDED}:
            self.process.send_signal(number)
        os._exit(0)

    def _must_have_taken(self) -> None:
        """Raise `OSError` if the process has ended before it had everything."""
        if self.connection.recv(len(_TAKEN)) != _TAKEN:
            raise BrokenPipeError


def start(try_out: Callable[[], None], preload: Callable[[], Preloaded | None]) -> Start:
    """Return how this process starts. In a reload it tries itself out first, and waits until the handover is here.

    `preload` then reads what takes long. Raises whatever both raise, and `SystemExit` if the process before doesn't
    hand over after all.
    """
    inherited = os.environ.pop(INHERITED, "")
    if not inherited:
        return Start()
    handle = int(inherited)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the server sets its own handler
    with socket.socket(fileno=handle) as connection:
        connection.set_inheritable(False)
        try_out()
        preloaded = preload()
        connection.send(_READY)
        given = descriptors.received(connection)
        if "handover" not in given:
            sys.exit()
        os.dup2(given["stderr"], 2)
        os.close(given["stderr"])
        handover = _read(given["handover"]).renumbered(given)
        connection.send(_TAKEN)
    return Start(handover, Kept(socket.socket(fileno=given["keeper"]), handover.process), preloaded)


def _read(handle: int) -> Handover:
    """Read a handover from a file, and close it."""
    with os.fdopen(handle, "rb") as file:
        file.seek(0)
        handover: Handover = codec.from_text(file.read().decode(), Handover)
    return handover


def _file(name: str, body: bytes) -> int:
    """Return the descriptor of a file in memory."""
    handle = os.memfd_create(name)
    os.write(handle, body)
    return handle


def _become_keeper(link: socket.socket, successor: int) -> NoReturn:
    script = _file("keeper", _KEEPER)
    for handle in (script, link.fileno()):
        os.set_inheritable(handle, True)  # noqa: FBT003 - it takes no keyword
    words = [f"/proc/self/fd/{script}", str(link.fileno()), str(successor), *sys.orig_argv[1:]]
    os.execv(sys.executable, [sys.executable, "-I", "-S", *words])  # noqa: S606 - without a shell


async def successor(seconds: float = TRIED) -> Successor:
    """Start the next process with the new code and settings, and return when it could take over.

    Raises `CannotStart`.
    """
    ours, theirs = descriptors.pair()
    ours.setblocking(False)  # noqa: FBT003 - it takes no keyword
    command = [sys.executable, *sys.orig_argv[1:]]
    with theirs, os.fdopen(os.memfd_create("stderr"), "w+b") as stderr:
        try:
            process = _started(command, theirs, stderr)
        except OSError as problem:
            raise CannotStart(f"can't run {command[0]} ({problem.strerror})") from problem
        next_one = Successor(process, ours)
        theirs.close()
        try:
            async with asyncio.timeout(seconds):
                ready = await asyncio.get_running_loop().sock_recv(ours, len(_READY))
        except TimeoutError:
            next_one.end()
            raise CannotStart(f"the new program did not start within {seconds:g} seconds") from None
        except BaseException:
            next_one.end()
            raise
        if ready == _READY:
            ours.setblocking(True)  # noqa: FBT003 - as above
            return next_one
        ours.close()
        code = await asyncio.to_thread(process.wait)
        stderr.seek(0)
        raise CannotStart(_complaint(stderr.read().decode("utf-8", "replace").strip(), code))


def _started(command: list[str], theirs: socket.socket, stderr: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, so that a terminal's signals reach it only through its keeper."""
    return subprocess.Popen(  # noqa: S603 - the command that started this process
        command,
        env=os.environ | {INHERITED: str(theirs.fileno())},
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stderr=stderr,
        start_new_session=True,
    )


def _complaint(text: str, code: int) -> str:
    """Return the last line that a failed program printed, with its place in the code if it names one."""
    log.error("the new program cannot start", code=code, exception=text)
    last = text.rpartition("\n")[2].removeprefix("lilygames: ")
    places = _PLACE.findall(text)
    where = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    return f"{last}{where}" if last else f"the new program ended with code {code}"
