"""Accounts as they are stored, and what a server holds in memory of all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

import attrs

from lilygames.chat.names import fold, skeleton


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
        unreadable = []
        for name, key in former.items():
            self.learn_former(name, key)
        for name, body in accounts.items():
            try:
                self.learn(read(name, body))
            except ValueError:
                unreadable.append(name)
        return unreadable

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
