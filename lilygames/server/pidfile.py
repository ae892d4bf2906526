"""The mark of a server over a data folder: which process serves it, so that it can be asked to begin anew."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import attrs

NAME = "lilygames.pid"
REFUSED = "lilygames.refused"
"""The file in which a server says why it did not begin anew when it was last asked to."""
PATIENCE = 90.0
"""Seconds in which a server that begins anew is up again."""
_GLANCE = 0.02
_SINCE_BOOT = 19
"""Which field of /proc/PID/stat, behind the name, says when a process began; proc(5)."""


class NotRunning(Exception):
    """No server can be asked; the text says why, and what to do."""


class ReloadRefused(Exception):
    """The server has found that it could not begin anew, and goes on as it was; the text says why."""


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
    (data / REFUSED).unlink(missing_ok=True)


def refuse(data: Path, why: str) -> None:
    """Say in the data folder why this process does not begin anew, for whoever asked; the log has said so already."""
    new = data / f"{REFUSED}-{os.getpid()}"
    with suppress(OSError):
        new.write_text(f"{time.time_ns()} {why}")
        new.replace(data / REFUSED)


def _refusal(data: Path) -> str:
    """Return when and why a server has refused last to begin anew; empty where none has."""
    try:
        return (data / REFUSED).read_text("utf-8", "replace")
    except OSError:
        return ""


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
    """Ask the server over a data folder to begin anew, and return when it is up again.

    Raises `NotRunning` and `ReloadRefused`.
    """
    file = data / NAME
    found = _read(file)
    if found is None:
        raise NotRunning(f"no server is up over {data}: start one, or say with --data which folder it serves")
    if not found.alive:
        raise NotRunning(f"the server of {file} has ended without a word: start it again, which also clears the file")
    earlier = _refusal(data)
    try:
        os.kill(found.number, signal.SIGHUP)
    except PermissionError:
        raise NotRunning(f"the server over {data} is another user's: ask as that user, or as root") from None
    _wait(data, found, earlier, time.monotonic() + patience)


def _wait(data: Path, before: Mark, earlier: str, until: float) -> None:
    """Return when another mark than the one `before` is there; raises `NotRunning` and `ReloadRefused`."""
    while time.monotonic() < until:
        now = _read(data / NAME)
        if now and now != before:
            return
        if (refusal := _refusal(data)) and refusal != earlier:
            raise ReloadRefused(refusal.partition(" ")[2])
        if not before.alive:
            raise NotRunning("the server has ended and did not begin anew: its log says why")
        time.sleep(_GLANCE)
    raise NotRunning("the server is not up again yet: its log says what it waits for")
