"""The `/limits` command: who has reached a quota, for sysops, who can close someone's waiting tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lilygames import log_events
from lilygames.chat.names.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.limits.addresses import subnet_of
from lilygames.limits.quota import ROOMS, TABLES_WAITING, Scope, Who, in_words
from lilygames.tables.log.acts import Seated
from lilygames.tables.open.held_tables import QUOTAS
from lilygames.tables.room.bot import TableBot
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import count

_ROWS = 40
"""Maximum rows of the list."""


@command("limits", group="staff", syntax="[close NAME]")
async def limits(at: TableContext, verb: str = "", name: str = "") -> Sequence[str]:
    """List who has reached a quota, by subnet; /limits close bob closes the tables of bob that wait for players.

    Only sysops can do this. /help limits says how much everyone may hold and
    ask for.
    """
    if not at.tables.host.is_sysop(at.person):
        raise UserError("only sysops can see who has reached a limit. Type /help limits to read what the limits are.")
    if verb.casefold() == "close" and name:
        return await _closed(at, name)
    if verb:
        raise UserError("type /limits, or /limits close NAME to close the tables of someone that wait for players.")
    rows = sorted([*_held(at), *_owned(at), *_used(at)])
    more = [f"(and {len(rows) - _ROWS} more)"] if len(rows) > _ROWS else []
    refused = sum(at.tables.host.quotas.uses.refused.values())
    return [*(row for _, row in rows[:_ROWS]), *more, f"({count(refused, 'refusal')} at this node since it started)"]


def _held(at: TableContext) -> Iterator[tuple[str, str]]:
    """Yield the rows of those who hold as many tables as they may, each after its subnet."""
    held = at.tables.held
    for one in QUOTAS:
        for limit in one.limits:
            for key, number in held.by_scope(one.name, limit.scope).items():
                most = limit.most_for(Who(guest=not _is_account(at, limit.scope, key)))
                if number >= most:
                    numbers = held.of(one.name, limit.scope, key)
                    subnet = subnet_of(held.addresses.get(numbers[0], "")) if numbers else ""
                    yield subnet, f"{subnet or '-'}: {_called(at, limit.scope, key)}, {one.name}: {number} of {most}"


def _owned(at: TableContext) -> Iterator[tuple[str, str]]:
    """Yield the rows of those who have as many rooms as they may, each after its subnet."""
    rooms = at.tables.host.rooms
    for limit in ROOMS.limits:
        for key, number in rooms.by_scope(limit.scope).items():
            if number >= limit.most:
                subnet = subnet_of(key) if limit.scope == "address" else key if limit.scope == "subnet" else ""
                yield subnet, f"{subnet or '-'}: {key}, {ROOMS.name}: {number} of {limit.most}"


def _used(at: TableContext) -> Iterator[tuple[str, str]]:
    """Yield the rows of those who have used up a rate, each after its subnet."""
    host = at.tables.host
    for one, scope, key, wait in host.quotas.uses.at_limit(host.now()):
        subnet = subnet_of(key) if scope in ("address", "subnet") else ""
        yield subnet, f"{subnet or '-'}: {_called(at, scope, key)}, {one.name}: again in {in_words(wait)}"


def _is_account(at: TableContext, scope: Scope, key: str) -> bool:
    return scope != "person" or fold(at.tables.host.accounts.current(key)) in at.tables.host.accounts.names


def _called(at: TableContext, scope: Scope, key: str) -> str:
    """Return what a scope's key is called: a person's name, an address, or a pair's first part."""
    return at.tables.host.accounts.current(key.partition(" ")[0]) if scope in ("person", "pair") else key


async def _closed(at: TableContext, name: str) -> Sequence[str]:
    """Close the tables of someone that wait for players."""
    host = at.tables.host
    numbers = at.tables.held.of(TABLES_WAITING.name, "person", host.accounts.key(name))
    await at.tables.remote.ready(numbers)
    bots = [bot for number in numbers if (bot := at.tables.open.get(number)) and not bot.table.started]
    if not bots:
        raise UserError(f"{name} has no table that waits for players. Type /limits to list who has reached a limit.")
    for bot in bots:
        await bot.room.do(_emptied, bot)
        at.tables.closing.close(bot)
    log_events.moderated("limits close", by=at.person.name, whom=name)
    return [f"(closed {count(len(bots), 'table')} of {name})"]


async def _emptied(bot: TableBot) -> None:
    """Take everyone out of a table that hasn't started, and tell them."""
    for who in bot.table.seats.people:
        seat = bot.seat_of(who.name)
        if seat is not None:
            await bot.runner.act("table", Seated(seat, None), saying="A sysop closes this table.", only_here=True)
    bot.runner.remember_seats()
