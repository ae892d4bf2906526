"""The ratings that a server holds: people's own are read by their keys, and follow what other nodes rate."""

import asyncio
from datetime import UTC

import pytest

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.identity import Identity
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Damaged
from lilygames.store.memory import MemoryStore
from lilygames.tables.ratings import ratings as ratings_module
from lilygames.tables.ratings.known_ratings import RECORD
from lilygames.tables.ratings.ratings import Ratings

CAT = Identity("cat", frozenset({"cat"}), "former player 1")


@pytest.fixture
def store():
    return MemoryStore()


def over(store, here=tuple):
    """Return the ratings of a new process."""
    accounts = Accounts(store, hash_time=1, hash_memory=64)
    return Ratings(store, accounts, now=lambda: 0.0, zone=UTC, unreadable=UnreadableRows(), games=["tally"], here=here)


@pytest.fixture
async def played(store):
    """The process in which ann, bob and cat have played games of two kinds."""
    ratings = over(store)
    await ratings.rate("tally 2", 1, {"ann": 1, "bob": 2})
    await ratings.rate("tally 2", 2, {"ann": 1, "cat": 2})
    await ratings.rate("tally 3-4", 3, {"ann": 3, "bob": 1, "cat": 2})
    return ratings


async def test_only_the_ratings_of_those_who_are_asked_for_are_read(store, played):
    starting = over(store)
    await starting.read_of("ann", "nobody")

    assert played.of("ann") == starting.of("ann")
    assert {} == starting.of("nobody")
    assert played.one("tally 3-4", "ann") == starting.one("tally 3-4", "ann")
    assert {"ann"} == {key for known in starting.known.values() for key in known}


async def test_bot_levels_are_read_by_their_names_as_people_are(store):
    before, after = over(store), over(store)
    await before.rate("tally 2 house", 1, {"ann": 1, "club (house)": 2}, purpose="house")
    await after.read_of("club (house)")

    assert 1 == after.one("tally 2 house", "club (house)").games
    assert 0 == after.one("tally 2 house", "ann").games


async def test_more_people_than_one_query_takes_are_read(store, played, monkeypatch):
    monkeypatch.setattr(ratings_module, "_PEOPLE", 2)
    starting = over(store)
    await starting.read_of("ann", "bob", "cat")

    assert [played.of(name) for name in ("ann", "bob", "cat")] == [starting.of(name) for name in ("ann", "bob", "cat")]


async def test_game_that_another_node_rates_is_learned(store, played):
    starting = over(store)
    await starting.read_of("ann")
    await played.rate("tally 2", 4, {"ann": 2, "bob": 1})
    await starting.follow()

    assert played.of("ann") == starting.of("ann")
    assert 3 == starting.one("tally 2", "ann").games


async def test_record_that_arrives_after_a_newer_game_changes_nothing(store, played, monkeypatch):
    starting, arrives = over(store), asyncio.Event()

    async def find_each(kind, keys, finds=store.find_each):
        found = await finds(kind, keys)
        await arrives.wait()
        return found

    with monkeypatch.context() as slow:
        slow.setattr(store, "find_each", find_each)
        late = asyncio.create_task(starting.read_of("ann"))
        for _ in range(50):
            await asyncio.sleep(0)
    await starting.rate("tally 2", 4, {"ann": 2, "bob": 1})
    arrives.set()
    await late

    assert 3 == starting.one("tally 2", "ann").games


async def test_game_goes_by_the_ratings_of_players_whom_nobody_has_asked_for(store, played):
    await over(store).rate("tally 2", 4, {"ann": 2, "bob": 1})
    await played.follow()

    assert 3 == played.one("tally 2", "ann").games
    assert 2 == played.one("tally 2", "bob").games


async def test_ratings_among_people_who_are_not_here_are_read(store, played):
    starting = over(store)
    rating_of = await starting.among("tally 2", ["ann", "cat", "dan"])

    assert played.one("tally 2", "ann") == rating_of("tally 2", "ann")
    assert played.one("tally 2", "cat") == rating_of("tally 2", "cat")
    assert 0 == rating_of("tally 2", "dan").games
    assert {} == starting.known


async def test_memory_keeps_the_ratings_of_those_who_are_here(store, played, monkeypatch):
    monkeypatch.setattr(ratings_module, "_MORE", 1)
    ratings = over(store, here=lambda: ["ann"])
    for name in ("ann", "bob", "cat", "dan"):
        await ratings.read_of(name)

    assert {"ann"} == {key for known in ratings.known.values() for key in known}
    assert played.of("ann") == ratings.of("ann")
    assert {} == ratings.of("bob")


async def test_ratings_share_the_names_of_opponents(store):
    """They are most of what a rating takes in memory."""
    before, after = over(store), over(store)
    for number, kind in enumerate(("tally 2", "tally 3-4"), 1):
        await before.rate(kind, number, {"ann": 1, "bob-who-has-a-long-name": 2})
    await after.read_of("ann")
    two, more = (after.one(kind, "ann") for kind in ("tally 2", "tally 3-4"))

    assert (two.met, two.week.met) == (more.met, more.month.met)
    assert 1 == len({id(met) for one in (two, more) for met in (*one.met, *one.week.met, *one.month.met)})


async def test_people_without_ratings_are_forgotten_when_there_are_many(store, monkeypatch):
    monkeypatch.setattr(ratings_module, "_MORE", 10)
    ratings = over(store, here=lambda: ["ann"])
    for number in range(100):
        await ratings.read_of("ann", f"guest{number}")

    assert 20 >= len(ratings._known.people)


async def test_deleted_person_has_no_ratings(store, played):
    played.forget_person(CAT)

    assert {} == played.of("cat")
    assert "'cat'" not in repr(played.known)


@pytest.mark.parametrize("damage", ["text", "page"])
async def test_record_that_cannot_be_read_is_replaced_by_what_the_log_says(store, played, monkeypatch, damage):
    async def find_each(kind, keys, finds=store.find_each):
        if kind == RECORD and "tally 2/ann" in keys:
            raise Damaged("the page is damaged")
        return await finds(kind, keys)

    if damage == "text":
        await store.keep(RECORD, "tally 2/ann", "{")
    else:
        monkeypatch.setattr(store, "find_each", find_each)
    ratings = over(store)
    await ratings.read_of("ann", "bob")

    assert [played.of(name) for name in ("ann", "bob")] == [ratings.of(name) for name in ("ann", "bob")]
    await ratings.rate("tally 2", 4, {"ann": 1, "bob": 2})
    assert 3 == ratings.one("tally 2", "ann").games
