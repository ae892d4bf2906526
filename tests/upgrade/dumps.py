"""A database of PostgreSQL as text that any later version of it reads."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from lilygames.server.settings import local_engines

SCHEMA = "lilygames"
_META = ("\\restrict", "\\unrestrict", "SET transaction_timeout")
"""Rows that psql or the server of some versions doesn't know, and that change nothing here."""


def _program(name: str) -> str:
    return local_engines.program(name, "postgresql", *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))


def dumped(engine: local_engines.Postgres) -> str:
    """Return everything that an engine's database keeps for us."""
    command = (_program("pg_dump"), "--no-owner", "--no-privileges", f"--schema={SCHEMA}", f"--dbname={engine.url()}")
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return "".join(row for row in text.splitlines(keepends=True) if not row.startswith(_META))


def read_in(text: str, url: str) -> None:
    """Bring a dump into an empty database."""
    command = (_program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={url}")
    environment = os.environ | {"PGOPTIONS": "--client-min-messages=error"}
    subprocess.run(command, check=True, input=text, stdout=subprocess.DEVNULL, text=True, env=environment)
