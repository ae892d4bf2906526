"""The tables of a round on the server: opened for their players, started, ended, and read for their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.store import Entry, StoreUnavailable
from lilygames.tables.bots.house_seats import SUBSTITUTE
from lilygames.tables.duplicate.duplicate_set import DuplicateSet, Ended
from lilygames.tables.log.acts import Adjudicated, Seated, Sitter
from lilygames.tables.log.acts import Header as TableHeader
from lilygames.tables.log.options import Frame
from lilygames.tables.open.opening import Plan
from lilygames.tables.open.tables import Tables
from lilygames.tables.results.results import substituted, taken_from_bots
from lilygames.tables.room.bot import TableBot
from lilygames.tables.state.table import Table
from lilygames.tournaments.pairing.log import SeatResult, TableFinished, tag
from lilygames.tournaments.pairing.tournament import RoundTable, Tournament
from lilygames_rules.kit import Outcome

log = structlog.get_logger()
CARDS_FOR = 86400.0
"""Seconds in which the cards of a round can be dealt, if the round doesn't end earlier."""


class RoundTables:
    """Opens and reads the tables of rounds. Whatever it does can be repeated after a crash."""

    def __init__(self, tables: Tables, *, no_show: float) -> None:
        self._tables = tables
        self._host = tables.host
        self.no_show = no_show
        """Seconds until a bot gets the seat of a player who isn't there."""

    def game(self, now_in: Tournament) -> Game:
        """Return a tournament's game; raises `UserError` if its rules have changed since."""
        game = self._tables.games.get(now_in.header.game)
        found = game.by_version(now_in.header.version) if game else None
        if found is None:
            raise UserError(f"the rules of {now_in.header.game} have changed since the tournament was created.")
        return found

    def legal(self, now_in: Tournament) -> range:
        """Return the numbers of players that the game can seat."""
        return self.game(now_in).rules.SEATS

    def _name(self, now_in: Tournament, key: str) -> str:
        return self._host.accounts.now(now_in.players[key].name)

    def find(self, named: str, table: RoundTable) -> TableBot | None:
        """Return the open table with this number, or one that was opened for this place and not recorded yet."""
        if table.number:
            return self._tables.open.get(table.number)
        return next((bot for bot in self._tables.open.values() if bot.table.header.tournament == named), None)

    async def is_lost(self, table: RoundTable) -> bool:
        """Whether a table that isn't open here was closed before its start, so that it must be opened again."""
        if table.number in self._tables.unplayable.numbers:
            return False
        if await self._tables.store.find("open", str(table.number)) is not None:
            return False
        return not any('"Start"' in entry.body for entry in await self._tables.archive.entries(table.number))

    # open

    async def opened(self, now_in: Tournament, round_: int, number: int) -> TableBot:
        """Open a table of a round."""
        paired = now_in.table(round_, number).paired
        first = Person(self._name(now_in, paired.people[0]), guest=False, room=self._host.lobby)
        return await self._tables.opening.new(await self._plan(now_in, round_, number), first)

    async def seat(self, now_in: Tournament, round_: int, number: int, bot: TableBot) -> None:
        """Give the players of a table their seats, unless they have them."""
        paired = now_in.table(round_, number).paired
        people = [Sitter(self._name(now_in, key)) for key in paired.people]

        async def sit() -> None:
            if not bot.table.seats:
                seated = [*people, *self._bots(bot, paired.bots)]
                await bot.runner.acts("table", [Seated(seat, who) for seat, who in enumerate(seated)])
            bot.remember_seats()

        await bot.room.do(sit)

    @staticmethod
    def _bots(bot: TableBot, number: int) -> list[Sitter]:
        levels = bot.table.game.players
        level = SUBSTITUTE if SUBSTITUTE in levels else next(iter(levels))
        return [Sitter(name, level) for name in bot.house.free_names[:number]]

    async def _plan(self, now_in: Tournament, round_: int, number: int) -> Plan:
        header, game = now_in.header, self.game(now_in)
        plan = Plan(
            game,
            codec.load(header.options, game.rules.Options),
            Frame(game.sealed, header.clock, "substitute", private=header.duplicate, rated=not header.duplicate),
            tournament=tag(header.number, round_, number),
        )
        if not header.duplicate:
            return plan
        cards = await self._cards(now_in, round_, game, plan.options)
        key = await self._tables.duplicates.key(cards)
        return attrs.evolve(plan, wanted=len(cards.seats), duplicate=cards.header.name, key=key)

    async def _cards(self, now_in: Tournament, round_: int, game: Game, options: Any) -> DuplicateSet:
        """Return the cards of a round, the same for all of its tables."""
        sets, until = self._tables.duplicates, self._host.now() + CARDS_FOR
        found = await sets.opened_by_server(_set_name(now_in, round_), game, options, until)
        return await sets.sealed_by_server(found, [("", "")] * now_in.header.seats)

    async def end_of_cards(self, now_in: Tournament) -> None:
        """Let no more tables have the cards of the round that is over, so that their secret is published."""
        if not (now_in.header.duplicate and now_in.round):
            return
        found = await self._tables.duplicates.find(_set_name(now_in, now_in.round.number))
        if found and not found.ended:
            await self._tables.duplicates.add(found.header.name, Ended("table"))

    def close_strays(self, known: Mapping[int, Tournament]) -> None:
        """Close tables that wait in vain: two nodes opened them for one place, or their tournament was cancelled."""
        for bot in [*self._tables.open.values()]:
            if bot.table.header.tournament and not bot.table.started and self._is_stray(bot, known):
                self._tables.closing.close(bot)

    def _is_stray(self, bot: TableBot, known: Mapping[int, Tournament]) -> bool:
        """Whether no open tournament waits for a table, or another table has its place."""
        number, round_, table = map(int, bot.table.header.tournament.split("/"))
        if self._tables.lag(f"tournament/{number}"):
            return False
        if number not in known:
            return True
        latest = known[number].round
        if latest is None or round_ > latest.number:  # another node is ahead
            return False
        return round_ < latest.number or latest.tables[table - 1].number not in (0, bot.table.header.number)

    # start

    def missing(self, now_in: Tournament, table: RoundTable, bot: TableBot) -> list[str]:
        """Return the players who aren't here, or have left the table before its start."""
        names = {key: self._name(now_in, key) for key in table.paired.people if key not in table.absent}
        return [
            key for key, name in names.items() if not bot.publisher.is_here(name) or bot.table.seat_of(name) is None
        ]

    async def start(self, now_in: Tournament, table: RoundTable, bot: TableBot) -> None:
        """Start a table, with bots in the seats of those who aren't there."""
        size = len(table.paired.people) + table.paired.bots
        absent = {fold(self._name(now_in, key)) for key in table.absent}

        async def begin() -> None:
            now = bot.table
            if now.started or now.rounds.sealed:
                return
            empty = [seat for seat, who in enumerate(now.seats) if who.person and fold(who.name) in absent]
            kept = len(now.seats) - len(empty)
            acts = [Seated(seat, None) for seat in reversed(empty)]
            acts += [Seated(kept + more, who) for more, who in enumerate(self._bots(bot, size - kept))]
            if acts:
                await bot.runner.acts("table", acts)
                bot.remember_seats()
            await bot.shuffle.begin("table")

        await bot.room.do(begin)

    # end

    async def end(self, bot: TableBot) -> None:
        """End a game whose time is up: the scores of the deals that are done decide."""

        async def adjudicate() -> None:
            if bot.table.going:
                await bot.runner.act("table", Adjudicated("table", "the time of the round is up", scores_so_far(bot)))
            await bot.go_on()

        await bot.room.do(adjudicate)

    async def result(self, table: RoundTable, round_: int, number: int) -> TableFinished | None:
        """Return the result of a table; None if it still plays. One that can't be replayed has no result."""
        void = TableFinished(round_, number)
        bot = self._tables.open.get(table.number)
        if (bot and bot.case) or table.number in self._tables.unplayable.numbers:
            return void
        try:
            header, entries = await self._tables.archive.read(table.number)
            found = await self._replayed(header, entries)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("a tournament's table can't be replayed", table=table.number)
            return void
        if not found.closed:
            return None
        if found.outcome is None:
            return void
        seats = tuple(self._seats(table, found, entries, found.outcome.scores))
        acted = [found.moved[seat] if seat < len(found.moved) else 0 for seat in range(len(seats))]
        return TableFinished(round_, number, seats, early=not all(acted))

    async def _replayed(self, header: TableHeader, entries: Sequence[Entry]) -> Table:
        game = header.game_in(self._tables.games)
        if game is None:
            raise LookupError(f"{header.game} {header.version} isn't installed")
        table = Table(header, game, await self._tables.archive.sealed_secret(header, [*entries]))
        for entry in entries:
            table, _ = table.read(entry)
        return table

    def _seats(
        self, table: RoundTable, found: Table, entries: Sequence[Entry], scores: Sequence[int]
    ) -> list[SeatResult]:
        """Return each seat's result; a player whose seat a bot has at the end has left."""
        key, first, taken = self._host.accounts.key, substituted(entries), taken_from_bots(entries)
        seats = []
        for seat, (who, score) in enumerate(zip(found.seats, scores, strict=True)):
            name = first.get(seat, "" if who.house or seat in taken else who.name)
            player = key(name) if name and key(name) in table.paired.people else ""
            left = seat in first and key(who.name) != key(name)
            seats.append(SeatResult(player, score, left))
        return seats


def _set_name(now_in: Tournament, round_: int) -> str:
    return f"tournament-{now_in.header.number}-{round_}"


def scores_so_far(bot: TableBot) -> Outcome | None:
    """Return a result from what is played so far; None if no deal is done, or the game has no scores before its end."""
    game, view = bot.table.game, bot.table.view(None)
    if game.scores:
        scores = tuple(game.scores(view))
    elif game.deals and (deals := game.deals(view)):
        scores = tuple(map(sum, zip(*deals, strict=True)))
    else:
        return None
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return Outcome(scores, winners, "time")
