"""Ratings while a start still reads them, and ratings that were read before others changed."""

import asyncio
from datetime import UTC

import pytest

from lilygames import foreground
from lilygames.chat.accounts import Accounts
from lilygames.chat.identity import Identity
from lilygames.errors import UserError
from lilygames.foreground import Foreground
from lilygames.privacy import personal_data
from lilygames.store import StoreUnavailable
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
    return Ratings(
        store, accounts, now=lambda: 0.0, zone=UTC, unreadable=UnreadableRows(), known=known, games=["tally"]
    )


@pytest.fixture
async def played(store):
    """The process in which ann, bob and cat have played games of two kinds."""
    ratings = over(store)
    await ratings.rate("tally 2", 1, {"ann": 1, "bob": 2})
    await ratings.rate("tally 2", 2, {"ann": 1, "cat": 2})
    await ratings.rate("tally 3-4", 3, {"ann": 3, "bob": 1, "cat": 2})
    return ratings


async def all_of(ratings):
    """Return everything that is known once all is read."""
    await ratings.ready()
    return ratings.known, ratings.latest, [await ratings.standings("tally"), [ratings.name(key) for key in "abc"]]


@pytest.fixture
def blocked(store, monkeypatch):
    """The pages of ratings, which the store doesn't return before this is set; it holds what they were when asked."""
    may_go_on = asyncio.Event()

    async def every(kind, first="", limit=None, reads=store.every):
        found = await reads(kind, first, limit)
        await may_go_on.wait()
        return found

    monkeypatch.setattr(store, "every", every)
    return may_go_on


@pytest.fixture
async def starting(store, played, blocked):
    """A process that reads all ratings in the background, of which none are there yet."""
    ratings = over(store)
    reading = asyncio.create_task(ratings.read_at_leisure(Foreground()))
    await settled()
    assert {} == ratings.known
    yield ratings
    blocked.set()
    await reading


async def settled():
    """Return when all tasks have done what they can without waiting."""
    for _ in range(50):
        await asyncio.sleep(0)


# read by their keys, before all are read


async def test_ratings_of_one_player_are_read_while_all_others_wait(starting, played, blocked):
    await starting.read_of("ann", "nobody")

    assert played.of("ann") == starting.of("ann")
    assert {} == starting.of("nobody")
    assert played.one("tally 3-4", "ann") == starting.one("tally 3-4", "ann")
    blocked.set()
    assert await all_of(played) == await all_of(starting)


async def test_bot_levels_are_read_by_their_names_as_people_are(store):
    before, after = over(store), over(store)
    await before.rate("tally 2 house", 1, {"ann": 1, "club (house)": 2}, purpose="house")
    await after.read_of("club (house)")

    assert 1 == after.one("tally 2 house", "club (house)").games
    assert 0 == after.one("tally 2 house", "ann").games


async def test_more_people_than_one_query_takes_are_read(starting, played, monkeypatch):
    monkeypatch.setattr(ratings_module, "_PEOPLE", 2)
    await starting.read_of("ann", "bob", "cat")

    assert [played.of(name) for name in ("ann", "bob", "cat")] == [starting.of(name) for name in ("ann", "bob", "cat")]


async def test_rating_read_by_its_key_is_not_left_at_an_older_row_of_the_background(starting, played, blocked):
    """Another node rates a game after the page was read, and before the player's own row is."""
    await played.rate("tally 2", 4, {"ann": 2, "bob": 1})
    await starting.read_of("ann")
    blocked.set()

    assert await all_of(played) == await all_of(starting)
    assert 3 == starting.one("tally 2", "ann").games


async def test_row_that_arrives_after_all_are_read_changes_nothing(starting, store, played, blocked, monkeypatch):
    arrives = asyncio.Event()

    async def find_each(kind, keys, finds=store.find_each):
        found = await finds(kind, keys)
        await arrives.wait()
        return found

    monkeypatch.setattr(store, "find_each", find_each)
    late = asyncio.create_task(starting.read_of("ann"))
    await settled()
    blocked.set()
    await starting.ready()
    await starting.rate("tally 2", 4, {"ann": 2, "bob": 1})
    arrives.set()
    await late

    assert 3 == starting.one("tally 2", "ann").games


async def test_unreadable_record_is_replaced_by_what_the_log_says_once_all_are_read(starting, store, played, blocked):
    await store.keep(RECORD, "tally 2/ann", "{")
    await starting.read_of("ann")

    assert {"tally 3-4"} == starting.of("ann").keys()
    blocked.set()
    assert await all_of(played) == await all_of(starting)


