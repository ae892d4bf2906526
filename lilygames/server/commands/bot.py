"""`lilygames bot`."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

import click

from lilygames.server.process.exit_codes import Trouble

PACKED = files("lilygames") / "_examples/randombot"
IN_CHECKOUT = Path(__file__).resolve().parents[3] / "scripts/randombot"


@click.command()
@click.argument("game")
@click.argument("port", type=click.IntRange(1, 65535), default=7777)
@click.option("--seed", type=int, help="Make the same choices again.")
@click.option("--source", is_flag=True, help="Print the program instead: it is an example for yours.")
def bot(game: str, port: int, seed: int | None, *, source: bool) -> None:
    """Play GAME at random on a server of this machine, at PORT (7777).

    This is a program of its own, which uses machine mode (/help machine) and nothing of lilygames.
    """
    with as_file(PACKED if PACKED.is_file() else IN_CHECKOUT) as program:
        if source:
            click.echo(program.read_text("utf-8"), nl=False)
            return
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError as problem:
            raise Trouble(f"no server answers at port {port} ({problem.strerror}): is it running?") from problem
        words = [str(program), str(port), game, *(() if seed is None else (str(seed),))]
        subprocess.run([sys.executable, *words], check=False)  # noqa: S603 - our own program
