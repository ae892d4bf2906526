"""`lilygames claim`."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import click

from lilygames.chat.accounts.hashing import Hashing
from lilygames.chat.accounts.one_time_words import CLAIM, OneTimeWords
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.settings.config import Settings
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data
from lilygames.store.shell.shell_access import beside


@click.command()
@click.argument("name")
@of_config
@of_data
def claim(name: str, config: Path | None, data: Path | None) -> None:
    """Print a one-time word that lets a sysop register NAME. It is valid for an hour.

    NAME must be in the setting `sysops`. The server may be running.
    """
    settings = settings_with_data(config, data)
    if config and name.casefold() not in map(str.casefold, settings.sysop_names):
        raise Trouble(f"{name} isn't one of the sysops in {config}: add it there, and reload the server")
    word = asyncio.run(_claimed(settings, name))
    click.echo(f"To register {name}, type this at the login prompt within an hour:\n  {name} {word}")


async def _claimed(settings: Settings, name: str) -> str:
    """Return a new claim word for a name. Raises `Trouble` if the name is registered."""
    hashing = Hashing(time=settings.hash_time, memory=settings.hash_memory)
    async with beside(settings.store_address) as records:
        account = await records.find("account", name.casefold())
        if account and not json.loads(account)["guest"]:
            raise Trouble(f"{name} is already registered: log in with its password")
        return await OneTimeWords(records, hashing, CLAIM).issue(name.casefold(), time.time())