# games that end before all are read


async def test_game_that_ends_before_all_are_read_is_rated_afterwards(starting, played, blocked, monkeypatch):
    monkeypatch.setattr(ratings_module, "FEW", 0)
    await starting.read_of("ann")
    names = await starting.rate("tally 2", 4, {"ann": 2, "bob": 1})

    assert {"ann", "bob"} == names
    assert 1 == await starting.waiting()
    assert 2 == starting.one("tally 2", "ann").games
    blocked.set()
    await rated(starting)
    await played.follow()

    assert 3 == starting.one("tally 2", "ann").games
    assert await all_of(played) == await all_of(starting)


async def rated(ratings):
    """Return when no game waits to be rated."""
    while await ratings.waiting():  # noqa: ASYNC110 - it is what people see of it
        await asyncio.sleep(0)


async def test_game_at_a_place_with_few_games_is_rated_at_once(starting, blocked):
    blocked.set()
    await starting.rate("tally 2", 4, {"ann": 2, "bob": 1})

    assert 3 == starting.one("tally 2", "ann").games


async def test_list_of_players_at_a_place_with_many_games_is_refused_until_all_are_read(
    starting, played, blocked, monkeypatch
):
    monkeypatch.setattr(ratings_module, "FEW", 0)

    with pytest.raises(UserError, match="Try again in a few seconds"):
        await starting.standings("tally")
    blocked.set()
    assert await all_of(played) == await all_of(starting)


async def test_reading_rests_while_people_wait_for_answers_unless_they_wait_for_it(store, played, monkeypatch):
    monkeypatch.setattr(foreground, "LONGEST", 1e9)
    monkeypatch.setattr(ratings_module, "_PARSED", 1)
    ratings, typed = over(store), Foreground()
    with typed.answering():
        reading = asyncio.create_task(ratings.read_at_leisure(typed))
        await settled()

        assert 1 == sum(map(len, ratings.known.values()))
        assert {"tally"} == {kind.partition(" ")[0] for kind in await ratings.of_game("tally")}
    await reading
    assert await all_of(played) == await all_of(ratings)


# while all are read


async def test_hint_of_another_node_before_all_are_read_is_not_lost(starting, played, blocked):
    await played.rate("tally 2", 4, {"ann": 2, "bob": 1})
    await starting.follow()
    assert {} == starting.known
    blocked.set()

    assert await all_of(played) == await all_of(starting)


async def test_ratings_are_read_page_by_page(store, played, monkeypatch):
    monkeypatch.setattr(ratings_module, "_PAGE", 2)

    assert await all_of(played) == await all_of(over(store))


async def test_ratings_are_read_once_although_several_ask_for_them(store, played, monkeypatch):
    ratings, asked = over(store), []

    async def every(kind, first="", limit=None, reads=store.every):
        asked.append(first)
        return await reads(kind, first, limit)

    monkeypatch.setattr(store, "every", every)
    await asyncio.gather(ratings.ready(), ratings.read_at_leisure(Foreground()), ratings.ready())

    assert ["", "tally 3-4/cat\0"] == asked
    assert await all_of(played) == await all_of(ratings)


async def test_reading_goes_on_after_the_store_was_away(store, played):
    ratings = over(store)
    store.store.fail_next(StoreUnavailable("away"), call="every")
    with pytest.raises(StoreUnavailable):
        await ratings.ready()

    assert await all_of(played) == await all_of(ratings)


async def test_person_deleted_while_ratings_are_read_has_none(starting, played, blocked):
    await starting.read_of("ann")
    for each in (played, starting):
        each.forget_person(CAT)
    blocked.set()

    assert await all_of(played) == await all_of(starting)
    assert {} == starting.of("cat")
    assert "cat" not in repr(starting.known)


async def test_unreadable_record_is_replaced_by_what_the_log_says(store, played):
    await store.keep(RECORD, "tally 2/ann", "{")

    assert await all_of(played) == await all_of(over(store))


# read before others change


async def read_early(store):
    """Read all ratings, as the next process of a reload does."""
    known = KnownRatings()
    store.begin()
    head = (await store.heads([STANDINGS]))[STANDINGS]
    assert not any([*known.learn_records(await store.every(RECORD), 0.0)])
    known.all_read(head)
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
