"""Deleted accounts and their names, as keyed hashes: no name is stored.

The list reserves the names, so that nobody takes one to pose as someone who left. It also says which accounts to delete
again after an older backup was restored.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Iterable

import attrs

from lilygames.chat.names.names import skeleton
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Damaged, Draft, Entry, Store

LOG = "deletions"
"""Log of the deletions. The number of each is its position."""
KEY = "deletions-key"
"""Kind of the record with the key of all hashes."""
RESERVED_DAYS = 365
"""Days for which a deleted name, and every name that looks like it, are reserved."""
_DAY = 86400.0


@attrs.frozen
class Deletion:
    """A deleted account: the hashes of its key and of its names, and when it was deleted (seconds since 1970)."""

    number: int
    at: float
    who: str
    names: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The text that replaces the name where several deleted people may meet. No account can have this name."""
        return f"former player {self.number}"

    @property
    def body(self) -> str:
        """The body of its entry."""
        return json.dumps({"at": self.at, "who": self.who, "names": self.names})


def read(entry: Entry) -> Deletion:
    """Return the deletion of an entry. Raises `ValueError` if it is unreadable."""
    row = json.loads(entry.body)
    try:
        return Deletion(entry.seq, row["at"], row["who"], tuple(row["names"]))
    except (LookupError, TypeError) as problem:
        raise ValueError("not a deletion") from problem


def _hash(key: bytes, purpose: str, text: str) -> str:
    return hmac.digest(key, json.dumps([purpose, text]).encode(), "sha256").hex()


class DeletedAccounts:
    """All deletions, as last read."""

    def __init__(self, store: Store, unreadable: UnreadableRows) -> None:
        self._store = store
        self._unreadable = unreadable
        self.key = b""
        """The key of the hashes; empty until something is deleted."""
        self.deletions: list[Deletion] = []
        self._names: dict[str, float] = {}
        """When each name was deleted last, by its hash."""

    async def load(self) -> None:
        """Read what was deleted since the last call. Raises `StoreUnavailable`.

        An unreadable entry reserves no name. Without the key, nobody knows which names are reserved: then it raises
        `Damaged`.
        """
        if not self.key:
            try:
                self.key = bytes.fromhex(await self._store.find(KEY, "") or "")
            except ValueError as problem:
                raise Damaged("The key of the list of deleted accounts is unreadable: restore a backup.") from problem
        while (page := await self._store.read(LOG, len(self.deletions))).entries:
            for entry in page.entries:
                if entry.seq == len(self.deletions) + 1:  # another call may have been faster
                    self._learn(self._read(entry))

    def _read(self, entry: Entry) -> Deletion:
        """Return the deletion of an entry; that of nobody if it is unreadable."""
        try:
            return read(entry)
        except ValueError as problem:
            self._unreadable.report("log entry", f"{LOG} {entry.seq}", problem)
            return Deletion(entry.seq, entry.at, "", ())

    def _learn(self, deletion: Deletion) -> None:
        self.deletions.append(deletion)
        self._names |= dict.fromkeys(deletion.names, deletion.at)

    def who(self, key: str) -> str:
        """Return the hash of an account key."""
        return _hash(self.key, "account", key)

    def was_deleted(self, name: str) -> float:
        """Return when this name, or one that looks like it, was deleted last; 0 if it never was."""
        return self._names.get(_hash(self.key, "name", skeleton(name)), 0.0) if self._names else 0.0

    def is_reserved(self, name: str, now: float) -> bool:
        """Return whether a name is reserved because it was deleted not long ago."""
        return now < self.was_deleted(name) + RESERVED_DAYS * _DAY and bool(self._names)

    def deletion_of(self, key: str, since: float) -> Deletion | None:
        """Return the deletion of the account with this key that was created at a time (0 if it isn't known)."""
        who = self.who(key) if self.deletions else ""
        return next((one for one in reversed(self.deletions) if one.who == who and one.at > since), None)

    async def add(self, key: str, names: Iterable[str], since: float, now: float) -> Deletion:
        """Add the deletion of an account created at a time, and return it; doing so again changes nothing."""
        while not self.key:
            await self._store.swap(KEY, "", None, secrets.token_hex(32))
            await self.load()
        hashes = sorted({_hash(self.key, "name", skeleton(name)) for name in names})
        new = Deletion(0, now, self.who(key), tuple(hashes))
        (entry,) = await self._store.append(LOG, None, [Draft("table", new.body)], cmd=f"{new.who} {since}")
        await self.load()
        return read(entry)

    async def take_over(self, key: bytes, deletions: Iterable[Deletion]) -> None:
        """Add the deletions of a list that a backup doesn't have. Raises `ValueError` if it is another place's."""
        if not self.key:
            await self._store.swap(KEY, "", None, key.hex())
            await self.load()
        if self.key != key:
            raise ValueError("another place's list")
        for one in deletions:
            if one.number > len(self.deletions):
                await self._store.append(LOG, None, [Draft("table", one.body)], cmd=secrets.token_hex(16))
        await self.load()
