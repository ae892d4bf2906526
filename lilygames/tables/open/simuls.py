"""Simuls: one person's tables that were opened together, and how their games ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Entry, Store, StoreUnavailable
from lilygames.tables.archive.archive import Archive
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.results.booked_once import BookedOnce
from lilygames.tables.results.results import parts, places
from lilygames.tables.room.bot import TableBot
from lilygames.tables.state.table import Table
from lilygames.text import Line, count, listing

KIND = "simul"
How = Literal["won", "lost", "tied", "no result"]


@attrs.frozen
class SimulGame:
    """A finished game of a simul: its opponent, how it ended, and the points of both."""

    table: int
    opponent: str
    how: How
    points: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        if self.how == "no result":
            return f"#{self.table} with {self.opponent}: no result"
        return f"#{self.table} with {self.opponent}: {self.how}, {self.points[0]} to {self.points[1]}"


@attrs.frozen
class Simul:
    """Someone's latest simul: when it was opened, in seconds since 1970, and its finished games."""

    opened: int = 0
    games: tuple[SimulGame, ...] = ()

    @property
    def total(self) -> str:
        """All results in words: `you won 2 games, lost 1 game and tied 1 game`."""
        of = Counter(game.how for game in self.games)
        said = [f"{how} {count(of[how], 'game')}" for how in ("won", "lost", "tied") if of[how]]
        return f"you {listing(said)}" if said else "no game had a result"


def added(before: Simul, opened: int, game: SimulGame) -> Simul:
    """Return someone's latest simul after one more game; a game of an earlier one changes nothing."""
    if opened < before.opened:
        return before
    games = before.games if opened == before.opened else ()
    return Simul(opened, (*games, game))


def game_of(table: Table, entries: Sequence[Entry], accounts: Accounts) -> SimulGame:
    """Return how a finished table ended for the person who gave the simul."""
    number, host = table.header.number, accounts.key(table.header.host)
    names = [who.stands_in or who.name for who in table.seats]
    other = next((name for name in names if accounts.key(name) != host), "nobody")
    if table.outcome is None:
        return SimulGame(number, other, "no result")
    everybody = parts(table, entries, accounts.key)
    placed = [*zip(everybody, places(everybody), strict=True)]
    mine = next(((part, place) for part, place in placed if part.name and accounts.key(part.name) == host), None)
    theirs = next((one for one in placed if mine is None or one[0] is not mine[0]), None)
    if mine is None or theirs is None:
        return SimulGame(number, other, "no result")
    how: How = "won" if mine[1] < theirs[1] else "lost" if mine[1] > theirs[1] else "tied"
    return SimulGame(number, theirs[0].name or other, how, (mine[0].score, theirs[0].score))


class Simuls:
    """Everyone's latest simul, in the store. Each table is added once, whichever node does it."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        people: Everybody[Person],
        tables: OpenTables,
        unreadable: UnreadableRows,
    ) -> None:
        self._accounts = accounts
        self._archive = Archive(store)
        self._simuls = BookedOnce(store, unreadable, KIND, Simul)
        self._people = people
        self._tables = tables

    async def finished(self, table: Table) -> None:
        """Add a table of a simul that is over; after the last one, tell the person who gave the simul."""
        opened, name = table.header.simul, table.header.host
        if not opened:
            return
        game = game_of(table, await self._archive.entries(table.header.number), self._accounts)
        step = partial(added, opened=opened, game=game)
        await self._simuls.add(self._accounts.key(name), table.header.number, step)
        last = self._tables.bots.get(table.header.number)
        others = self.going(name, opened, but=table.header.number) or self._tables.unrestored.of_simul(name, opened)
        if last and not others:
            last.room.post(self._tell, name)  # after the end of this game

    async def _tell(self, name: str) -> None:
        """Tell the person who gave a simul how all its games ended, if they are connected here."""
        person = self._people.get(fold(name))
        if person and person.local:
            with suppress(StoreUnavailable):
                person.show(*(Line(row, "game") for row in totals(await self.of(name))))

    async def of(self, name: str) -> Simul:
        """Return someone's latest simul, as far as its games are over."""
        return await self._simuls.find(self._accounts.key(name))

    def going(self, name: str, opened: int, but: int = 0) -> list[TableBot]:
        """Return the tables of a simul that aren't over, except one."""
        found = []
        for number, bot in self._tables.bots.items():
            header = bot.table.header
            if number != but and header.simul == opened and fold(header.host) == fold(name) and not bot.over:
                found.append(bot)
        return found


def totals(simul: Simul) -> list[str]:
    """Return the rows that sum up a simul that is over."""
    return [f"Your simul is over: {simul.total}.", *(f"  {game}" for game in simul.games)]
