"""Data that the next process of a reload reads while the one before still serves: in a large place it takes long.

The process before notes which of these records it has written since, and only those are read again, once it has ended.
So people wait as long at a place with a thousand accounts as at one with a million.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import attrs

from lilygames.chat.known_accounts import KnownAccounts
from lilygames.chat.stored_rooms import StoredRoom
from lilygames.store import BulkReads, Damaged
from lilygames.store.record_changes import Record
from lilygames.store.sqlite import read_beside
from lilygames.tables import public_row
from lilygames.tables.known_headers import KnownHeaders
from lilygames.tables.known_ratings import RECORD, KnownRatings
from lilygames.tables.names_beside import kind_of_names
from lilygames.tables.ratings import STANDINGS

READ = ("former", "account", RECORD, "discussion", public_row.KIND)
"""The kinds of records that are read."""
KINDS = frozenset({"former", "account", RECORD, "discussion", "names"})
"""The kinds of records that are read again if they change, without what follows a slash."""


@attrs.frozen
class Preloaded:
    """The data that was read, and which of it to read again."""

    accounts: KnownAccounts
    ratings: KnownRatings
    rooms: Mapping[str, StoredRoom]
    """The rooms that people have made, by key."""
    headers: KnownHeaders
    """The headers of the tables that were open."""
    again: frozenset[Record]
    """The records that may have changed since, and those that couldn't be read."""
    _file: int = -1
    """Descriptor of the data file; no other file gets its number as long as it is open."""

    @classmethod
    async def of(cls, place: Path) -> Preloaded:
        """Read a data file that a server is using. Raises `StoreUnavailable` and `OSError`."""
        file = os.open(place, os.O_PATH)  # closing any other kind of descriptor would drop SQLite's locks
        with read_beside(place) as store:
            return attrs.evolve(await cls.read(store), file=file)

    @classmethod
    async def read(cls, store: BulkReads) -> Preloaded:
        """Read a store that a server is using. Raises `StoreUnavailable`."""
        head = (await store.heads([STANDINGS]))[STANDINGS]  # first: entries after it are learned again
        found = await store.every_of(READ)
        headers = await _headers(store, found[public_row.KIND])
        accounts, ratings, rooms = KnownAccounts(), KnownRatings(), dict[str, StoredRoom]()
        again = {("account", name) for name in accounts.learn_all(found["former"], found["account"])}
        ratings.add_all(found[RECORD], head)
        if any(ratings.parse_all(time.time())):
            ratings = KnownRatings()  # reading them later reports which of them it is
        for key, body in found["discussion"].items():
            try:
                rooms[key] = StoredRoom.read(body)
            except ValueError:
                again.add(("discussion", key))
        return cls(accounts, ratings, rooms, headers, frozenset(again))

    def is_of(self, place: Path) -> bool:
        """Whether a data file is the one that was read, and not another in its place."""
        return place.exists() and os.path.samestat(os.fstat(self._file), place.stat())

    def after(self, changed: Iterable[Record]) -> Preloaded:
        """Return it with more records to read again."""
        return attrs.evolve(self, again=self.again | frozenset(changed))

    def keys_again(self, *kinds: str) -> frozenset[str]:
        """The keys of the records of some kinds to read again."""
        return frozenset(key for kind, key in self.again if kind in kinds)

    @property
    def unchanged_headers(self) -> KnownHeaders:
        """The headers of the tables beside which nobody has been named or deleted since."""
        changed = {kind for kind, _ in self.again}
        return self.headers.but({number for number in self.headers.headers if kind_of_names(number) in changed})


async def _headers(store: BulkReads, marks: Iterable[str]) -> KnownHeaders:
    """Read the headers of open tables; none if they are damaged, which restoring them reports one by one."""
    with suppress(Damaged):
        return await KnownHeaders.read(store, sorted(int(number) for number in marks if number.isdecimal()))
    return KnownHeaders()
