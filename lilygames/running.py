"""The mark of a server over a data folder: which process serves it, so that it can be asked to begin anew."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import attrs

NAME = "lilygames.pid"
PATIENCE = 60.0
"""Seconds in which a server that begins anew is up again."""
_GLANCE = 0.02
_SINCE_BOOT = 19
"""Which field of /proc/PID/stat, behind the name, says when a process began; proc(5)."""


class NotRunning(Exception):
    """No server can be asked; the text says why, and what to do."""


@attrs.frozen
class Mark:
    """A process that serves: its number, when it began, and when it came up; only that changes when it begins anew."""

    number: int
    since: str
    up: str

    @classmethod
    def of(cls, text: str) -> Mark:
        """Read what stands in the file; raises `ValueError`."""
        number, since, up = text.split()
        return cls(int(number), since, up)

    def __str__(self) -> str:
        return f"{self.number} {self.since} {self.up}\n"

    @property
    def alive(self) -> bool:
        """Whether it is this process that has the number now, and not a stranger."""
        return _since(self.number) == self.since


def _since(number: int) -> str:
    """Return when a process began, as the system counts; empty where there is none."""
    try:
        words = Path(f"/proc/{number}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if words[0] == "Z" else words[_SINCE_BOOT]


def mark(data: Path) -> None:
    """Say in the data folder that this process serves it; raises `OSError`.

    A process that becomes the next one leaves the mark as it is, and the next one makes its own.
    """
    own = Mark(os.getpid(), _since(os.getpid()), str(time.time_ns()))
    new = data / f"{NAME}-{own.number}"
    new.write_text(str(own))
    new.replace(data / NAME)


def unmark(data: Path) -> None:
    """Say that this process serves the data folder no more; the mark of another one stays."""
    found = _read(data / NAME)
    if found and found.number == os.getpid():
        (data / NAME).unlink()


def _read(file: Path) -> Mark | None:
    try:
        return Mark.of(file.read_text("ascii"))
    except (OSError, ValueError):
        return None


def begin_anew(data: Path, patience: float = PATIENCE) -> None:
    """Ask the server over a data folder to begin anew, and return when it is up again; raises `NotRunning`."""
    file = data / NAME
    found = _read(file)
    if found is None:
        raise NotRunning(f"no server is up over {data}: start one, or say with --data which folder it serves")
    if not found.alive:
        raise NotRunning(f"the server of {file} has ended without a word: start it again, which also clears the file")
    try:
        os.kill(found.number, signal.SIGHUP)
    except PermissionError:
        raise NotRunning(f"the server over {data} is another user's: ask as that user, or as root") from None
    _wait(file, found, time.monotonic() + patience)


def _wait(file: Path, before: Mark, until: float) -> None:
    while time.monotonic() < until:
        now = _read(file)
        if now and now != before:
            return
        if not before.alive:
            raise NotRunning("the server has ended and did not begin anew: its log says why")
        time.sleep(_GLANCE)
    raise NotRunning("the server is not up again yet: its log says what it waits for")
