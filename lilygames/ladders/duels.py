"""Duels: the same cards and bots for several people, each at a table of their own, in the same seat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.joining.duplicates import go_on_alone, play_alone
from lilygames.tables.duplicate.daily_deals import SEAT, solo_options, solo_seats
from lilygames.tables.duplicate.duplicate_set import DuplicateSet, Ended, SetTable
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.log.clocks import spoken
from lilygames.tables.log.seat_ids import FORMER
from lilygames.tables.visits.table_context import TableContext

_HOUR = 3600


@attrs.frozen
class Duels:
    """The duplicate sets of duels, and the people's games in them."""

    sets: DuplicateSets
    accounts: Accounts

    async def deal(self, name: str, game: Game, until: float) -> DuplicateSet:
        """Return the set of a duel, which takes tables until a time; fix the cards if nobody has."""
        found = await self.sets.opened_by_server(name, game, solo_options(game), until)
        return await self.sets.sealed_by_server(found, solo_seats(game))

    async def game(self, name: str, key: str) -> SetTable | None:
        """Return the table at which someone has begun their game of a duel, or None."""
        found = await self.sets.find(name)
        return _game_of(found.tables.values(), key) if found else None

    async def both(self, name: str, keys: Sequence[str]) -> list[SetTable | None]:
        """Return the tables at which the two players of a duel have begun their games, or None.

        Players who were deleted have other names in the set, so they get the tables of its former players.
        """
        found = await self.sets.find(name)
        tables = [*found.tables.values()] if found else []
        former = iter([table for table in tables if table.added.key.startswith(FORMER)])
        return [next(former, None) if key.startswith(FORMER) else _game_of(tables, key) for key in keys]

    async def play(self, at: TableContext, game: Game, found: DuplicateSet, called: str) -> None:
        """Open a table for a person's game of a duel, or take them back there; raises `UserError`."""
        mine = _game_of(found.tables.values(), self.accounts.key(at.person.name))
        if mine and mine.finished:
            raise UserError("you've already played this duel. The result counts once the others have played, too.")
        if mine:
            return await go_on_alone(at, mine.added.table, found, called=called)
        return await play_alone(at, game, found, called=called)

    async def end(self, name: str) -> None:
        """Let no more tables of a duel begin, so that its secret can be published."""
        found = await self.sets.find(name)
        if found and not found.ended:
            await self.sets.add(name, Ended("table"))


def _game_of(tables: Iterable[SetTable], key: str) -> SetTable | None:
    return next((table for table in tables if table.added.key == key), None)


def time_left(seconds: float) -> str:
    """Return the time left in words, rounded up to the next hour while there are several."""
    return spoken(math.ceil(seconds / _HOUR) * _HOUR if seconds > _HOUR else seconds)


def points(table: SetTable) -> tuple[int, ...] | None:
    """Return a person's points in each deal of a game that is over; None if they left it, or it was broken off."""
    seats = table.finished.seats if table.finished else ()
    return seats[SEAT].deals if seats and not (seats[SEAT].left or table.case) else None
