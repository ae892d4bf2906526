"""Commands about your own data: /unregister deletes your account, and /export me shows everything stored about you."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import attrs

from lilygames.chat.accounts.deleted_accounts import RESERVED_DAYS
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.chat.visits.arrivals import depart
from lilygames.chat.visits.login import password_matches, secret
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.limits.quota import EXPORT
from lilygames.privacy.deletions import DAYS, Deletions
from lilygames.tables.commands.finished.verify import exported_rows
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line

CHUNK, PAUSE = 64, 0.05
"""Rows that are shown together, and seconds until the next ones, so that nobody's connection is flooded."""
_NUMBER = "type /export and the number of a table, or /export me for all that is stored about you."


@attrs.frozen
class PrivacyContext:
    """The context of commands about personal data."""

    table: TableContext
    deletions: Deletions

    @property
    def person(self) -> Person:
        """The person who typed the command."""
        return self.table.person


@command("unregister", group="you", syntax="[yes | no]", whole=True)
async def unregister(context: PrivacyContext, answer: str = "") -> Sequence[str]:
    """Delete your account: your name, your messages and everything else that is stored about you.

    /unregister says what goes and what stays, and changes nothing.
    /unregister yes asks for your password and disconnects you. Seven days later
    your account is deleted. If you log in before that, you keep it.
    """
    person, host = context.table.person, context.table.tables.host
    if person.guest:
        raise UserError("you're a guest, so nothing is kept once you leave. Type /bye to go.")
    if answer.casefold() == "no":
        kept = await context.deletions.cancel(person.name)
        return ["(Your account won't be deleted.)" if kept else "(You haven't asked to be deleted.)"]
    if why := context.deletions.why_not(person.name):
        raise UserError(f"you can't be deleted now: {why}")
    if answer.casefold() != "yes":
        return _says_first()
    account, terminal = await host.accounts.get(person.name), person.terminal
    if account is None or terminal is None:
        raise UserError("log in with your password first.")
    word = await secret(terminal, "Your password, or press Enter to cancel: ")
    if not word:
        raise UserError("no password was typed, so nothing has changed.")
    if not await password_matches(host, terminal, account, word):
        raise UserError("that isn't your password, so nothing has changed.")
    await context.deletions.ask(person.name)
    await host.sessions.end(account.key, host.clock())
    person.show(Line(f"(Your account will be deleted in {DAYS} days. Log in before then to keep it. Goodbye.)"))
    depart(host, person, goodbye=True)
    terminal.close()
    return []


def _says_first() -> Sequence[str]:
    """Return what goes, what stays, and what to type next."""
    return [
        f"/unregister yes deletes your account {DAYS} days later. If you log in before then, you keep it.",
        "These go: your name, password, settings and mail address. So do your talk, messages, memos and notes.",
        "So do your ratings, statistics, achievements, purses, rooms, events, and places on ladders.",
        "These stay, and show “former player” instead of your name: finished games, and the results of others.",
        "Your name stays in a few places:",
        "- what other people wrote about you, until it's old enough (/help privacy)",
        "- reports to the staff, the staff's own records, and backups, until they're old enough",
        f"Nobody else can take your name for {RESERVED_DAYS} days.",
        "Type /export me first if you want a copy of your data. Then type /unregister yes.",
    ]


@command("export", group="table", syntax="[NUMBER | me]")
async def show_export(context: PrivacyContext, what: str = "") -> Sequence[Line]:
    """Show the log of a finished game as data, one JSON object per line. lilygames verify checks it.

    /export me shows everything stored about you, one JSON object per line.
    """
    at = context.table
    if fold(what) == "me":
        await _show_own(context)
        return []
    number = what.removeprefix("#")
    if number and not (number.isascii() and number.isdigit() and len(number) < 10):  # noqa: PLR2004 - as a table's number
        raise UserError(_NUMBER)
    return await exported_rows(at, int(number or 0))


async def _show_own(context: PrivacyContext) -> None:
    """Show everything stored about the person, in chunks. Raises `UserError` and `StoreUnavailable`."""
    person = context.table.person
    if person.guest:
        raise UserError("you're a guest, so nothing is kept once you leave.")
    quotas = context.table.tables.host.quotas
    quotas.use(EXPORT, quotas.who(person))
    chunk: list[Line] = []
    async for row in context.deletions.personal.rows(person.name):
        chunk.append(Line(row, margin=None))
        if len(chunk) == CHUNK:
            if person.terminal is None:
                return
            person.show(*chunk)
            chunk = []
            await asyncio.sleep(PAUSE)
    person.show(*chunk, Line("(That's all that is stored about you.)"))
