"""`lilygames people`: look after accounts from the shell, whether the server is running or not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from lilygames.chat.accounts.roles import Role
from lilygames.errors import UserError
from lilygames.moderation.actions import seconds_in
from lilygames.server.commands import people_accounts
from lilygames.server.process.exit_codes import Trouble
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving import control_client
from lilygames.server.serving.closed_place import log_on_stderr
from lilygames.server.serving.control_requests import Ban, GiveRole, ListPeople, PeopleRequest, ShowPerson, Unban
from lilygames.server.serving.people import offline_people
from lilygames.server.serving.serving import opened_store
from lilygames.server.settings.config import Settings
from lilygames.server.shell.shared_options import of_config, of_data, settings_with_data

_ROLES: dict[str, Role] = {"sysop": "sysop", "moderator": "moderator", "none": ""}


@click.group()
def people() -> None:
    """List accounts, give roles, and ban people. The server may be running or not."""


def answered(settings: Settings, request: PeopleRequest) -> Sequence[str]:
    """Return the answer of the running server, or else of its store. Raises `Trouble` and `StoreUnavailable`."""
    try:
        if control_client.is_running(settings.data):
            return [str(part) for part in control_client.ask(settings.data, request)]
        return asyncio.run(_offline(settings, request))
    except (control_client.Refused, NotRunning, UserError) as problem:
        raise Trouble(str(problem)) from problem
    except control_client.HungUp as problem:
        raise Trouble("the server stopped before it answered: look at it again") from problem


async def _offline(settings: Settings, request: PeopleRequest) -> Sequence[str]:
    with log_on_stderr():
        store = await opened_store(settings)
        try:
            return await (await offline_people(store, settings)).answer(request)
        finally:
            await store.close()


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line)


@people.command("list")
@of_config
@of_data
def list_(config: Path | None, data: Path | None) -> None:
    """List all accounts, with their roles and sanctions."""
    _print(answered(settings_with_data(config, data), ListPeople()))


@people.command()
@click.argument("name")
@of_config
@of_data
def show(name: str, config: Path | None, data: Path | None) -> None:
    """Show an account: its role, its earlier names, and what was decided about it."""
    _print(answered(settings_with_data(config, data), ShowPerson(name)))


@people.command()
@click.argument("name")
@click.argument("new", type=click.Choice([*_ROLES]), metavar="sysop|moderator|none")
@of_config
@of_data
def role(name: str, new: str, config: Path | None, data: Path | None) -> None:
    """Give NAME a role for the whole place, or take it away. NAME must be registered."""
    _print(answered(settings_with_data(config, data), GiveRole(name, _ROLES[new])))


def _seconds(_: click.Context, __: click.Parameter, value: str) -> float:
    try:
        seconds = seconds_in(value)
    except UserError as problem:
        raise click.BadParameter(str(problem)) from None
    if seconds is None:
        raise click.BadParameter("a time is like 12h, 7d or 90d.")
    return seconds


@people.command()
@click.argument("who", metavar="NAME|ADDRESS[/BITS]")
@click.option("--for", "seconds", default="7d", show_default=True, callback=_seconds, help="How long: 12h, 7d or 90d.")
@click.option("--why", required=True, help="The reason, which the person can read.")
@click.option("--yes", "sure", is_flag=True, help="Don't ask.")
@of_config
@of_data
def ban(who: str, seconds: float, why: str, *, sure: bool, config: Path | None, data: Path | None) -> None:
    """Ban a person, an address or a network. First you see who would be hit."""
    settings = settings_with_data(config, data)
    _print(answered(settings, Ban(who, seconds, why, sure=False)))
    if sure or click.confirm("Ban?"):
        _print(answered(settings, Ban(who, seconds, why, sure=True)))


@people.command()
@click.argument("who", metavar="NAME|ADDRESS[/BITS]")
@click.option("--why", required=True, help="The reason, for the audit log.")
@of_config
@of_data
def unban(who: str, why: str, config: Path | None, data: Path | None) -> None:
    """End a ban."""
    _print(answered(settings_with_data(config, data), Unban(who, why)))


for command in (people_accounts.password, people_accounts.export, people_accounts.delete):
    people.add_command(command)
