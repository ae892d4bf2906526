"""`lilygames people password|export|delete`: account care from the shell, whether the server is running or not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from lilygames.chat.accounts.accounts import Accounts
from lilygames.errors import UserError
from lilygames.privacy.export import PersonalExport
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving import control_client
from lilygames.server.serving.account_requests import AccountDesk
from lilygames.server.serving.closed_place import closed_place
from lilygames.server.serving.control_requests import AccountRequest, DeleteAccount, ExportAccount, IssueWord
from lilygames.server.serving.serving import opened_store
from lilygames.server.settings.config import Settings
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data

_LONGEST = 600.0
"""Seconds to wait for a line: deleting an account of a large place takes a while."""


@click.command()
@click.argument("name")
@of_config
@of_data
def password(name: str, config: Path | None, data: Path | None) -> None:
    """Print a one-time word for NAME, who forgot the password. It is valid for a day."""
    _print(settings_with_data(config, data), IssueWord(name))


@click.command()
@click.argument("name")
@of_config
@of_data
def export(name: str, config: Path | None, data: Path | None) -> None:
    """Print everything that is stored about NAME, one JSON object per line."""
    _print(settings_with_data(config, data), ExportAccount(name))


@click.command()
@click.argument("name")
@click.option("--yes", "sure", is_flag=True, help="Don't ask.")
@of_config
@of_data
def delete(name: str, *, sure: bool, config: Path | None, data: Path | None) -> None:
    """Delete NAME's account now, with everything that is stored about them.

    Finished games stay, and show "former player". This can't be undone.
    """
    if sure or click.confirm(f"Delete {name}, and everything that is stored about them?"):
        _print(settings_with_data(config, data), DeleteAccount(name))


def _print(settings: Settings, request: AccountRequest) -> None:
    """Print the answer of the running server, or else of its store. Raises `Trouble` and `StoreUnavailable`."""
    try:
        if control_client.is_running(settings.data):
            for part in control_client.ask(settings.data, request, _LONGEST):
                click.echo(part)
        else:
            asyncio.run(_print_offline(settings, request))
    except (control_client.Refused, NotRunning, UserError) as problem:
        raise Trouble(str(problem)) from problem
    except control_client.HungUp as problem:
        raise Trouble("the server stopped before it answered: look at it again") from problem


async def _print_offline(settings: Settings, request: AccountRequest) -> None:
    """Print the answer from the store. Raises `UserError` and `StoreUnavailable`."""
    if isinstance(request, DeleteAccount) and not settings.store.startswith("postgres"):
        async with closed_place(settings) as place:
            deletions = place.deletions
            await _print_answer(AccountDesk(place.host.accounts, deletions.personal, deletions), request)
        return
    store = await opened_store(settings)
    try:
        accounts = Accounts(store, hash_time=settings.hash_time, hash_memory=settings.hash_memory)
        await accounts.load()
        await _print_answer(AccountDesk(accounts, PersonalExport(store, accounts), None), request)
    finally:
        await store.close()


async def _print_answer(desk: AccountDesk, request: AccountRequest) -> None:
    async for row in desk.answer(request):
        click.echo(row)
