"""The daily deals of a place: one set a day for each game, who played it, and the standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from fractions import Fraction
from itertools import product
from typing import Any

import structlog

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.seniority import Seniority
from lilygames.game import Game
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_rules import DayStandings, Entrant, Streak, WeekRow
from lilygames.tables.duplicate.duplicate_set import DuplicateSet, SetTable
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.duplicate.matchpoints import Result
from lilygames.tables.duplicate.streaks import Streaks
from lilygames.tables.log import beacon as beacons
from lilygames.tables.log.acts import HOUSE
from lilygames.tables.log.beacon import Beacon, BeaconDown
from lilygames_rules.kit import Seat

log = structlog.get_logger()
LEVEL = "club"
"""Preferred level of the bots of a daily deal."""
SEAT: Seat = 0
"""The player's seat in every daily deal."""
_DAY = timedelta(days=1)
_MAY_BE_SHUT = 4
"""Days, with today, whose deals may not be public yet: two, and more if the server wasn't running when one ended."""


def has_daily(game: Game) -> bool:
    """Return whether a game has a daily deal: with bots, and ending alike for everyone.

    A game with a closed seal, chips or people who come and go needs options for it.
    """
    return bool(game.players) and (game.daily_options is not None or not (game.sealed or game.joins or game.purse))


def solo_seats(game: Game) -> list[tuple[str, str]]:
    """Return the name and level of each seat of a deal that one person plays with bots; theirs is the first."""
    size = min(game.quick, game.rules.SEATS.stop - 1)
    level = LEVEL if LEVEL in game.players else next(iter(game.players))
    return [("", ""), *((name, level) for name in HOUSE[: size - 1])]


def solo_options(game: Game) -> Any:
    """Return the options of such a deal: those of its own, or those of a short game."""
    chosen = game.quick_options if game.daily_options is None else game.daily_options
    return game.rules.Options() if chosen is None else chosen


