"""Accounts as they are stored, and what a server holds in memory of all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from itertools import compress
from operator import itemgetter

import attrs

from lilygames.chat.names.names import fold, skeleton

_TOGETHER = 1_000
"""Accounts that are learned together."""
_FIELDS = itemgetter("name", "digest", "guest", "key")


@attrs.frozen
class Account:
    """The stored account of a name: its spelling, the hash of its password or return word, and whether it's a guest.

    Everything the account owns is stored under `key`, which doesn't change when the account is renamed.
    """

    name: str
    digest: str
    guest: bool
    key: str = attrs.field(default=attrs.Factory(lambda self: fold(self.name), takes_self=True))

    @property
    def stamp(self) -> str:
        """Fingerprint of the password hash: changes with the password; empty for a guest."""
        return "" if self.guest else fingerprint(self.digest)


def fingerprint(digest: str) -> str:
    """Return the fingerprint of a password hash."""
    return sha256(digest.encode()).hexdigest()[:16]


def read(name: str, body: str) -> Account:
    """Parse the stored account of a folded name; raises `ValueError` if it is invalid."""
    try:
        account = Account(**json.loads(body))
        sound = isinstance(account.digest, str) and isinstance(account.key, str) and isinstance(account.guest, bool)
        if sound and fold(account.name) == name:
            return account
    except (ValueError, TypeError, AttributeError) as problem:
        raise ValueError("not a valid account") from problem
    raise ValueError("not a valid account, or under another name")


class KnownAccounts:
    """All names and password hashes. They follow from the stored records, so any name may be read again.

    All names are folded, except where it says how they are spelled.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """Spelling of each registered (non-guest) name."""
        self.guests: set[str] = set()
        """Names of guests who have a return word."""
        self.keys: dict[str, str] = {}
        """Account key by name, including former names."""
        self.digests: dict[str, str] = {}
        """Password hash of each registered account, by key: a start has no time to fingerprint them all."""
        self.written: dict[str, str] = {}
        """Spelling of the current name of each registered account, by key."""
        self.skeletons: dict[str, str] = {}
        """Name by skeleton, including former names."""

    def learn_all(self, former: Mapping[str, str], accounts: Mapping[str, str]) -> list[str]:
        """Learn from the stored records of former names and of accounts; return the names of unreadable accounts."""
        for name, key in former.items():
            self.learn_former(name, key)
        unreadable, names = list[str](), [*accounts]
        for first in range(0, len(names), _TOGETHER):
            some = {name: accounts[name] for name in names[first : first + _TOGETHER]}
            if not self._learn_together(some):
                unreadable += self._learn_each(some)
        return unreadable

    def _learn_each(self, accounts: Mapping[str, str]) -> list[str]:
        """Learn from the stored records of accounts one by one; return the names of the unreadable ones."""
        unreadable = []
        for name, body in accounts.items():
            try:
                self.learn(read(name, body))
            except ValueError:
                unreadable.append(name)
        return unreadable

    def _learn_together(self, accounts: Mapping[str, str]) -> bool:
        """Learn from the stored records of accounts; return False, and learn nothing, if one of them may be invalid.

        That takes half of the time of `_learn_each`, and a start may have 100,000 to learn. To remove it, call that.
        """
        try:
            parsed = json.loads(f"[{','.join(accounts.values())}]")
            spelled, digests, guests, keys = zip(*map(_FIELDS, parsed), strict=True)
            folded = [*map(fold, spelled)]
        except (ValueError, TypeError, LookupError):
            return False
        types = {*map(type, (*digests, *keys))}, {*map(type, guests)}, {*map(len, parsed)}
        if folded != [*accounts] or types != ({str}, {bool}, {len(attrs.fields(Account))}):
            return False
        registered = [not guest for guest in guests]
        same = (name if name == key else key for name, key in zip(accounts, keys, strict=True))  # it has a hash already
        self.keys.update(zip(accounts, same, strict=True))
        self.guests.update(compress(accounts, guests))
        names = [*compress(accounts, registered)]
        known = [*map(self.keys.__getitem__, names)]
        self.guests.difference_update(names)
        self.names.update(zip(names, compress(spelled, registered), strict=True))
        self.written.update(zip(known, compress(spelled, registered), strict=True))
        self.digests.update(zip(known, compress(digests, registered), strict=True))
        if names:
            self.skeletons.update(zip(skeleton("\n".join(names)).split("\n"), names, strict=True))
        return True

    def learn_former(self, name: str, key: str) -> None:
        """Learn a former name of the account with a key."""
        self.keys[name] = key
        self.skeletons[skeleton(name)] = name

    def learn(self, account: Account) -> None:
        """Learn an account, new or changed."""
        folded = fold(account.name)
        self.keys[folded] = account.key
        if account.guest:
            self.guests.add(folded)
        else:
            self.guests.discard(folded)
            self.names[folded] = self.written[account.key] = account.name
            self.digests[account.key] = account.digest
            self.skeletons[skeleton(folded)] = folded

    def reserve(self, name: str) -> None:
        """Reserve the name of an unreadable account."""
        self.keys.setdefault(name, name)
        self.guests.discard(name)
        self.names.setdefault(name, name)
        self.skeletons[skeleton(name)] = name

    def drop(self, name: str) -> None:
        """Drop all that was learned from the records of a name."""
        key = self.keys.pop(name, name)
        self.guests.discard(name)
        self.names.pop(name, None)
        if self.skeletons.get(skeleton(name)) == name:
            del self.skeletons[skeleton(name)]
        if fold(self.written.get(key, "")) == name:
            del self.written[key], self.digests[key]
