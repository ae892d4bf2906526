"""Ratings that are parsed when someone needs them, and ratings that were read before others changed."""

import asyncio
from datetime import UTC

import pytest

from lilygames import foreground
from lilygames.chat.accounts import Accounts
from lilygames.chat.identity import Identity
from lilygames.foreground import Foreground
from lilygames.privacy import personal_data
from lilygames.store.memory import MemoryStore
from lilygames.store.record_changes import RecordChanges
from lilygames.tables import ratings as ratings_module
from lilygames.tables.known_ratings import RECORD, KnownRatings
from lilygames.tables.ratings import STANDINGS, Ratings
from lilygames.unreadable import UnreadableRows

CAT = Identity("cat", frozenset({"cat"}), "former player 1")


@pytest.fixture
def store():
    return RecordChanges(MemoryStore(), frozenset({RECORD}))


def over(store, known=None):
    """Return the ratings of a new process."""
    accounts = Accounts(store, hash_time=1, hash_memory=64)
    return Ratings(store, accounts, now=lambda: 0.0, zone=UTC, unreadable=UnreadableRows(), known=known)


@pytest.fixture
async def played(store):
    """The process in which ann, bob and cat have played games of two kinds."""
    ratings = over(store)
    await ratings.rate("tally 2", 1, {"ann": 1, "bob": 2})
    await ratings.rate("tally 2", 2, {"ann": 1, "cat": 2})
    await ratings.rate("tally 3-4", 3, {"ann": 3, "bob": 1, "cat": 2})
    return ratings


async def loaded(store):
    """Return the ratings of a process that has read the records, and parsed none."""
    ratings = over(store)
    await ratings.load()
    return ratings


async def all_of(ratings):
    """Return everything that is known once all is read."""
    await ratings.ready()
    return ratings.known, ratings.latest, [await ratings.standings("tally"), [ratings.name(key) for key in "abc"]]


async def test_rating_is_the_same_before_and_after_all_are_read(store, played):
    ratings = await loaded(store)
    early = [ratings.of(name) for name in ("ann", "bob", "nobody")]
    await ratings.ready()

    assert early == [ratings.of(name) for name in ("ann", "bob", "nobody")]
    assert early[0].keys() == {"tally 2", "tally 3-4"}
    assert await all_of(played) == await all_of(ratings)


async def test_ratings_that_nobody_needs_are_parsed_after_what_people_type(store, played, monkeypatch):
    monkeypatch.setattr(foreground, "LONGEST", 1e9)
    monkeypatch.setattr(ratings_module, "_AT_LEISURE", 1)
    ratings, typed = await loaded(store), Foreground()
    with typed.answering():
        leisure = asyncio.create_task(ratings.parse_at_leisure(typed))
        for _ in range(20):
            await asyncio.sleep(0)

        assert 1 == sum(map(len, ratings.known.values()))
        assert {"tally"} == {kind.partition(" ")[0] for kind in await ratings.of_game("tally")}
    await leisure
    assert await all_of(played) == await all_of(ratings)


async def test_rating_after_a_newer_game_is_not_replaced_by_its_older_record(store, played):
    ratings = await loaded(store)
    await played.rate("tally 2", 4, {"ann": 2, "bob": 1})
    await ratings.load()

    assert played.of("ann") == ratings.of("ann")
    assert await all_of(played) == await all_of(ratings)


async def test_game_is_rated_after_all_ratings_are_read(store, played):
    ratings = await loaded(store)
    await ratings.rate("tally 2", 4, {"ann": 2, "bob": 1})
    await played.load()

    assert await all_of(played) == await all_of(ratings)


async def test_deleted_person_is_in_no_rating_that_is_read_later(store, played):
    ratings = await loaded(store)
    for each in (played, ratings):
        each.forget_person(CAT)

    assert {} == ratings.of("cat")
    assert await all_of(played) == await all_of(ratings)
    assert "cat" not in repr(ratings.known)


async def test_ratings_are_read_once_although_several_ask_for_them(store, played, monkeypatch):
    ratings, asked = over(store), []

    async def every_of(kinds, reads=store.every_of):
        asked.append(kinds)
        return await reads(kinds)

    monkeypatch.setattr(store, "every_of", every_of)
    await asyncio.gather(ratings.begin(), ratings.load(), ratings.ready())

    assert [[RECORD]] == asked
    assert await all_of(played) == await all_of(ratings)


async def test_person_deleted_while_ratings_are_read_has_none(store, played, monkeypatch):
    ratings = over(store)

    async def every_of(kinds, reads=store.every_of):
        found = await reads(kinds)
        ratings.forget_person(CAT)
        return found

    monkeypatch.setattr(store, "every_of", every_of)
    await ratings.begin()
    played.forget_person(CAT)

    assert {} == ratings.of("cat")
    assert await all_of(played) == await all_of(ratings)


async def test_unreadable_record_is_replaced_by_what_the_log_says(store, played):
    await store.keep(RECORD, "tally 2/ann", "{")
    ratings, other = await loaded(store), await loaded(store)
    ratings.one("tally 2", "ann")

    assert await all_of(played) == await all_of(ratings) == await all_of(other)


# read before others change


async def read_early(store):
    """Read all ratings, as the next process of a reload does."""
    known = KnownRatings()
    store.begin()
    head = (await store.heads([STANDINGS]))[STANDINGS]
    known.add_all(await store.every(RECORD), head)
    assert not any(known.parse_all(0.0))
    return known


async def taken_over(store, known):
    ratings = over(store, known)
    await ratings.load_changed({key for _, key in store.changed})
    return ratings


async def test_game_that_ended_after_ratings_were_read_counts(store, played):
    known = await read_early(store)
    await played.rate("tally 2", 4, {"ann": 2, "bob": 1})
    await played.rate("tally 5+", 5, {"dan": 2, "bob": 1})
    ratings = await taken_over(store, known)

    assert {"tally 5+"} == ratings.of("dan").keys()
    assert await all_of(played) == await all_of(ratings)


async def test_person_deleted_after_ratings_were_read_has_none(store, played):
    known = await read_early(store)
    await personal_data.erase(store, CAT)
    played.forget_person(CAT)
    ratings = await taken_over(store, known)

    assert {} == ratings.of("cat")
    assert "'cat'" not in repr(ratings.known)
    assert played.known == (await all_of(ratings))[0]
