"""`lilygames cluster`."""

from __future__ import annotations

import signal
from pathlib import Path

import click

from lilygames.server.process.exit_codes import Trouble
from lilygames.server.settings.local_engines import Missing
from lilygames.server.shell.shared_options import FILE
from lilygames.server.shell.trial_cluster import cluster as running


@click.command()
@click.argument("count", type=click.IntRange(1, 16), default=2)
@click.option("--port", type=click.IntRange(1, 65000), default=7777, help="The first node's port; others count up.")
@click.option("--without-nats", is_flag=True, help="Use the database for notifications, not nats-server.")
@click.option("--folder", type=FILE, help="The data folder. The default is a temporary one, deleted at the end.")
def cluster(count: int, port: int, folder: Path | None, *, without_nats: bool) -> None:
    """Try out a cluster: run COUNT nodes with their own database on this machine until Ctrl-C."""
    try:
        with running(count, folder=folder, buses=0 if without_nats else 1, ports=range(port, port + count)) as nodes:
            click.echo(f"Data folder: {nodes.folder.absolute()}", err=True)
            for node in nodes.nodes:
                click.echo(f"telnet 127.0.0.1 {node.port}")
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
    except Missing as missing:
        raise Trouble(str(missing)) from missing
    except RuntimeError as problem:
        raise Trouble(str(problem).replace("\n", " ")) from problem
