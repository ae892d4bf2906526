"""All tables of the host, built from what opens, restores, follows and closes them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from lilygames.chat.host.host import Host
from lilygames.chat.visits.arrivals import come_back_word
from lilygames.game import Game
from lilygames.proofs import commitments
from lilygames.store import Store
from lilygames.tables.open import game_names
from lilygames.tables.open.added_texts import AddedTexts
from lilygames.tables.open.bookkeeping import Bookkeeping
from lilygames.tables.open.carried_over import CarriedOver
from lilygames.tables.open.closing import Closing
from lilygames.tables.open.following import Following
from lilygames.tables.open.leaving import Leaving
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.opening import NewSeals, Opening
from lilygames.tables.open.reopening import Reopening
from lilygames.tables.open.restoring import Restoring
from lilygames.tables.open.rooms import TableRooms
from lilygames.tables.open.simuls import Simuls
from lilygames.tables.open.stakes import Stakes
from lilygames.tables.play.activity import TableActivity
from lilygames.tables.play.answers import Answers
from lilygames.tables.play.services import (
    AtTheEnd,
    Bots,
    Chips,
    Clocked,
    LogServices,
    Players,
    ShuffleTimes,
    Shuffling,
    TableServices,
)
from lilygames.tables.verify.bot_checks import BotChecks
from lilygames.tables.verify.slow_jobs import SlowJobs
from lilygames.text import count


class Tables:
    """The tables of the host and everything about them, built from its components."""

    def __init__(
        self,
        host: Host,
        store: Store,
        open_tables: OpenTables,
        books: Bookkeeping,
        *,
        bots: Bots,
        seals: NewSeals,
        shuffle: ShuffleTimes,
        texts: AddedTexts,
        told: Mapping[int, int] | None,
        node: str,
    ) -> None:
        """`told` has the last entry of each table that the previous process published; None if there was none.

        `node` is the name of this node of a cluster; empty for a server that is one process.
        """
        self.host, self.store, self.texts, self.think = host, store, texts, bots.think
        # which tables are open
        self.games, self.open, self.held = open_tables.games, open_tables.bots, open_tables.held
        self.find, self.listed = open_tables.find, open_tables.listed
        self.seating, self.inviting, self.joinable = open_tables.seating, open_tables.inviting, open_tables.joinable
        self.is_public, self.facts_of = open_tables.is_public, open_tables.facts_of
        self.waiting, self.absent_elsewhere = open_tables.waiting, open_tables.absent_elsewhere
        self.unplayable, self.unrestored, self.remote = (
            open_tables.unplayable,
            open_tables.unrestored,
            open_tables.remote,
        )
        self.party, self.parties, self.televisions = open_tables.party, open_tables.parties, open_tables.televisions
        # what is stored about games
        self.archive, self.finished, self.results, self.purses = (
            books.archive,
            books.finished,
            books.results,
            books.purses,
        )
        self.duplicates, self.daily_deals, self.fairness = books.duplicates, books.daily_deals, books.fairness
        self.statistics, self.achievements, self.recaps = books.statistics, books.achievements, books.recaps
        self.costly_moves = books.costly_moves
        self.presets, self.vacations, self.unreadable = books.presets, books.vacations, books.unreadable
        self.simuls = Simuls(store, host.accounts, host.people, open_tables, books.unreadable)
        self.stakes = Stakes(books.purses, open_tables)
        # what people ask of them
        self.replays: dict[str, Any] = {}
        """The finished game each person is replaying, by folded name."""
        self.activity = TableActivity()
        """Counts of what this node has done at its tables."""
        self.slow, self.bot_checks = SlowJobs(), BotChecks(bots.rethink)
        self.hints, self.reviews = Answers(), Answers()
        # how they open and close
        self.carried_over = CarriedOver(host, open_tables, told)
        self.leaving = Leaving(host, open_tables)
        self.lag = self.leaving.lag
        """Return the seconds this node leaves other nodes to act on a log first, when any node may act."""
        self.closing = Closing(host, store, open_tables, books.duplicates)
        effects = (*books.effects, self.simuls.finished)
        services = TableServices(
            LogServices(
                store=store,
                node=node,
                row_written=self.remote.written,
                new_salt=seals.new_salt or commitments.fresh,
                lag=self.lag,
                bot_work=bots.work,
                activity=self.activity,
            ),
            Clocked(host.now, time.monotonic, books.vacations.ends),
            Players(
                people=host.people,
                keep=host.keep,
                account_like=host.accounts.look_alike,
                come_back_word=partial(come_back_word, host),
                rating_of=books.results.ratings.one,
            ),
            Chips(books.purses, self.stakes.brought),
            bots,
            Shuffling(shuffle, self.slow, self.leaving.is_cut_off),
            AtTheEnd(effects, self.closing.ended),
            open_tables.televisions,
            open_tables.changed,
        )
        self.rooms = TableRooms(host, open_tables, services, self.carried_over)
        reopening = Reopening(store, books.archive, open_tables, self.rooms, self.carried_over)
        self.following = Following(
            host,
            store,
            books.archive,
            open_tables,
            reopening=reopening,
            leaving=self.leaving,
            carried_over=self.carried_over,
        )
        self.restoring = Restoring(
            host,
            store,
            open_tables,
            books,
            reopening=reopening,
            following=self.following,
            carried_over=self.carried_over,
            lag=self.lag,
            effects=effects,
            clustered=bool(node),
        )
        self.opening = Opening(
            host,
            store,
            open_tables,
            books.duplicates,
            rooms=self.rooms,
            following=self.following,
            closing=self.closing,
            seals=seals,
            slow=self.slow,
            activity=self.activity,
        )
        for game in self.games.values():
            host.open_room(game.name, f"{game.title} tables")

    def game(self, word: str) -> Game:
        """Return the game with this name or prefix; raises `UserError`."""
        return game_names.find_game(self.games, word)

    @property
    def troubles(self) -> list[str]:
        """Problems for the sysop: stopped tables with their case numbers, and unreadable parts of the store."""
        cases = {number: (bot.room.name, bot.case) for number, bot in self.open.items() if bot.case}
        cases |= {table.header.number: (table.header.room, table.case) for table in self.unplayable.stopped}
        tables = [f"stopped table #{number} {room} (case {case})" for number, (room, case) in sorted(cases.items())]
        unread = count(len(self.unreadable), "unreadable row") if self.unreadable else ""
        return [*tables, *([f"{unread} in the store"] if unread else [])]
