"""Data that the next process of a reload reads while the one before still serves: in a large place it takes long.

The process before notes which of these records it has written since, and only those are read again, once it has ended.
So people wait as long at a place with a thousand accounts as at one with a million.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import attrs

from lilygames.chat.known_accounts import KnownAccounts
from lilygames.store import sqlite
from lilygames.store.record_changes import Record
from lilygames.tables.known_ratings import RECORD, KnownRatings
from lilygames.tables.ratings import STANDINGS

KINDS = frozenset({"former", "account", RECORD})
"""The kinds of records that are read."""


@attrs.frozen
class Preloaded:
    """The data that was read, and which of it to read again."""

    accounts: KnownAccounts
    ratings: KnownRatings
    again: frozenset[Record]
    """The records that may have changed since, and those that couldn't be read."""
    _file: int
    """Descriptor of the data file; no other file gets its number as long as it is open."""

    @classmethod
    def of(cls, place: Path) -> Preloaded:
        """Read a data file that a server is using. Raises `StoreUnavailable` and `OSError`."""
        file = os.open(place, os.O_PATH)  # closing any other kind of descriptor would drop SQLite's locks
        found, head = sqlite.read_beside(place, sorted(KINDS), STANDINGS)
        accounts, ratings = KnownAccounts(), KnownRatings()
        unreadable = accounts.learn_all(found["former"], found["account"])
        ratings.add_all(found[RECORD], head)
        if any(ratings.parse_all(time.time())):
            ratings = KnownRatings()  # reading them later reports which of them it is
        return cls(accounts, ratings, frozenset(("account", name) for name in unreadable), file)

    def is_of(self, place: Path) -> bool:
        """Whether a data file is the one that was read, and not another in its place."""
        return place.exists() and os.path.samestat(os.fstat(self._file), place.stat())

    def after(self, changed: Iterable[Record]) -> Preloaded:
        """Return it with more records to read again."""
        return attrs.evolve(self, again=self.again | frozenset(changed))

    def keys_again(self, *kinds: str) -> frozenset[str]:
        """The keys of the records of some kinds to read again."""
        return frozenset(key for kind, key in self.again if kind in kinds)
