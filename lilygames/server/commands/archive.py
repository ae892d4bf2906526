"""`lilygames archive` and `lilygames vacuum`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import click

from lilygames import codec
from lilygames.codec import Json
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.process.progress import bar
from lilygames.server.serving import control_client
from lilygames.server.serving.control_client import HungUp, Refused
from lilygames.server.serving.control_requests import Archive, Request, Vacuum
from lilygames.server.serving.serving import opened_store, packs_of
from lilygames.server.settings.config import Settings
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data
from lilygames.store.sqlite.datafile import rebuild
from lilygames.tables.archive.archiving import Archived, Archiving
from lilygames.text import count

_UNITS = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0, "y": 365 * 86400.0}
_AGE = re.compile(r"(\d{1,5})([hdwy])")


def _seconds(_: click.Context, __: click.Parameter, value: str) -> float:
    """Return an age in seconds; raises `BadParameter`."""
    age = _AGE.fullmatch(value.strip().casefold())
    if age is None:
        raise click.BadParameter(f"“{value}” isn't an age: use a number and h, d, w or y, like 90d")
    return int(age[1]) * _UNITS[age[2]]


@click.command()
@click.option(
    "--older", callback=_seconds, metavar="AGE", default="1d", help="Archive games that ended so long ago: 90d."
)
@of_config
@of_data
def archive(older: float, config: Path | None, data: Path | None) -> None:
    """Move finished games to the archive, where people can still replay and verify them. The server can keep running.

    The archive is a file beside the data file, or in the database if several nodes share one. If this is interrupted,
    nothing is lost, and running it again continues.
    """
    settings = settings_with_data(config, data)
    with bar() as shown:
        task = shown.add_task("archiving", total=None)

        def step(one: Archived) -> Archived:
            shown.update(task, completed=one.looked, total=one.tables)
            return one

        if control_client.is_running(settings.data):
            moved = sum((step(codec.load(part, Archived)) for part in _asked(settings, Archive(older))), Archived())
        else:
            moved = asyncio.run(_archived(settings, older, step))
    if not moved.games:
        click.echo("There are no games to archive.")
        return
    click.echo(f"Archived {count(moved.games, 'game')}: {_mb(moved.before)} of logs take {_mb(moved.after)} now.")
    _vacuum(settings)


@click.command()
@of_config
@of_data
def vacuum(config: Path | None, data: Path | None) -> None:
    """Give the space of deleted data back to the disk. The server can keep running. A database needs no `vacuum`."""
    _vacuum(settings_with_data(config, data))


def _vacuum(settings: Settings) -> None:
    """Give space back to the disk, and say how much."""
    file = settings.data_file
    if file is None:
        click.echo("PostgreSQL uses the space again by itself (autovacuum).")
        return
    if control_client.is_running(settings.data):
        freed = sum(part for part in _asked(settings, Vacuum()) if isinstance(part, int))
    else:
        freed = rebuild(file)
    click.echo(f"{_mb(freed)} went back to the disk." if freed else "There is no space to give back to the disk.")


async def _archived(settings: Settings, older: float, step: Callable[[Archived], Archived]) -> Archived:
    """Archive games while no server runs here, and return what was moved. `step` gets each step."""
    store = await opened_store(settings)
    try:
        archiving = Archiving(store, packs_of(settings, store))
        return sum([step(one) async for one in archiving.run(await store.now() - older)], Archived())
    finally:
        await store.close()


def _asked(settings: Settings, request: Request) -> list[Json]:
    """Return the parts of a running server's answer. Raises `Trouble`."""
    try:
        return [*control_client.ask(settings.data, request)]
    except (Refused, NotRunning) as problem:
        raise Trouble(str(problem)) from problem
    except HungUp:
        raise Trouble("the server stopped or restarted meanwhile: nothing is lost, so run this again") from None


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