class DailyDeals:
    """The daily deals of a place, in its time zone."""

    def __init__(
        self,
        sets: DuplicateSets,
        games: Mapping[str, Game],
        streaks: Streaks,
        accounts: Accounts,
        *,
        seniority: Seniority,
        zone: tzinfo,
        beacon: Beacon | None,
    ) -> None:
        self.sets = sets
        self.zone = zone
        self._beacon = beacon
        self._games = games
        self._streaks = streaks
        self._accounts = accounts
        self._seniority = seniority

    @property
    def has_beacon(self) -> bool:
        """Whether the sysop has set a public beacon."""
        return self._beacon is not None

    @property
    def games(self) -> list[Game]:
        """The games that have a daily deal."""
        return [game for game in self._games.values() if has_daily(game)]

    @property
    def today(self) -> date:
        """The date now."""
        return daily_rules.today(self.sets.now(), self.zone)

    # deals

    async def deal_for(self, game: Game, day: date, name: str) -> DuplicateSet:
        """Return the set of a day's deal that a person plays: guests get other cards than accounts.

        In release 0.2 they got the same cards. A guest who has begun those goes on.
        """
        if not await self.is_guest(name):
            return await self.deal(game, day)
        shared = await self.sets.find(daily_rules.set_name(game.name, day))
        return shared if shared and self.game_of(shared, name) else await self.deal(game, day, guests=True)

    async def is_guest(self, name: str) -> bool:
        """Return whether a person has no account."""
        return await self._accounts.since(name) is None

    async def deal(self, game: Game, day: date, *, guests: bool = False) -> DuplicateSet:
        """Return the set of a day's deal, or of that for guests; fix its cards if nobody has asked for it yet.

        With a beacon, its seal is fixed at once, and its cards once `prepare` has asked for the beacon's number. A seal
        that isn't fixed before midnight has none: the host could know the number already.
        """
        name, until = daily_rules.set_name(game.name, day, guests=guests), daily_rules.closes(day, self.zone)
        opens = daily_rules.opens(day, self.zone)
        beacon = self._beacon.name if self._beacon and self.sets.now() < opens else ""
        found = await self.sets.opened_by_server(name, game, solo_options(game), until, beacon=beacon, opens=opens)
        return found if found.header.beacon else await self.sets.sealed_by_server(found, solo_seats(game))

    async def prepare(self) -> None:
        """Fix the cards of today and tomorrow: each seal can be seen a day before. Raises `StoreUnavailable`."""
        both = [(game, guests) for game in self.games for guests in (False, True)]
        for game, guests in both:
            await self.deal(game, self.today + _DAY, guests=guests)
        found = [(game, await self.deal(game, self.today, guests=guests)) for game, guests in both]
        waiting = [(game, one) for game, one in found if not one.sealed]
        words: dict[tuple[str, float], str] = {}
        for game, one in waiting:
            drawn = (one.header.beacon, one.header.opens)
            if drawn not in words:
                words[drawn] = await self._word(one)
            if word := words[drawn]:
                await self.sets.sealed_by_server(one, solo_seats(game), ((beacons.BY, word),))

    async def _word(self, found: DuplicateSet) -> str:
        """Return the beacon's word for a deal; empty if it can't be reached yet, and “none” after ten minutes."""
        header, why = found.header, "it isn't set up any more"
        if self._beacon and self._beacon.name == header.beacon:
            try:
                return await self._beacon.word(header.opens)
            except BeaconDown as problem:
                why = str(problem)
        late = self.sets.now() >= header.opens + beacons.GIVE_UP
        log.warning("the beacon of the daily deals can't be reached", why=why, given_up=late)
        return beacons.NONE if late else ""

    async def is_apart(self, name: str, found: DuplicateSet) -> bool:
        """Return whether a person's game of a deal is listed apart if it begins now. Guests have their own deal."""
        if daily_rules.is_of_guests(found.header.name):
            return False
        return daily_rules.is_apart(self.sets.now(), await self._seniority.reached(name))

    def game_of(self, found: DuplicateSet, name: str) -> SetTable | None:
        """Return the table at which a person has begun a deal, or None."""
        key = self._accounts.key(name)
        return next((table for table in found.tables.values() if table.added.key == key), None)

    async def shut_tables(self, name: str, games: Iterable[str]) -> set[int]:
        """Return the tables where a person has played deals of these games whose cards others can still play."""
        days = [self.today - number * _DAY for number in range(_MAY_BE_SHUT)]
        deals = product(games, days, (False, True))
        names = [daily_rules.set_name(game, day, guests=guests) for game, day, guests in deals]
        shut = [found for name in names if (found := await self.sets.readable(name)) and not found.opened]
        return {mine.added.table for found in shut if (mine := self.game_of(found, name))}

    # standings

    @staticmethod
    def entrants(found: DuplicateSet) -> list[Entrant]:
        """Return everyone's game of a deal. A game that was broken off has no result, nor has one the player left."""
        entrants = []
        for number, table in found.tables.items():
            seat, result = (table.finished.seats[SEAT] if table.finished and table.finished.seats else None), None
            if seat and not (seat.left or seat.level):
                result = Result(number, seat.name, seat.deals)
            entrants.append(Entrant(table.added.key, table.added.apart, result, table.case))
        return entrants

    async def day(self, game: Game, day: date) -> DayStandings:
        """Return the standings of a day's deal."""
        found = await self.sets.find(daily_rules.set_name(game.name, day))
        return daily_rules.day_standings(self.entrants(found) if found else ())

    async def week(self, game: Game, day: date) -> list[WeekRow]:
        """Return the standings of a day's week up to that day, of those who aren't listed apart."""
        shares: dict[str, list[Fraction]] = {}
        first = daily_rules.monday(day)
        for number in range((day - first).days + 1):
            for placed in (await self.day(game, first + number * _DAY)).listed:
                shares.setdefault(self._accounts.key(placed.result.name), []).append(placed.share)
        return daily_rules.week_standings(shares)

    # streaks

    async def played(self, name: str, day: date) -> None:
        """Record that someone has played on a day; doing so again changes nothing."""
        await self._streaks.played(name, day)

    async def streak(self, name: str) -> Streak:
        """Return someone's streak of days with a daily deal."""
        return await self._streaks.of(name)


def shown_day(day: date) -> str:
    """Return a day as people read it: `Sunday 22 November 2026`."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


_WEEKDAYS: Sequence[str] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Sequence[str] = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
