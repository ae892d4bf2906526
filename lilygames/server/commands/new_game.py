"""`lilygames new-game`."""

from __future__ import annotations

from pathlib import Path

import click

from lilygames.gametest import new_game as new
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.shell.shared_options import FILE


@click.command("new-game")
@click.argument("name")
@click.option("--package", metavar="FOLDER", type=FILE, help="Create a separate package there.")
def new_game(name: str, package: Path | None) -> None:
    """Create a small working game called NAME to start from: the example of /help maker.

    It is a package in FOLDER, which is lily-NAME unless you give another. In a checkout without --package, it is four
    files there.
    """
    try:
        rows = new.create(name, package)
    except new.Refused as refusal:
        raise Trouble(str(refusal)) from None
    click.echo("\n".join(rows))
