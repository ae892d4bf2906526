"""Options that several subcommands have."""

from __future__ import annotations

from pathlib import Path

import click

from lilygames.server.config import CONFIG, FIELDS, Settings, load

FILE = click.Path(path_type=Path)
of_config = click.option("--config", type=FILE, envvar=CONFIG, help="The server's TOML file of settings.")
of_data = click.option("--data", type=FILE, help=FIELDS["data"].about.sentence)


def settings_of(config: Path | None, data: Path | None) -> Settings:
    """Return the settings of a server, from `--config`, `--data` and the environment. Raises `Misconfigured`."""
    return load(config, {} if data is None else {"data": data})
