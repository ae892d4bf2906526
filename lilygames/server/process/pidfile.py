"""The PID file in a data folder: which process serves it, so it can be asked to restart."""

from __future__ import annotations

import time
from pathlib import Path

import attrs

NAME = "lilygames.pid"
PATIENCE = 90.0
"""Seconds that a restart may take."""
_GLANCE = 0.02
_SINCE_BOOT = 19
"""Index, after the name, of a process's start time in /proc/PID/stat; proc(5)."""


class NotRunning(Exception):
    """No server can be asked. The text says why, and what to do."""


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
    until = time.monotonic() + patience
    while time.monotonic() < until:
        now = _read(data / NAME)
        if now and now != before:
            return
        if not before.alive:
            raise NotRunning("the server stopped and didn't restart: its log says why")
        time.sleep(_GLANCE)
    raise NotRunning("the server isn't up again yet: its log says what it is waiting for")
