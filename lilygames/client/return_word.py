"""Saved return words, with which a guest gets their seat back after the client was closed; one file per server."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from lilygames.client.address import Address

LASTS = 12 * 3600
"""Lifetime of a saved word in seconds, the same as the server's sessions."""
_OTHERS = 0o077
"""Permission bits of everyone but a file's owner."""


@attrs.frozen
class Guest:
    """A guest's name and return word, when they were last used, and by which process."""

    name: str
    word: str
    at: float
    process: int


class ReturnWord:
    """The saved return word of one server. Only the user can read it, and it is never shown."""

    def __init__(self, folder: Path, address: Address, now: Callable[[], float] = time.time) -> None:
        kind = "tls" if address.tls else "plain"
        self._file = folder / "guests" / f"{address.host}_{address.port}_{kind}"
        self._now = now

    def keep(self, name: str, word: str) -> None:
        """Save a word in a file that only its owner can read; do nothing if it can't be written."""
        body = json.dumps({"name": name, "word": word, "at": self._now(), "process": os.getpid()})
        fresh = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(body)
            fresh.replace(self._file)
        except OSError:
            self.forget()

    def find(self) -> Guest | None:
        """Return the guest to log in as; None if there is none or another client still uses it.

        A word that has expired, or that others could have read, is deleted.
        """
        try:
            data = json.loads(self._file.read_text("utf-8"))
            found = Guest(str(data["name"]), str(data["word"]), float(data["at"]), int(data["process"]))
            open_to_others = self._file.stat().st_mode & _OTHERS
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if open_to_others or not 0 <= self._now() - found.at < LASTS:
            self.forget()
            return None
        return None if found.process != os.getpid() and _runs(found.process) else found

    def forget(self) -> None:
        """Delete the saved word of this server."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError:
            return


def _runs(process: int) -> bool:
    """Whether a process is running, so that its guest must not be used."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
