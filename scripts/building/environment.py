"""The environment of scripts, `.venv`, when another Python has started one: `scripts/storm` alone is enough."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SERVE = ("aiohttp", "asyncpg", "structlog")
INSTALLS: Mapping[str, Sequence[str]] = {
    "serve": _SERVE,
    "test": (*_SERVE, "hypothesis", "pyte"),
    "oracles": (*_SERVE, "numpy", "pyspiel"),
}
"""Packages that scripts miss first, by the task of `scripts/setup` that installs them."""


def enter(task: str = "serve") -> None:
    """Run this script again in `.venv`, if its Python doesn't have what a task of `scripts/setup` installs."""
    if all(map(find_spec, INSTALLS[task])):
        return
    made = subprocess.run([ROOT / "scripts/setup", task], check=False)  # noqa: S603 - our own script
    if made.returncode:
        sys.exit(made.returncode)
    python = str(ROOT / os.environ.get("VENV", ".venv") / "bin/python")
    os.execv(python, [python, *sys.argv])  # noqa: S606 - this script
