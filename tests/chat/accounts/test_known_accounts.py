"""Accounts known to a process when some records are read before others write, and only the changed ones once more."""

import asyncio
import json
from collections.abc import Iterator

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.accounts.known_accounts import Account, KnownAccounts
from lilygames.chat.names.names import fold
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store.memory import MemoryStore
from lilygames.store.record_changes import RecordChanges

NAMES = st.sampled_from(["ann", "Ann", "anna", "Bobi", "bob1", "B-obl", "cat", "dan"])
"""Some differ only in their spelling, and some look alike."""
DEEDS = st.one_of(
    st.tuples(st.sampled_from(["register", "leave word", "change password", "delete", "damage", "repair"]), NAMES),
    st.tuples(st.just("rename"), NAMES, NAMES),
)
PARTS = ("names", "guests", "keys", "digests", "written")


class House:
    """Accounts in a store that notes changes, and people who do something with them."""

    def __init__(self) -> None:
        self.store = RecordChanges(MemoryStore(), frozenset({"account", "former"}))
        self.accounts = self._over()
        self._digests: Iterator[str] = (f"digest {number}" for number in range(1000))
        self._whole: dict[str, str] = {}

    def _over(self, known: KnownAccounts | None = None) -> Accounts:
        return Accounts(self.store, hash_time=1, hash_memory=64, unreadable=UnreadableRows(), known=known)

    async def do(self, what: str, name: str, other: str = "") -> None:
        """Do it if the program would let someone do it."""
        if await self.store.find("account", fold(name)) is None:
            if what in ("register", "leave word") and not self.accounts.look_alike(name):
                await self._create(name, guest=what == "leave word")
        elif fold(name) in self._whole:
            if what == "repair":
                await self.store.keep("account", fold(name), self._whole.pop(fold(name)))
                await self.accounts.refresh(fold(name))
        elif account := await self.accounts.get(name):
            await self._change(account, what, other)

    async def _change(self, account: Account, what: str, other: str) -> None:
        match what:
            case "change password":
                await self.accounts._keep(attrs.evolve(account, digest=next(self._digests)))
            case "damage":
                self._whole[fold(account.name)] = await self.store.find("account", fold(account.name))
                await self.store.keep("account", fold(account.name), "{")
            case "delete" if account.guest:
                await self.accounts.forget(account.name)
            case "delete":
                await self._delete(account.key)
            case "rename" if not account.guest and await self._is_free(other, account):
                await self.accounts.rename(account, other)

    async def _is_free(self, name: str, account: Account) -> bool:
        taken = await self.store.find("account", fold(name)) and fold(name) != fold(account.name)
        return not taken and not self.accounts.look_alike(name, account.key)

    async def _create(self, name: str, *, guest: bool) -> None:
        await self.accounts._keep(Account(name, next(self._digests), guest, self.accounts.key(name)))

    async def _delete(self, key: str) -> None:
        names = frozenset(self.accounts.names_of(key))
        for name in names:
            await self.store.forget("account", name)
            await self.store.forget("former", name)
        self.accounts.forget_person(Identity(key, names))

    async def read_all(self) -> KnownAccounts:
        """Read all records, as the next process does while this one writes."""
        known = KnownAccounts()
        self.unreadable = known.learn_all(await self.store.every("former"), await self.store.every("account"))
        return known

    async def read_again(self, known: KnownAccounts) -> KnownAccounts:
        """Read what has changed since."""
        changed = {key for _, key in self.store.changed}
        await self._over(known).load_changed(changed | {*self.unreadable})
        return known

    async def read_now(self) -> KnownAccounts:
        """Read all records now."""
        known = KnownAccounts()
        await self._over(known).load()
        return known


def parts(known):
    """All that is known. If two names of an account look alike, either may stand for both."""
    return {part: getattr(known, part) for part in PARTS} | {
        "skeletons": {skeleton: known.keys[name] for skeleton, name in known.skeletons.items()}
    }


@given(st.lists(DEEDS, max_size=8), st.lists(DEEDS, max_size=8))
def test_accounts_read_early_and_again_where_they_changed_are_those_that_are_stored(before, after):
    async def run():
        house = House()
        for deed in before:
            await house.do(*deed)
        house.store.begin()
        known = await house.read_all()
        for deed in after:
            await house.do(*deed)
        return parts(await house.read_now()), parts(await house.read_again(known))

    expected, actual = asyncio.run(run())

    assert expected == actual


BODIES = st.one_of(
    st.sampled_from(["", "{", "[]", "1, 2", '"ann"', "{}]", '{"name": 1}']),
    st.fixed_dictionaries(
        {"name": NAMES, "digest": st.sampled_from(["digest", 1])},
        optional={"guest": st.sampled_from([True, False, 0]), "key": st.sampled_from(["ann", "k"]), "more": st.just(1)},
    ).map(json.dumps),
)


def known_of(accounts, *, together):
    """All that is known of stored accounts, learned together or one by one, and the names of the unreadable ones."""
    known = KnownAccounts()
    learn = known.learn_all if together else (lambda _, accounts: known._learn_each(accounts))
    return learn({}, accounts), parts(known)


@given(st.dictionaries(NAMES.map(fold), BODIES))
def test_accounts_learned_together_are_those_learned_one_by_one(accounts):
    assert known_of(accounts, together=False) == known_of(accounts, together=True)


@given(st.dictionaries(NAMES.map(fold), st.tuples(st.booleans(), NAMES)))
def test_valid_accounts_of_people_and_guests_are_learned_together(some):
    """Else a start would learn them one by one."""
    accounts = {name: as_text(Account(name, "digest", guest, fold(key))) for name, (guest, key) in some.items()}

    assert known_of(accounts, together=False) == known_of(accounts, together=True)
    assert not accounts or KnownAccounts()._learn_together(accounts)


def as_text(account):
    return json.dumps(attrs.asdict(account))


@pytest.mark.parametrize("deed", ["register", "change password", "rename", "delete"])
async def test_change_after_all_was_read_is_missed_unless_it_is_read_again(deed):
    """The law above would notice a change that isn't noted."""
    house = House()
    await house.do("register", "cat")
    known = await house.read_all()
    await house.do(*{"register": ("register", "ann"), "rename": ("rename", "cat", "dan")}.get(deed, (deed, "cat")))

    assert parts(await house.read_now()) != parts(known)
