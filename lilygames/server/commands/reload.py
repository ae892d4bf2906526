"""`lilygames reload`."""

from __future__ import annotations

from pathlib import Path

import click

from lilygames.server.process.exit_codes import Trouble
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving import control_client
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data


@click.command()
@of_config
@of_data
def reload(config: Path | None, data: Path | None) -> None:
    """Restart the running server with new code and settings, without disconnecting people.

    Plain telnet connections stay open. TLS connections are closed with a message, and their seats are saved. If the new
    code or settings can't be used, the server says why and keeps running unchanged.
    """
    folder = settings_with_data(config, data).data
    try:
        control_client.reload(folder, click.echo)
    except NotRunning as problem:
        raise Trouble(str(problem)) from problem
    except control_client.Refused as problem:
        raise Trouble(f"reload refused, the server keeps running unchanged: {problem}") from problem
    click.echo("The server has restarted.")
