"""Achievements: what people have done at the table, found in the logs of finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person
from lilygames.game import Achievement, Game
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Entry, Store
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.results.booked_once import BookedOnce
from lilygames.tables.results.results import counts, has_account, parts
from lilygames.tables.results.statistics import told
from lilygames.tables.state.table import Table
from lilygames.text import Line

KIND = "achievements"


@attrs.frozen
class Earned:
    """How often someone has achieved something, and the table at which they did it first."""

    times: int
    table: int


@attrs.frozen
class Earnings:
    """Someone's achievements by game, then by name."""

    games: dict[str, dict[str, Earned]] = attrs.field(factory=dict)

    @property
    def number(self) -> int:
        """The number of different achievements."""
        return sum(map(len, self.games.values()))


def added(before: Earnings, game: str, names: Sequence[str], table: int) -> Earnings:
    """Return someone's achievements after a table."""
    mine = dict(before.games.get(game, {}))
    for name in names:
        had = mine.get(name)
        mine[name] = Earned(had.times + 1, min(had.table, table)) if had else Earned(1, table)
    return Earnings({**before.games, game: mine})


def achieved(table: Table, entries: Sequence[Entry], key: Callable[[str], str]) -> dict[str, list[Achievement]]:
    """Return what each person achieved at a finished table: of those who played all of it themselves."""
    if not table.game.achievements:
        return {}
    events, found = told(table, entries), dict[str, list[Achievement]]()
    played = {key(part.name): part.name for part in parts(table, entries, key) if not (part.left or part.helped)}
    for one in table.game.achievements:
        for seat in dict.fromkeys(one.seats(events, table.options)):
            who = table.seats[seat]
            if who.person and key(who.name) in played:
                found.setdefault(played[key(who.name)], []).append(one)
    return found


class Achievements:
    """Everyone's achievements, in the store."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        finished_tables: FinishedTables,
        people: Everybody[Person],
        unreadable: UnreadableRows,
    ) -> None:
        self._accounts = accounts
        self._earned = BookedOnce(store, unreadable, KIND, Earnings)
        self._archive = finished_tables.archive
        self._people = people

    async def finished(self, table: Table) -> None:
        """Add what people achieved at a finished table, and tell those who are connected here."""
        if not counts(table) or not table.game.achievements:
            return
        entries = await self._archive.entries(table.header.number)
        found = await self._add(table, entries)
        for name, done in found.items():
            person = self._people.get(fold(name))
            if person and person.local:
                person.show(*(_line(table, one) for one in done))

    async def registered(self, table: Table, name: str, key: str) -> None:
        """Add what a guest of this name achieved at a finished table, under the key that they have now, once."""
        if not counts(table) or not table.game.achievements:
            return
        entries = await self._archive.entries(table.header.number)
        found = await asyncio.to_thread(achieved, table, entries, self._accounts.key)  # replays the game
        if done := found.get(name):
            await self._book(table, key, done)

    async def _add(self, table: Table, entries: Sequence[Entry]) -> dict[str, list[Achievement]]:
        """Add a table once to the records of those with an account, and return what they achieved."""
        found = await asyncio.to_thread(achieved, table, entries, self._accounts.key)  # replays the game
        theirs = {name: done for name, done in found.items() if has_account(self._accounts, name)}
        for name, done in theirs.items():
            await self._book(table, self._accounts.key(name), done)
        return theirs

    async def _book(self, table: Table, key: str, done: Sequence[Achievement]) -> None:
        names, number = [one.name for one in done], table.header.number
        step = partial(added, game=table.game.name, names=names, table=number)
        await self._earned.add(key, number, step, achieved=names)

    async def of(self, name: str) -> Earnings:
        """Return someone's achievements."""
        return await self._earned.find(self._accounts.key(name))


def known(game: Game, name: str) -> Achievement | None:
    """Return the achievement of a game with this name; None if it has gone since."""
    return next((one for one in game.achievements if one.name == name), None)


def _line(table: Table, one: Achievement) -> Line:
    return Line(f"Achievement: {one.name}. You {one.text}.", "game", tag=table.header.tag)
