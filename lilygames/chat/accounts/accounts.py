"""Accounts: registered names with hashed passwords and return words."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress

import attrs

from lilygames.chat.accounts.deleted_accounts import DeletedAccounts
from lilygames.chat.accounts.hashing import Hashing
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.accounts.known_accounts import Account, KnownAccounts, fingerprint, read
from lilygames.chat.accounts.one_time_words import CLAIM, RECOVERY, OneTimeWords
from lilygames.chat.names.names import fold, skeleton
from lilygames.errors import NeedsRepair
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store

_SINCE = "since"
"""Kind of the records that say when an account was created."""
_MAILING = "mailing"
"""Kind of the records that say where an account's notifications go (`lilygames/mailing/subscriptions.py`)."""

_ROLE = "role"
"""Kind of the records with an account's role (`lilygames/chat/accounts/roles.py`)."""


class Accounts:
    """All stored accounts."""

    def __init__(
        self,
        store: Store,
        *,
        hash_time: int,
        hash_memory: int,
        unreadable: UnreadableRows | None = None,
        known: KnownAccounts | None = None,
    ) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._hashing = Hashing(time=hash_time, memory=hash_memory)
        self.claims = OneTimeWords(store, self._hashing, CLAIM)
        """The words with which sysops register their reserved names, by folded name."""
        self.recovery = OneTimeWords(store, self._hashing, RECOVERY)
        """The words for people who forgot their password, by account key."""
        self.deleted = DeletedAccounts(store, self._unreadable)
        """The accounts that were deleted."""
        self._known = known or KnownAccounts()
        self.names = self._known.names
        """Spelling of each registered (non-guest) name, by folded name."""
        self.guests = self._known.guests
        """Folded names of guests who have a return word."""
        self._keys = self._known.keys
        self._digests = self._known.digests
        self._written = self._known.written
        self._skeletons = self._known.skeletons

    async def load(self) -> None:
        """Load all account names and former names.

        The name of an unreadable account stays reserved.
        """
        await self.deleted.load()
        self._learn_all(await self._store.every("former"), await self._store.every("account"))

    async def load_changed(self, names: Collection[str]) -> None:
        """Load the folded names whose records may have changed since all were loaded; the others are known."""
        await self.deleted.load()
        former, accounts = await self._found("former", names), await self._found("account", names)
        for name in names:
            self._known.drop(name)
        self._learn_all(former, accounts)

    async def _found(self, kind: str, names: Collection[str]) -> dict[str, str]:
        bodies = {name: await self._store.find(kind, name) for name in names}
        return {name: body for name, body in bodies.items() if body is not None}

    def _learn_all(self, former: Mapping[str, str], accounts: Mapping[str, str]) -> None:
        for name in self._known.learn_all(former, accounts):
            with suppress(NeedsRepair):
                self._opened(name, accounts[name])

    def _opened(self, name: str, body: str) -> Account:
        """Parse a stored account; if it is unreadable, reserve its name and raise `NeedsRepair`."""
        try:
            account = read(name, body)
        except ValueError as problem:
            case = self._unreadable.report("account", name, problem)
            self._known.reserve(name)
            raise NeedsRepair(
                f"{name}'s account can't be read (case {case}). Ask the sysop to repair it, or play as a guest."
            ) from problem
        if self._unreadable.case("account", name):
            self._unreadable.repaired("account", name)
            self._known.learn(account)
        return account

    def key(self, name: str) -> str:
        """Return the key under which this name's data is stored. It survives renaming."""
        return self._keys.get(fold(name), fold(name))

    def stamp(self, name: str) -> str:
        """Return the password fingerprint of this name's account; empty for a guest."""
        digest = self._digests.get(self.key(name)) if fold(name) in self.names else None
        return "" if digest is None else fingerprint(digest)

    def now(self, name: str) -> str:
        """Return the current name of the account that has or had this name, or `name` if there is none."""
        return self._written.get(self._keys.get(fold(name), ""), name)

    def current(self, key: str) -> str:
        """Return the current name of the registered account with this key, or the key if there is none."""
        return self._written.get(key, key)

    def is_known(self, name: str) -> bool:
        """Return whether a name is or was an account's."""
        return fold(name) in self._keys

    async def refresh(self, name: str) -> None:
        """Reload a folded name after another node registered, renamed or removed it."""
        former = await self._store.find("former", name)
        if former:
            self._known.learn_former(name, former)
        with suppress(NeedsRepair):
            account = await self.get(name)
            if account:
                self._known.learn(account)
            else:
                self.names.pop(name, None)
                self.guests.discard(name)

    def known_by(self, name: str, key: str) -> None:
        """Remember the storage key of a guest on another node."""
        self._keys.setdefault(fold(name), key)

    def hold(self, name: str) -> None:
        """Give a free name to a newcomer, under a new key, so that they inherit nothing."""
        self._keys[fold(name)] = f"{fold(name)}~{secrets.token_hex(6)}"

    def pass_on(self, old: str, new: str) -> None:
        """Move a guest's key from the old name to the new one."""
        self._keys[fold(new)] = self._keys.pop(fold(old), fold(new))

    def release(self, name: str) -> None:
        """Forget the key of a guest's name. An account's names, also its former ones, keep theirs."""
        if fold(name) not in self.names and self._keys.get(fold(name)) not in self._written:
            self._keys.pop(fold(name), None)

    def former(self, key: str) -> list[str]:
        """Return the folded former names of the account with this key; they stay reserved."""
        return [
            name for name, owner in self._keys.items() if owner == key and fold(self._written.get(key, name)) != name
        ]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all accounts that this node knows."""
        return frozenset(self._keys.values())

    def names_of(self, key: str) -> list[str]:
        """Return all names (folded) that the account with this key has or had."""
        return [name for name, owner in self._keys.items() if owner == key]

    def forget_person(self, who: Identity) -> None:
        """Drop what is known about a deleted account."""
        for name in who.names:
            if self.key(name) == who.key:
                self._keys.pop(name, None)
                self.names.pop(name, None)
                self.guests.discard(name)
                if self._skeletons.get(skeleton(name)) == name:
                    del self._skeletons[skeleton(name)]
        self._written.pop(who.key, None)
        self._digests.pop(who.key, None)

    def look_alike(self, name: str, but: str = "") -> str:
        """Return an account name equal or confusingly similar to this one, except that of key `but`; empty if none."""
        folded = fold(name)
        other = folded if self.now(folded) != folded else self._skeletons.get(skeleton(name), "")
        return "" if not other or self.key(other) == but else self.now(other)

    async def get(self, name: str) -> Account | None:
        """Return the account of a name, ignoring case; raises `NeedsRepair` if it is unreadable."""
        body = await self._store.find("account", fold(name))
        return None if body is None else self._opened(fold(name), body)

    async def create(self, name: str, word: str, *, guest: bool, origin: str = "") -> Account:
        """Create and store an account with a password, or a return word for a guest; `origin` is where it came from."""
        if fold(name) not in self._keys and self.deleted.was_deleted(name):
            self.hold(name)  # someone else had this name, so nothing of theirs may be found under the same key
        account = Account(name, await self._hashing.digest(word, origin, brief=guest), guest, self.key(name))
        await self._keep(account)
        if not guest:
            await self._store.swap(_SINCE, account.key, None, repr(await self._store.now()))
        return account

    async def since(self, name: str) -> float | None:
        """Return when an account was created, in seconds since 1970; None for a guest, 0 if it isn't known."""
        if fold(self.now(name)) not in self.names:
            return None
        try:
            return float(await self._store.find(_SINCE, self.key(name)) or 0)
        except ValueError:
            return 0.0

    async def _keep(self, account: Account) -> None:
        await self._store.keep("account", fold(account.name), json.dumps(attrs.asdict(account)))
        self._known.learn(account)

    async def fits(self, account: Account, word: str, *, origin: str = "") -> bool:
        """Return whether `word` is the account's password; rehash it if the hashing settings became stronger."""
        fits = await self._hashing.fits(account.digest, word, origin, brief=account.guest)
        if fits and self._hashing.is_soft(account.digest, brief=account.guest):
            digest = await self._hashing.digest(word, origin, brief=account.guest)
            await self._keep(attrs.evolve(account, digest=digest))
        return fits

    async def forget(self, name: str) -> None:
        """Delete the account of a name, its role, and where its notifications go."""
        await self._store.forget(_SINCE, self.key(name))
        await self._store.forget(_MAILING, self.key(name))
        await self._store.forget(_ROLE, self.key(name))
        self.guests.discard(fold(name))
        self.names.pop(fold(name), None)
        self._keys.pop(fold(name), None)
        if self._skeletons.get(skeleton(name)) == fold(name):
            del self._skeletons[skeleton(name)]
        await self._store.forget("account", fold(name))

    async def rename(self, account: Account, name: str) -> Account:
        """Rename an account and return it; the old name stays reserved for it."""
        renamed, old = attrs.evolve(account, name=name), fold(account.name)
        if old != fold(name):
            await self._store.keep("former", old, account.key)
        await self._keep(renamed)
        if old != fold(name):
            self.names.pop(old, None)
            await self._store.forget("account", old)
            await self._store.forget("former", fold(name))
        return renamed
