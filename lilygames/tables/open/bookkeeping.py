"""Records about games beside their logs: results, ratings, chips, statistics and more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import tzinfo

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person
from lilygames.game import Game
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.duplicate.daily_deals import DailyDeals
from lilygames.tables.duplicate.duplicate_sets import DuplicateSets
from lilygames.tables.play.services import Effect
from lilygames.tables.ratings.ratings import Ratings
from lilygames.tables.results.achievements import Achievements
from lilygames.tables.results.costly_moves import CostlyMoves
from lilygames.tables.results.purses import Purses
from lilygames.tables.results.results import Results
from lilygames.tables.results.statistics import Statistics
from lilygames.tables.seeks.presets import Presets
from lilygames.tables.seeks.vacation import Vacations
from lilygames.tables.sight.recaps import Recaps
from lilygames.tables.verify.fairness import Fairness


class Bookkeeping:
    """The records about games and their players. Nothing here knows which tables are open."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        people: Everybody[Person],
        games: Mapping[str, Game],
        unreadable: UnreadableRows,
        *,
        duplicates: DuplicateSets,
        daily_deals: DailyDeals,
        now: Callable[[], float],
        zone: tzinfo,
    ) -> None:
        self.unreadable = unreadable
        """Records that could not be read from the store."""
        self.archive = Archive(store)
        self.finished = FinishedTables(self.archive, games)
        """Finished tables, replayed."""
        self.duplicates, self.daily_deals = duplicates, daily_deals
        self.purses = Purses(store, accounts, people)
        self.vacations = Vacations(store, accounts.key, unreadable)
        self.results = Results(
            store,
            accounts,
            Ratings(store, accounts, now=now, zone=zone, unreadable=unreadable, games=games, here=people.keys),
            unreadable,
        )
        self.fairness = Fairness(store, unreadable)
        self.presets = Presets(store, accounts, unreadable)
        self.statistics = Statistics(store, accounts, self.finished, unreadable)
        self.achievements = Achievements(store, accounts, self.finished, people, unreadable)
        self.costly_moves = CostlyMoves(store, accounts.key, unreadable)
        self.recaps = Recaps(store, self.finished, unreadable)
        self.effects: tuple[Effect, ...] = (
            self.results.finished,
            self.fairness.finished,
            self.statistics.finished,
            self.achievements.finished,
            self.recaps.finished,
            self.duplicates.finished,
        )
        """Jobs that add the end of a game to these records, in order."""
