"""Passwords and return words: stored only as argon2 hashes, hashed and checked off the event loop."""

import asyncio
import json
import re
import string
import threading

import pytest
from argon2 import extract_parameters
from argon2.low_level import Type

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.known_accounts import Account
from lilygames.chat.accounts.passwords import _WORDS, return_word
from lilygames.chat.names.names import has_shape
from lilygames.server.settings.config import Settings
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore


@pytest.fixture
def accounts():
    return Accounts(MemoryStore(), hash_time=1, hash_memory=64)


class Watched:
    """A hasher that records the threads it worked in, and how many hashes it computed at once."""

    def __init__(self):
        self.threads, self.now, self.most = [], 0, 0
        self._lock, self.both = threading.Lock(), threading.Event()

    def check_needs_rehash(self, digest):
        return False

    def hash(self, word):
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.threads.append(threading.get_ident())
            if self.now > 1:
                self.both.set()
        self.both.wait(5)
        with self._lock:
            self.now -= 1
        return "digest"

    def verify(self, digest, word):
        self.hash(word)
        return True


async def test_hashing_blocks_nobody_else(accounts):
    """Hashing runs off the loop, at most two at a time, however many people log in at once."""
    accounts._hashing._password = watched = Watched()
    await asyncio.gather(*(accounts.create(f"name{n}", "word", guest=False) for n in range(4)))
    await accounts.fits(Account("name1", "digest", guest=False), "word")

    assert 5 == len(watched.threads)
    assert threading.get_ident() not in watched.threads
    assert 2 == watched.most


async def test_hash_has_the_configured_cost(store):
    settings = Settings()
    accounts = Accounts(store, hash_time=settings.hash_time, hash_memory=settings.hash_memory)
    digest = (await accounts.create("ann", "plums and pears", guest=False)).digest
    made = extract_parameters(digest)

    assert (Type.ID, settings.hash_time, settings.hash_memory, 1) == (
        made.type,
        made.time_cost,
        made.memory_cost,
        made.parallelism,
    )


async def test_default_cost_is_high_enough():
    """For passwords argon2id with 19 MiB and two passes is the recommended minimum."""
    settings = Settings()

    assert settings.hash_memory >= 19 * 1024
    assert settings.hash_time >= 2


async def test_same_word_twice_gives_two_digests(accounts):
    one, two = [await accounts.create(name, "plums and pears", guest=False) for name in ("ann", "bob")]

    assert one.digest != two.digest
    assert await accounts.fits(one, "plums and pears")
    assert not await accounts.fits(one, "plums and pear")


async def test_account_is_found_in_any_case_as_it_was_written(accounts):
    await accounts.create("WhAmmy", "plums and pears", guest=False)

    assert "WhAmmy" == (await accounts.get("wHaMMY")).name
    assert await accounts.get("whamm") is None


@pytest.mark.parametrize(
    "digest", ["", "plums and pears", "$argon2id$", "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$xx", "\x00"]
)
async def test_invalid_digest_opens_nothing(accounts, digest):
    for word in ("", digest, "plums and pears"):
        assert not await accounts.fits(Account("ann", digest, guest=False), word)


async def test_only_the_digest_is_stored(store):
    accounts = Accounts(store, hash_time=1, hash_memory=64)
    await accounts.create("ann", "plums and pears", guest=True)
    body = json.loads(await store.find("account", "ann"))

    assert {"name", "digest", "guest", "key"} == body.keys()
    assert "plums" not in json.dumps(body)


async def test_released_name_is_free(accounts):
    await accounts.create("ann", "plums and pears", guest=True)
    await accounts.forget("ANN")

    assert await accounts.get("ann") is None


async def test_failed_write_makes_no_account(store):
    accounts = Accounts(store, hash_time=1, hash_memory=64)
    store.fail_next(StoreUnavailable("full"), call="keep")

    with pytest.raises(StoreUnavailable):
        await accounts.create("ann", "plums and pears", guest=False)
    assert await accounts.get("ann") is None


def test_return_word_is_easy_to_say_and_type():
    """`3742-plum-otter-0915`: two words between two numbers."""
    words = {return_word() for _ in range(300)}

    assert all(re.fullmatch(r"[1-9][0-9]{3}-[a-z]+-[a-z]+-[0-9]{4}", word) for word in words)
    assert 300 == len(words)


def test_return_word_has_over_40_bits_of_randomness():
    assert 2**40 < 9000 * len(set(_WORDS)) ** 2 * 10_000


def test_no_name_has_the_shape_of_a_return_word():
    """Typed at the name prompt, a return word becomes nobody's name."""
    assert not any(has_shape(return_word()) for _ in range(300))
    assert not any(has_shape(f"{first}{rest}") for first in string.digits for rest in ("a", "-plum", "123"))


async def test_age_of_an_account_is_known_and_a_guest_has_none(accounts):
    await accounts.create("ann", "plums and pears", guest=False)
    await accounts.create("bob", "word", guest=True)
    created = await accounts.since("Ann")
    await accounts.create("ann", "another password", guest=False)

    assert created > 0
    assert created == await accounts.since("ann")
    assert await accounts.since("bob") is None


async def test_age_of_an_account_from_an_earlier_release_is_unknown(accounts):
    accounts.names["carol"] = "carol"

    assert 0 == await accounts.since("carol")
