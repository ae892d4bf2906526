"""Who may use a name: passwords and return words, kept as argon2 hashes and checked off the loop."""

from __future__ import annotations

import asyncio
import json
import secrets
from importlib import resources

import attrs
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from lilygames.chat.names import fold, skeleton
from lilygames.store import Store

SHORTEST = 6
"""Characters of the shortest password."""

_WORDS = resources.files("lilygames.chat").joinpath("words.txt").read_text().split()


@attrs.frozen
class Account:
    """What is kept of a name: how it is written, the hash of its password or return word, and whether a guest's."""

    name: str
    digest: str
    guest: bool


def return_word() -> str:
    """Return a fresh word by which a guest comes back, easy to say and to type: `plum-3742`."""
    return f"{secrets.choice(_WORDS)}-{secrets.randbelow(9000) + 1000}"


class Accounts:
    """The names that are kept. Hashing is heavy on purpose: it runs in a thread, two at a time."""

    def __init__(self, store: Store, *, hash_time: int, hash_memory: int) -> None:
        self._store = store
        self._hasher = PasswordHasher(time_cost=hash_time, memory_cost=hash_memory, parallelism=1)
        self._turnstile = asyncio.Semaphore(2)
        self.names: dict[str, str] = {}
        """How accounts that are no guests' write their names, by folded name."""
        self._skeletons: dict[str, str] = {}

    async def load(self) -> None:
        """Learn the names that are kept."""
        for body in (await self._store.every("account")).values():
            self._learn(Account(**json.loads(body)))

    def _learn(self, account: Account) -> None:
        if not account.guest:
            self.names[fold(account.name)] = account.name
        self._skeletons[skeleton(account.name)] = fold(account.name)

    def look_alike(self, name: str) -> str:
        """Return the account's name, folded, that this one could be mistaken for; empty where there is none."""
        other = self._skeletons.get(skeleton(name), "")
        return "" if other == fold(name) else other

    async def get(self, name: str) -> Account | None:
        """Return the account of a name, in any case."""
        body = await self._store.find("account", fold(name))
        return Account(**json.loads(body)) if body else None

    async def create(self, name: str, word: str, *, guest: bool) -> Account:
        """Keep a name under a password (or a guest's return word) and return its account."""
        async with self._turnstile:
            digest = await asyncio.to_thread(self._hasher.hash, word)
        account = Account(name, digest, guest)
        await self._store.keep("account", fold(name), json.dumps(attrs.asdict(account)))
        self._learn(account)
        return account

    async def fits(self, account: Account, word: str) -> bool:
        """Return whether `word` opens the account; it is hashed anew where hashing has become harder since."""
        async with self._turnstile:
            fits = await asyncio.to_thread(self._verify, account.digest, word)
        if fits and self._hasher.check_needs_rehash(account.digest):
            await self.create(account.name, word, guest=account.guest)
        return fits

    def _verify(self, digest: str, word: str) -> bool:
        try:
            return self._hasher.verify(digest, word)
        except (VerificationError, InvalidHashError):
            return False

    async def forget(self, name: str) -> None:
        """Let go of a name."""
        self.names.pop(fold(name), None)
        self._skeletons.pop(skeleton(name), None)
        await self._store.forget("account", fold(name))

    async def rename(self, account: Account, name: str) -> Account:
        """Give an account another name, under the same password, and return it."""
        renamed = attrs.evolve(account, name=name)
        await self._store.keep("account", fold(name), json.dumps(attrs.asdict(renamed)))
        await self.forget(account.name)
        self._learn(renamed)
        return renamed
