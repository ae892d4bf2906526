"""`lilygames unsubscribe`: turn off the mail to someone who answered one, whether or not the server runs."""

from __future__ import annotations

import asyncio
import re
import secrets
import sys
from pathlib import Path

import click

from lilygames.mailing.subscriptions import KEY, STOPS
from lilygames.mailing.tokens import Forged, Signer
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.settings.config import Settings
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data
from lilygames.store.shell.shell_access import beside

_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,200}\.[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])")
"""The form of a token."""
_MOST = 100_000
"""Characters of a mail that are read."""


@click.command()
@click.argument("token", default="")
@of_config
@of_data
def unsubscribe(token: str, config: Path | None, data: Path | None) -> None:
    """Turn off the mail to whoever got TOKEN in one. Without TOKEN, read a mail that has one from stdin.

    To use it for the address in `mail_unsubscribe`, let your mail server pipe its mail to this command.
    """
    text = token or sys.stdin.buffer.read(_MOST).decode("utf-8", errors="replace")
    fine = asyncio.run(_stopped(settings_with_data(config, data), _TOKEN.findall(re.sub(r"=\r?\n", "", text))))
    if not fine:
        raise Trouble("there's no valid token: it must be one from a mail of this server")
    click.echo("That address gets no more mail. A running server needs some seconds.")


async def _stopped(settings: Settings, tokens: list[str]) -> bool:
    """Store the first token of this server, for the server to use; return False if there is none."""
    async with beside(settings.store_address) as records:
        key = await records.find(KEY, "")
        for token in tokens if key else ():
            try:
                Signer(bytes.fromhex(key or "")).read(token)
            except Forged:
                continue
            await records.keep(STOPS, secrets.token_hex(8), token)
            return True
    return False
