"""`lilygames connect`."""

from __future__ import annotations

import asyncio
import sys

import click

from lilygames.client.address import Address
from lilygames.client.client import visit
from lilygames.client.trust import Untrusted
from lilygames.server.process.exit_codes import Trouble


@click.command()
@click.argument("host")
@click.option("--tls", is_flag=True, help="Use TLS; the certificate must be from a known authority.")
@click.option("--tls-pin", is_flag=True, help="Use TLS, and trust only the certificate seen on the first visit.")
@click.option("--reader", is_flag=True, help="Use the layout for screen readers.")
def connect(host: str, *, tls: bool, tls_pin: bool, reader: bool) -> None:
    """Connect to a server: HOST or HOST:PORT. Ctrl-D leaves."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Trouble("connect needs a terminal; a program uses a socket and machine mode (/help machine)")
    try:
        address = Address.read(host, tls=tls or tls_pin, pin=tls_pin)
    except ValueError as problem:
        raise Trouble(str(problem)) from problem
    try:
        asyncio.run(visit(address, reader=reader))
    except Untrusted as problem:
        raise Trouble(str(problem)) from problem
    except OSError as problem:
        raise Trouble(f"nothing answers at {host} ({problem.strerror or problem}): check the address") from problem
