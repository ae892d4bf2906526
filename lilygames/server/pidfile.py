"""The PID file in a data folder: which process serves it, so it can be asked to restart."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import attrs

NAME = "lilygames.pid"
REFUSED = "lilygames.refused"
"""The file where a server of release 0.1 says why it refused the last reload."""
PATIENCE = 90.0
"""Seconds that a restart may take."""
_GLANCE = 0.02
_SINCE_BOOT = 19
"""Index, after the name, of a process's start time in /proc/PID/stat; proc(5)."""


class NotRunning(Exception):
    """No server can be asked. The text says why, and what to do."""


class ReloadRefused(Exception):
    """The server found that it couldn't restart, and keeps running. The text says why."""


@attrs.frozen
class Mark:
    """A serving process: its number, its start time, and when it came up. Only the last changes in a restart."""

    number: int
    since: str
    up: str

    @classmethod
    def of(cls, text: str) -> Mark:
        """Parse the file's contents. Raises `ValueError`."""
        number, since, up = text.split()
        return cls(int(number), since, up)

    def __str__(self) -> str:
        return f"{self.number} {self.since} {self.up}\n"

    @property
    def alive(self) -> bool:
        """Whether this process still has the number, rather than another one."""
        return _since(self.number) == self.since


def _since(number: int) -> str:
    """Return a process's start time as the kernel counts; empty if it has ended."""
    try:
        words = Path(f"/proc/{number}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if words[0] == "Z" else words[_SINCE_BOOT]


def mark(data: Path, number: int) -> None:
    """Write to the data folder which process serves it, or keeps the number of the one that does. Raises `OSError`.

    A restarting process leaves the file as it is, and the next one writes its own.
    """
    own = Mark(number, _since(number), str(time.time_ns()))
    new = data / f"{NAME}-{own.number}"
    new.write_text(str(own))
    new.replace(data / NAME)
    (data / REFUSED).unlink(missing_ok=True)


def _refusal(data: Path) -> str:
    """Return when and why a server last refused a reload; empty if it never did."""
    try:
        return (data / REFUSED).read_text("utf-8", "replace")
    except OSError:
        return ""


def unmark(data: Path, number: int) -> None:
    """Remove the PID file with this number, but not another's."""
    found = _read(data / NAME)
    if found and found.number == number:
        (data / NAME).unlink()


def _read(file: Path) -> Mark | None:
    try:
        return Mark.of(file.read_text("ascii"))
    except (OSError, ValueError):
        return None


def serving(data: Path) -> Mark:
    """Return the mark of the process that serves a data folder. Raises `NotRunning`."""
    file = data / NAME
    found = _read(file)
    if found is None:
        raise NotRunning(f"no server is running on {data}: start one, or name the right folder with --data")
    if not found.alive:
        raise NotRunning(f"the server of {file} was killed: start it again, which also replaces the file")
    return found


def wait_for_another(data: Path, before: Mark, patience: float = PATIENCE) -> None:
    """Return when a restarted server has replaced its mark. Raises `NotRunning`."""
    _wait(data, before, _refusal(data), time.monotonic() + patience)


def begin_anew(data: Path, patience: float = PATIENCE) -> None:
    """Ask the server of a data folder to restart, and return when it is up again.

    Raises `NotRunning` and `ReloadRefused`. `control_client.reload` calls this for a server of an earlier release.
    """
    found = serving(data)
    earlier = _refusal(data)
    try:
        os.kill(found.number, signal.SIGHUP)
    except PermissionError:
        raise NotRunning(f"the server on {data} belongs to another user: run this as that user or as root") from None
    _wait(data, found, earlier, time.monotonic() + patience)


def _wait(data: Path, before: Mark, earlier: str, until: float) -> None:
    """Return when the mark isn't `before` any more. Raises `NotRunning` and `ReloadRefused`."""
    while time.monotonic() < until:
        now = _read(data / NAME)
        if now and now != before:
            return
        if (refusal := _refusal(data)) and refusal != earlier:
            raise ReloadRefused(refusal.partition(" ")[2])
        if not before.alive:
            raise NotRunning("the server stopped and didn't restart: its log says why")
        time.sleep(_GLANCE)
    raise NotRunning("the server isn't up again yet: its log says what it is waiting for")
