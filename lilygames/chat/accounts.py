"""Who may use a name: passwords and return words, kept as digests."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from hashlib import sha256

import attrs

from lilygames.chat.hashing import Hashing
from lilygames.chat.names import fold, skeleton
from lilygames.chat.sysops import SysopClaims
from lilygames.errors import NeedsRepair
from lilygames.store import Store
from lilygames.unreadable import UnreadableRows


@attrs.frozen
class Account:
    """What is kept of a name: how it is written, the hash of its password or return word, and whether a guest's.

    All that the account owns is kept under its `key`, whatever it is called later.
    """

    name: str
    digest: str
    guest: bool
    key: str = attrs.field(default=attrs.Factory(lambda self: fold(self.name), takes_self=True))

    @property
    def stamp(self) -> str:
        """What is another one as soon as the password is, and says nothing of it; empty for a guest."""
        return "" if self.guest else sha256(self.digest.encode()).hexdigest()[:16]


def _read(name: str, body: str) -> Account:
    """Return the account that the record of a folded name describes; raises `ValueError` if it describes none."""
    try:
        account = Account(**json.loads(body))
        sound = all(isinstance(text, str) for text in (account.name, account.digest, account.key))
        if sound and isinstance(account.guest, bool) and fold(account.name) == name:
            return account
    except (ValueError, TypeError, AttributeError) as problem:
        raise ValueError("no account") from problem
    raise ValueError("no account of that name")


class Accounts:
    """The names that are kept."""

    def __init__(
        self, store: Store, *, hash_time: int, hash_memory: int, unreadable: UnreadableRows | None = None
    ) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._hashing = Hashing(time=hash_time, memory=hash_memory)
        self.claims = SysopClaims(store, self._hashing)
        self.names: dict[str, str] = {}
        """How accounts that are no guests' write their names, by folded name."""
        self.guests: set[str] = set()
        """Folded names of guests who have a word to come back with."""
        self._keys: dict[str, str] = {}
        """The key of whoever is called so, or was, by folded name."""
        self._stamps: dict[str, str] = {}
        """The stamp of each account that is no guest's, by key."""
        self._written: dict[str, str] = {}
        """What accounts that are no guests' are called now, by key."""
        self._skeletons: dict[str, str] = {}

    async def load(self) -> None:
        """Learn the names that are kept, and those that accounts had before.

        The name of an account that cannot be read stays reserved.
        """
        for name, key in (await self._store.every("former")).items():
            self._keys[name] = key
            self._skeletons[skeleton(name)] = name
        for name, body in (await self._store.every("account")).items():
            with suppress(NeedsRepair):
                self._learn(self._opened(name, body))

    def _opened(self, name: str, body: str) -> Account:
        """Return the account of a folded name's record; raises `NeedsRepair`, and then the name stays reserved."""
        try:
            account = _read(name, body)
        except ValueError as problem:
            case = self._unreadable.report("account", name, problem)
            self._reserve(name)
            raise NeedsRepair(
                f"the account of {name} cannot be read (case {case}): ask the sysop to repair it, or play as a guest."
            ) from problem
        if self._unreadable.case("account", name):
            self._unreadable.repaired("account", name)
            self._learn(account)
        return account

    def _reserve(self, name: str) -> None:
        """Keep a folded name for the account that had it, though nothing else is known of that account now."""
        self._keys.setdefault(name, name)
        self.guests.discard(name)
        self.names.setdefault(name, name)
        self._skeletons[skeleton(name)] = name

    def _learn(self, account: Account) -> None:
        self._keys[fold(account.name)] = account.key
        if account.guest:
            self.guests.add(fold(account.name))
        else:
            self.guests.discard(fold(account.name))
            self.names[fold(account.name)] = self._written[account.key] = account.name
            self._stamps[account.key] = account.stamp
            self._skeletons[skeleton(account.name)] = fold(account.name)

    def key(self, name: str) -> str:
        """Return under what is kept all that somebody of that name owns: the same whatever they are called later."""
        return self._keys.get(fold(name), fold(name))

    def stamp(self, name: str) -> str:
        """Return the stamp of the account that somebody of that name has; empty for a guest."""
        return self._stamps.get(self.key(name), "") if fold(name) in self.names else ""

    def now(self, name: str) -> str:
        """Return what the account is called now that had or has this name; the name itself where none had it."""
        return self._written.get(self._keys.get(fold(name), ""), name)

    @property
    def known(self) -> frozenset[str]:
        """The names, folded, that are or were somebody's who is kept."""
        return frozenset(self._keys)

    async def refresh(self, name: str) -> None:
        """Learn anew who has a folded name, which another node has given or taken away."""
        former = await self._store.find("former", name)
        if former:
            self._keys[name] = former
            self._skeletons[skeleton(name)] = name
        with suppress(NeedsRepair):
            account = await self.get(name)
            if account:
                self._learn(account)
            else:
                self.names.pop(name, None)
                self.guests.discard(name)

    def known_by(self, name: str, key: str) -> None:
        """Take note under what is kept all that a guest of another node owns."""
        self._keys.setdefault(fold(name), key)

    def hold(self, name: str) -> None:
        """Let a newcomer have a name that is nobody's, with nothing that others of that name owned before."""
        self._keys[fold(name)] = f"{fold(name)}~{secrets.token_hex(6)}"

    def pass_on(self, old: str, new: str) -> None:
        """Let a guest own under a new name what was the old one's, which is nobody's now."""
        self._keys[fold(new)] = self._keys.pop(fold(old), fold(new))

    def release(self, name: str) -> None:
        """Let go of a guest's name."""
        if fold(name) not in self.names:
            self._keys.pop(fold(name), None)

    def former(self, key: str) -> list[str]:
        """Return the names that the account of a key had before, folded; nobody else may have them."""
        return [
            name for name, owner in self._keys.items() if owner == key and fold(self._written.get(key, name)) != name
        ]

    def look_alike(self, name: str, but: str = "") -> str:
        """Return the account's name that this one is or could be mistaken for, but that of a key; empty where none."""
        folded = fold(name)
        other = folded if self.now(folded) != folded else self._skeletons.get(skeleton(name), "")
        return "" if not other or self.key(other) == but else self.now(other)

    async def get(self, name: str) -> Account | None:
        """Return the account of a name, in any case; raises `NeedsRepair` if it cannot be read."""
        body = await self._store.find("account", fold(name))
        return None if body is None else self._opened(fold(name), body)

    async def create(self, name: str, word: str, *, guest: bool, origin: str = "") -> Account:
        """Keep a name under a password (or a guest's return word) that came from `origin`, and return its account."""
        account = Account(name, await self._hashing.digest(word, origin, brief=guest), guest, self.key(name))
        await self._keep(account)
        return account

    async def _keep(self, account: Account) -> None:
        await self._store.keep("account", fold(account.name), json.dumps(attrs.asdict(account)))
        self._learn(account)

    async def fits(self, account: Account, word: str, *, origin: str = "") -> bool:
        """Return whether `word` opens the account; it is hashed anew where hashing has become harder since."""
        fits = await self._hashing.fits(account.digest, word, origin, brief=account.guest)
        if fits and self._hashing.is_soft(account.digest, brief=account.guest):
            digest = await self._hashing.digest(word, origin, brief=account.guest)
            await self._keep(attrs.evolve(account, digest=digest))
        return fits

    async def forget(self, name: str) -> None:
        """Let go of a name."""
        self.guests.discard(fold(name))
        self.names.pop(fold(name), None)
        self._keys.pop(fold(name), None)
        if self._skeletons.get(skeleton(name)) == fold(name):
            del self._skeletons[skeleton(name)]
        await self._store.forget("account", fold(name))

    async def rename(self, account: Account, name: str) -> Account:
        """Give an account another name and return it; the old one stays its own, so that nobody else comes by it."""
        renamed, old = attrs.evolve(account, name=name), fold(account.name)
        if old != fold(name):
            await self._store.keep("former", old, account.key)
        await self._keep(renamed)
        if old != fold(name):
            self.names.pop(old, None)
            await self._store.forget("account", old)
            await self._store.forget("former", fold(name))
        return renamed
