"""The client's line history, in the user's own folder. Secrets are never saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from prompt_toolkit.history import History

from lilygames import bymail

REMEMBERED = 1000
"""Maximum lines saved."""


def folder() -> Path:
    """Return the client's data folder, by the XDG base directory specification."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "lilygames"


class TypedLines(History):
    """The line history in a file, one line per row. Lines for which `secret` is true are neither saved nor shown."""

    def __init__(self, file: Path, secret: Callable[[], bool]) -> None:
        super().__init__()
        self._file = file
        self._secret = secret

    def append_string(self, string: str) -> None:
        """Add a line, unless it is a secret; a move by mail is saved without its password."""
        kept = bymail.to_remember(string)
        if kept and not self._secret():
            super().append_string(kept)

    def load_history_strings(self) -> Iterator[str]:
        """Yield the saved lines, newest first; drop the oldest if there are far too many."""
        rows = self._file.read_text("utf-8", "replace").splitlines() if self._file.exists() else []
        if len(rows) > 2 * REMEMBERED:
            self._file.write_text("".join(f"{row}\n" for row in rows[-REMEMBERED:]), "utf-8")
        yield from reversed(rows[-REMEMBERED:])

    def store_string(self, string: str) -> None:
        """Append a line to the file, which only its owner can read."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(opened, "a", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in string.splitlines())
