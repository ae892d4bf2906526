"""Expiry of seats, tables and guest names after people have left.

Every node checks on its own. When several see the same table, the first in rank acts. A table that nobody needs but
guests who have left is closed soon: otherwise one guest after another could open some and go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from math import inf

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Left, PersonEvent
from lilygames.chat.tasks.periodic import regularly
from lilygames.chat.visits.arrivals import let_go
from lilygames.errors import UserError
from lilygames.store import StoreUnavailable
from lilygames.tables.open.tables import Tables
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.state.life import Life
from lilygames_rules.kit import Refused

GLANCE = 15.0
"""Seconds between two checks of all tables."""
UNBEGUN, WITH_BOTS = 60.0, 600.0
"""Seconds that a table without anyone but absent guests stays: one that hasn't begun, and a game of one with bots."""
AT_A_TIME = 50
"""Tables checked before other tasks get a turn."""
_HOUR, _DAY = 3600.0, 86400.0


@attrs.frozen
class SeatTimes:
    """Seconds a seat is kept: for a guest and for an account."""

    guest: float = _HOUR / 2
    account: float = 30 * _DAY


@attrs.frozen
class _Absence:
    """How long someone has been away from a table, and until when their seat is kept.

    The start is this node's monotonic time; the end is wall-clock time. The end is worked out once, when a guest's seat
    would have expired. That saves reading the account each time.
    """

    since: float
    until: float | None = None


class AbandonedSeats:
    """Closes tables that everyone has left, and frees expired seats."""

    observes = (Left,)

    def __init__(self, tables: Tables, times: SeatTimes) -> None:
        self._tables = tables
        self._host = tables.host
        self._times = times
        self._away: dict[int, dict[str, _Absence]] = {}
        self._soon: set[asyncio.Task[None]] = set()
        self._seatless: frozenset[str] = frozenset()
        """Disconnected guests with a reconnect word but no seat, as of the last check."""

    async def watch(self) -> None:
        """Check periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot close abandoned tables", first=0.0)

    def observe(self, event: PersonEvent) -> None:
        """Look at a guest's unbegun tables as soon as nobody needs them, not only at the next check."""
        if not (isinstance(event, Left) and event.person.guest):
            return
        numbers = [bot.table.header.number for bot in self._tables.seating(event.person.name) if not bot.table.started]
        for number in numbers:
            self._absences(self._tables.open[number])
        if numbers:
            task = asyncio.get_running_loop().create_task(self._look_later(numbers))
            self._soon.add(task)
            task.add_done_callback(self._soon.discard)

    async def _look_later(self, numbers: Sequence[int]) -> None:
        await asyncio.sleep(UNBEGUN)
        with suppress(StoreUnavailable):  # a later check closes them
            await self._look_at([bot for number in numbers if (bot := self._tables.open.get(number))])

    async def look(self) -> None:
        """Check every table once, those this node ranks first for before the rest.

        Raises `StoreUnavailable`.
        """
        await self._look_at([*self._tables.open.values()])
        self._away = {number: away for number, away in self._away.items() if number in self._tables.open}
        await self._let_guests_go()

    async def _look_at(self, bots: Sequence[TableBot]) -> None:
        tables, waited = self._tables, 0.0
        due = []
        for number, bot in enumerate(bots):
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
                    await bot.room.do(self._clear, bot, names)

    async def _clear(self, bot: TableBot, names: frozenset[str]) -> None:
        """Free the expired seats, or abort the game if all have expired; raises `UserError`."""
        names -= {name for name in names if bot.publisher.is_here(name)}
        if bot.table.started:
            if names >= bot.table.seats.owners and not bot.publisher.watched:
                await seating.break_off(bot)
            return
        await seating.clear(bot, names)
        let_go(self._tables.host, names)
        if not seating.people_at(bot):
            self._tables.closing.close(bot)

    async def _lapsed(self, bot: TableBot) -> frozenset[str]:
        """Return the folded names whose seats have expired; all or none in a running game."""
        away = self._absences(bot)
        names = frozenset([name for name, absence in away.items() if await self._has_lapsed(bot, name, absence)])
        return names if names >= bot.table.seats.owners or not bot.table.started else frozenset()

    def _absences(self, bot: TableBot) -> dict[str, _Absence]:
        """Return who is away and since when; empty if a running game has a spectator."""
        before = self._away.get(bot.table.header.number, {})
        seen = bot.table.started and bot.publisher.watched
        gone = [name for name in bot.table.seats.owners if not (seen or bot.publisher.is_here(name))]
        away = {name: before.get(name) or _Absence(bot.clock.now()) for name in gone}
        self._away[bot.table.header.number] = away
        return away

    async def _has_lapsed(self, bot: TableBot, name: str, absence: _Absence) -> bool:
        passed = bot.clock.now() - absence.since
        if passed >= self._soonest(bot):
            return True
        if passed < self._times.guest:
            return False
        until = absence.until
        if until is None:
            until = await self._kept_until(bot, name)
            self._away[bot.table.header.number][name] = attrs.evolve(absence, until=until)
        return self._host.clock() >= until

    def _soonest(self, bot: TableBot) -> float:
        """Return the seconds after which a table closes that only guests have who are away; infinity for any other."""
        owners = bot.table.seats.owners
        if any(bot.publisher.is_here(name) or name in self._host.accounts.names for name in owners):
            return inf
        if not bot.table.started:
            return UNBEGUN
        return WITH_BOTS if len(owners) == 1 else inf

    async def _kept_until(self, bot: TableBot, name: str) -> float:
        """Return when a seat expires that a guest would have lost by now, in seconds since 1970.

        An account's seat is kept from the person's last visit or last act at the table. Slow tables and vacations keep
        it longer. A live game that hasn't started doesn't wait that long.
        """
        slow = bot.table.clock.slow
        if name not in self._host.accounts.names or not (bot.table.started or slow):
            return 0.0
        _, entries = await self._tables.archive.read(bot.table.header.number)
        seen = (await self._host.owned(name)).seen
        last = max([seen, *(entry.at for entry in entries if fold(entry.by) == name)])
        vacation = self._tables.vacations.ends(name) if slow else 0.0
        return max(last, vacation) + max(self._times.account, bot.clock.whole_turn if slow else 0.0)

    async def _let_guests_go(self) -> None:
        """Delete guests who are disconnected and have no seat; raises `StoreUnavailable`.

        This takes two checks, to spare a guest who is just joining a table on another node.
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
