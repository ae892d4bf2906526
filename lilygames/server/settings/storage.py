"""Settings: where data is stored, and how nodes work together."""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from lilygames.server.settings.setting import setting


@attrs.frozen(slots=False, kw_only=True)
class Storage:
    """Where data is stored, and how nodes work together."""

    data: Path = setting(Path("data"), "Data folder. It is created if it is missing.")
    store: str = setting(
        "",
        "Where data is stored. Empty means a file in the data folder, sqlite:FILE any file. Several nodes share a"
        " database.",
        words=('""', "sqlite:FILE", "postgresql://USER:PASSWORD@HOST/NAME"),
        fits=re.compile(r"(?:(?:sqlite|postgres(?:ql)?):.+)?").fullmatch,
        secret=True,
    )
    bus: str = setting(
        "postgres",
        "How nodes notify each other. postgres uses their database, NATS suits more than eight nodes, local is"
        " for a single node.",
        words=("local", "postgres", "nats://HOST:PORT"),
        fits=re.compile(r"local|postgres|nats://.+").fullmatch,
        secret=True,
    )
    unsafe: int = setting(0, "1 allows a database that may lose saved moves in a crash, 0 refuses it.", least=0, most=1)

    @property
    def data_file(self) -> Path | None:
        """The data file; None for a database."""
        kind, _, file = self.store.partition(":")
        return Path(file or self.data / "lilygames.db") if kind in ("", "sqlite") else None

    @property
    def store_address(self) -> str:
        """The address of the store, also if the setting is empty."""
        return self.store or f"sqlite:{self.data_file}"
