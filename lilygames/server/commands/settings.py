"""`lilygames settings` and `lilygames check-config`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from lilygames.games import games
from lilygames.server.place.place import timetable_of
from lilygames.server.serving.sysop_names import check_sysop_names
from lilygames.server.settings.config import CONFIG, describe, load, read
from lilygames.server.shell.shared_options import FILE, say_folder
from lilygames.server.watch import preflight


@click.command()
@click.option("--config", type=FILE, envvar=CONFIG, help="A TOML file whose settings to print.")
def settings(config: Path | None) -> None:
    """Print every setting with its description, as a TOML file to start from.

    The values are the defaults, or those of the environment and the settings file. Passwords are left out.
    """
    click.echo(describe(load(config)))


@click.command("check-config")
@click.argument("file", type=FILE, required=False, envvar=CONFIG)
def check_config(file: Path | None) -> None:
    """Check that a settings file, with the environment, can be used on this machine.

    Without FILE, check the environment.
    """
    loaded = read(file)
    preflight.check(loaded)
    with loaded.naming_places():
        asyncio.run(preflight.check_store(loaded))
        asyncio.run(preflight.check_bus(loaded))
        asyncio.run(check_sysop_names(loaded.settings))
        timetable_of(loaded.settings, games())
        asyncio.run(preflight.check_mail(loaded))
    say_folder(loaded.settings)
    for warning in preflight.warnings(loaded.settings):
        click.echo(f"Warning: {warning}")
    click.echo(f"{file} is valid." if file else "The environment's settings are valid.")
