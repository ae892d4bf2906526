"""What the client keeps from one day to the next, in the user's own folder: lines typed, never a secret."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from prompt_toolkit.history import History

from lilygames import bymail

REMEMBERED = 1000
"""Lines that are kept."""


def folder() -> Path:
    """Return where the client keeps what it keeps, as the XDG base directories have it."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "lilygames"


class TypedLines(History):
    """The lines typed before, in a file, one a row. What `secret` is true of is not kept, nor shown again."""

    def __init__(self, file: Path, secret: Callable[[], bool]) -> None:
        super().__init__()
        self._file = file
        self._secret = secret

    def append_string(self, string: str) -> None:
        """Keep a line, unless it is a secret; a move by mail without its password."""
        kept = bymail.to_remember(string)
        if kept and not self._secret():
            super().append_string(kept)

    def load_history_strings(self) -> Iterator[str]:
        """Yield the lines kept, the newest first; when they have become far too many the oldest are let go."""
        rows = self._file.read_text("utf-8", "replace").splitlines() if self._file.exists() else []
        if len(rows) > 2 * REMEMBERED:
            self._file.write_text("".join(f"{row}\n" for row in rows[-REMEMBERED:]), "utf-8")
        yield from reversed(rows[-REMEMBERED:])

    def store_string(self, string: str) -> None:
        """Put a line into the file, which nobody else may read."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(opened, "a", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in string.splitlines())
