"""`lilygames new-game`."""

from __future__ import annotations

from pathlib import Path

import click

from lilygames.gametest import convert as conversion
from lilygames.gametest import new_game as new
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.shell.shared_options import FILE


@click.command("new-game")
@click.argument("name", required=False)
@click.option("--package", metavar="FOLDER", type=FILE, help="Create a separate package there.")
@click.option("--convert", metavar="FOLDER", type=FILE, help="Change a package that was written for API 1.")
def new_game(name: str | None, package: Path | None, convert: Path | None) -> None:
    """Create a small working game called NAME to start from: the example of /help maker.

    It is a package in FOLDER, which is lily-NAME unless you give another. In a checkout without --package, it is four
    files there. With --convert, a package that you have becomes one for today's `lilygames.API`.
    """
    if (name is None) == (convert is None):
        raise Trouble("Give a NAME, or --convert FOLDER.")
    try:
        rows = conversion.convert(convert) if convert else new.create(name or "", package)
    except (new.Refused, conversion.NotConverted) as refusal:
        raise Trouble(str(refusal)) from None
    click.echo("\n".join(rows))
