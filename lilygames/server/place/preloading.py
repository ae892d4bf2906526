"""Data that the next process of a reload reads while the one before still serves: in a large place it takes long.

The process before notes which of these records it has written since, and only those are read again, once it has ended;
so are those that other nodes have changed, by their hints.
So people wait as long at a place with a thousand accounts as at one with a million.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path

import attrs

from lilygames.chat.accounts.known_accounts import KnownAccounts
from lilygames.chat.rooms.stored_rooms import StoredRoom
from lilygames.nodes.hints.early_hints import EarlyHints
from lilygames.privacy.deletions import DELETED
from lilygames.store import BulkReads
from lilygames.store.record_changes import Record
from lilygames.store.sqlite.sqlite import read_beside
from lilygames.tables.log.names_beside import kind_of_names
from lilygames.tables.restore.known_headers import KnownHeaders
from lilygames.tables.sight import public_row

READ = ("former", "account", "discussion", public_row.KIND)
"""The kinds of records that are read."""
KINDS = frozenset({"former", "account", "discussion", "names"})
"""The kinds of records that are read again if they change, without what follows a slash."""

HEARD = KINDS | {DELETED}
"""The kinds of records whose changes by other nodes matter."""
Source = Hashable | None
"""A data file or a database that is the same one as long as it is equal."""


@attrs.frozen
class Preloaded:
    """The data that was read, and which of it to read again."""

    accounts: KnownAccounts
    rooms: Mapping[str, StoredRoom]
    """The rooms that people have made, by key."""
    headers: KnownHeaders
    """The headers of the tables that were open."""
    again: frozenset[Record]
    """The records that may have changed since, and those that couldn't be read."""
    source: Source = None
    """The data file or the database that was read; None if nothing else can take its place."""
    hints: EarlyHints | None = None
    """The changes of other nodes since; None if there are no other nodes."""

    @classmethod
    async def of(cls, place: Path) -> Preloaded:
        """Read a data file that a server is using. Raises `StoreUnavailable` and `OSError`."""
        os.open(place, os.O_PATH)  # it stays open, so no other file gets its number; see `datafile.lock`
        with read_beside(place) as store:
            return attrs.evolve(await cls.read(store), source=file_at(place))

    @classmethod
    async def of_database(cls, url: str, hints: EarlyHints | None) -> Preloaded:
        """Read a database that servers are using, whose hints are heard. Raises `StoreUnavailable`."""
        from lilygames.store.postgres import postgres  # noqa: PLC0415 - its library is only for several nodes

        async with postgres.read_beside(url) as (store, tables):
            found = await cls.read(store)
        headers = attrs.evolve(found.headers, shared=hints is not None)
        return attrs.evolve(found, headers=headers, source=tables, hints=hints)

    @classmethod
    async def read(cls, store: BulkReads) -> Preloaded:
        """Read a store that a server is using. Raises `StoreUnavailable`."""
        found = {kind: (await store.every_of([kind]))[kind] for kind in READ}
        numbers = sorted(int(number) for number in found[public_row.KIND] if number.isdecimal())
        headers = await KnownHeaders.read(store, numbers)
        accounts, rooms = KnownAccounts(), dict[str, StoredRoom]()
        again = {("account", name) for name in accounts.learn_all(found["former"], found["account"])}
        for key, body in found["discussion"].items():
            try:
                rooms[key] = StoredRoom.read(body)
            except ValueError:
                again.add(("discussion", key))
        return cls(accounts, rooms, headers, frozenset(again))

    async def still(self, source: Source, changed: Iterable[Record]) -> Preloaded | None:
        """Return it after the process before has `changed` records; None if everything must be read again.

        That is so if another data file or database is there now, if other nodes may have changed records without a
        hint, or if they have deleted an account, because much may be about it.
        """
        heard = await self.hints.end() if self.hints else frozenset()
        if self.source != source or heard is None or any(kind == DELETED for kind, _ in heard):
            return None
        return self.after((*heard, *changed))

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


def file_at(place: Path) -> Source:
    """Return which data file is at a path, and not another in its place; None if none is there."""
    found = place.stat() if place.exists() else None
    return found and (found.st_dev, found.st_ino)
