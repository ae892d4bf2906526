"""Options that several subcommands have, and the data that they name."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from lilygames.server.process.exit_codes import Trouble
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving import control_client
from lilygames.server.settings.config import CONFIG, Misconfigured, Settings, load
from lilygames.store.addresses import without_password

FILE = click.Path(path_type=Path)
of_config = click.option("--config", type=FILE, envvar=CONFIG, help="The server's TOML file of settings.")
of_data = click.option("--data", type=FILE, help="The server's data folder, if the settings don't name it.")


def settings_of(config: Path | None, data: Path | None) -> Settings:
    """Return the settings of a server, from `--config`, `--data` and the environment, and print its data folder.

    Only commands that may create a store use this alone. Raises `Misconfigured`.
    """
    settings = load(config, {} if data is None else {"data": data})
    say_folder(settings)
    return settings


def settings_with_data(config: Path | None, data: Path | None) -> Settings:
    """Do the same, but raise `Misconfigured` if no server has stored anything there, because opening would create it.

    Raises `Trouble` if another user's server runs there, and `StoreUnavailable` if a database doesn't answer.
    """
    settings = settings_of(config, data)
    try:
        if settings.data.is_dir() and control_client.is_running(settings.data):
            return settings
    except NotRunning as problem:
        raise Trouble(str(problem)) from problem
    if not _is_there(settings):
        raise Misconfigured(_missing(settings))
    return settings


def say_folder(settings: Settings) -> None:
    """Print the data folder on stderr, and the store if that is somewhere else. A password isn't shown."""
    store = f", store: {without_password(settings.store)}" if settings.store else ""
    click.echo(f"Data folder: {settings.data.absolute()}{store}", err=True)


def _is_there(settings: Settings) -> bool:
    """Return whether a server has ever used the store in the settings."""
    if settings.data_file:
        return settings.data_file.exists()
    from lilygames.store.postgres.postgres import has_tables  # noqa: PLC0415 - its library is only for several nodes

    return asyncio.run(has_tables(settings.store))


def _missing(settings: Settings) -> str:
    place = settings.store and without_password(settings.store)
    return (
        f"There is no data in {place or settings.data.absolute()}: name the right folder with --data FOLDER, or the"
        " settings file with --config FILE. If the server is new, start it once."
    )
