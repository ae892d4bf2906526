"""Seats that lapse: tables that their people have left behind close, games are broken off, and names are let go.

Every node looks by itself and for itself; of those who see the same, the first in rank does what is to be done.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

import attrs

from lilygames.chat.names import fold
from lilygames.chat.periodic import regularly
from lilygames.errors import UserError
from lilygames.tables import seating
from lilygames.tables.bot import TableBot
from lilygames.tables.life import Life
from lilygames.tables.tables import Tables
from rules.kit import Refused

GLANCE = 30.0
"""Seconds between two looks at all tables."""
AT_A_TIME = 50
"""Tables that are looked at before others have their turn."""
_HOUR, _DAY = 3600.0, 86400.0


@attrs.frozen
class Kept:
    """For how many seconds a seat is kept: a guest's, and that of somebody with an account."""

    guest: float = _HOUR / 2
    account: float = 30 * _DAY


@attrs.frozen
class _Absence:
    """Since when somebody has been away from a table, by its own watch; until when their seat is kept, by the host's.

    That is worked out where a guest's seat would have lapsed: what is kept of an account is then looked into once.
    """

    since: float
    until: float | None = None


class Forsaken:
    """What is done about tables at which nobody is left."""

    def __init__(self, tables: Tables, kept: Kept) -> None:
        self._tables = tables
        self._host = tables.host
        self._kept = kept
        self._away: dict[int, dict[str, _Absence]] = {}
        self._seatless: frozenset[str] = frozenset()
        """Guests with a word to come back with and with no seat to come back to, when last looked."""

    async def watch(self) -> None:
        """Look again and again until cancelled."""
        await regularly(GLANCE, self.look, "tables that are left behind cannot be seen to")

    async def look(self) -> None:
        """See to every table once: to those first for which this node comes first. Raises `StoreUnavailable`."""
        tables, waited = self._tables, 0.0
        due = []
        for number, bot in enumerate([*tables.open.values()]):
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)
            if names := await self._lapsed(bot):
                due.append((bot, names))
        for bot, names in sorted(due, key=lambda one: tables.lag(one[0].runner.log)):
            wait = tables.lag(bot.runner.log) - waited
            if wait > 0:
                await asyncio.sleep(wait)
                waited += wait
            if tables.open.get(bot.table.header.number) is bot and bot.runner.life is not Life.ASLEEP:
                with suppress(UserError, Refused):
                    await bot.room.do(partial(self._clear, bot, names))
        self._away = {number: away for number, away in self._away.items() if number in tables.open}
        await self._let_guests_go()

    async def _clear(self, bot: TableBot, names: frozenset[str]) -> None:
        """Let those get up whose seats have lapsed, or break the game off where these are all; raises `UserError`."""
        names -= {name for name in names if bot.publisher.is_here(name)}
        if bot.table.started:
            if names >= bot.table.seats.owners and not bot.publisher.watched:
                await seating.break_off(bot)
            return
        await seating.clear(bot, names)
        self._tables.let_go(names)
        if not seating.people_at(bot):
            self._tables.close(bot)

    async def _lapsed(self, bot: TableBot) -> frozenset[str]:
        """Return the folded names whose seats are kept no longer; at a game that goes on none or all."""
        away = self._absences(bot)
        names = frozenset([name for name, absence in away.items() if await self._has_lapsed(bot, name, absence)])
        return names if names >= bot.table.seats.owners or not bot.table.started else frozenset()

    def _absences(self, bot: TableBot) -> dict[str, _Absence]:
        """Return who of a table is away, and since when; nobody where somebody looks on at a game."""
        before = self._away.get(bot.table.header.number, {})
        seen = bot.table.started and bot.publisher.watched
        gone = [name for name in bot.table.seats.owners if not (seen or bot.publisher.is_here(name))]
        away = {name: before.get(name) or _Absence(bot.clock.now()) for name in gone}
        self._away[bot.table.header.number] = away
        return away

    async def _has_lapsed(self, bot: TableBot, name: str, absence: _Absence) -> bool:
        if bot.clock.now() - absence.since < self._kept.guest:
            return False
        until = absence.until
        if until is None:
            until = await self._kept_until(bot, name)
            self._away[bot.table.header.number][name] = attrs.evolve(absence, until=until)
        return self._host.clock() >= until

    async def _kept_until(self, bot: TableBot, name: str) -> float:
        """Return until when a seat is kept that a guest would have lost by now, in seconds since 1970.

        An account's is kept long, from when they were last here or last did something at the table, and longer at a
        slow table and on vacation; but nobody waits long for a game to begin that is played at one sitting.
        """
        slow = bot.table.clock.slow
        if name not in self._host.accounts.names or not (bot.table.started or slow):
            return 0.0
        _, entries = await self._tables.archive.read(bot.table.header.number)
        seen = (await self._host.owned(name)).seen
        last = max([seen, *(entry.at for entry in entries if fold(entry.by) == name)])
        vacation = self._tables.vacations.ends(name) if slow else 0.0
        return max(last, vacation) + max(self._kept.account, bot.clock.whole_turn if slow else 0.0)

    async def _let_guests_go(self) -> None:
        """Forget guests who are not here and have no seat to come back to; raises `StoreUnavailable`.

        It takes two looks, so that nobody is meant who is about to sit down at another node.
        """
        host = self._host
        seated = frozenset[str]().union(*(bot.table.seats.owners for bot in self._tables.open.values()))
        gone = host.accounts.guests - seated - host.newcomers - {*host.people}
        for name in [name for name in self._seatless & gone if not host.keeps_seat(name)]:
            account = await host.accounts.get(name)
            if account and account.guest:
                host.profiles.keep(account.key, None)
                await host.accounts.forget(name)
        self._seatless = frozenset(gone)
