"""The word by which a guest takes up their seat after the client itself was closed or killed; one file a host."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from lilygames.client.address import Address

LASTS = 12 * 3600
"""Seconds for which a word is kept: as long as the host keeps a session."""
_OTHERS = 0o077
"""The rights of anybody but the owner of a file."""


@attrs.frozen
class Guest:
    """A guest's name and return word, when they were last used, and by which process."""

    name: str
    word: str
    at: float
    process: int


class ReturnWord:
    """What is kept of one host. Nobody but the user may read it, and a secret is never shown."""

    def __init__(self, folder: Path, address: Address, now: Callable[[], float] = time.time) -> None:
        kind = "tls" if address.tls else "plain"
        self._file = folder / "guests" / f"{address.host}_{address.port}_{kind}"
        self._now = now

    def keep(self, name: str, word: str) -> None:
        """Keep a word, in a file that only its owner can read; where nothing can be written, nothing is kept."""
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
        """Return the guest to come back as; None where there is none, or where another client is still at it.

        A word that is too old, or that others could have read, is forgotten.
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
        """Keep nothing of the host any more."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError:
            return


def _runs(process: int) -> bool:
    """Whether a process is alive: its guest is not to be taken from it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
