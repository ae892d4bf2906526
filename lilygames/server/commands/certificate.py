"""`lilygames certificate`."""

from __future__ import annotations

from pathlib import Path

import click

from lilygames.client.trust import fingerprint_of
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.shell.shared_options import of_config, of_data, settings_of


@click.command()
@click.argument("names", nargs=-1)
@of_config
@of_data
def certificate(names: tuple[str, ...], config: Path | None, data: Path | None) -> None:
    """Create a self-signed TLS certificate for these host names in the data folder, and print how to use it.

    Tell people the fingerprint: it shows them that they have reached your server.
    """
    from lilygames.edge.connections.certificate import make_certificate  # noqa: PLC0415 - its library is an extra

    try:
        words, key = make_certificate(settings_of(config, data).data, names or ("localhost",))
    except ValueError as problem:
        raise Trouble(f"not a host name ({problem}): give names like games.example, or addresses") from problem
    except FileExistsError as problem:
        raise Trouble(f"{problem.filename} already exists: move it away, or keep using it") from problem
    except OSError as problem:
        raise Trouble(f"can't write {problem.filename}: {problem.strerror}") from problem
    click.echo(f"Created {words} and {key}. To use them:\n  lilygames serve --tls-cert {words} --tls-key {key}")
    click.echo(f"The fingerprint to tell people:\n  {fingerprint_of(words)}")
