"""The server of a soak test in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """The server in its own process."""

    def __init__(self, folder: str) -> None:
        command = [sys.executable, str(ROOT / "scripts/soaking/server.py"), folder]
        self.errors = Path(folder, "stderr.log")
        with self.errors.open("wb") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - our own
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT, text=True
            )
        self.port = int(self._answer("listening: telnet ").rsplit(":", 1)[1])

    def held(self, word: str = "look") -> dict[str, Any]:
        """Return what the server holds; with `count`, garbage is collected first and objects are counted."""
        assert self._process.stdin  # noqa: S101 - it was asked for
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        held: dict[str, Any] = json.loads(self._answer("held: "))
        return held

    def _answer(self, begins: str) -> str:
        assert self._process.stdout  # noqa: S101 - it was asked for
        for row in self._process.stdout:
            if row.startswith(begins):
                return row.removeprefix(begins)
        raise EOFError(f"the server has ended:\n{self.errors.read_text('utf-8', 'replace')[-2000:]}")

    def end(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait(30)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
