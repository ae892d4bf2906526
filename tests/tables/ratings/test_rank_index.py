"""Lists of rated players that are read page by page: they are those that a look at everyone gives."""

import itertools
import random
from datetime import UTC

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.identity import Identity
from lilygames.privacy import personal_data
from lilygames.scheduling.foreground import Foreground
from lilygames.store import Conflict, Draft, Effect
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.store.wrapper import Through
from lilygames.tables.ratings import rank_index
from lilygames.tables.ratings.known_ratings import RECORD, PlayerRating
from lilygames.tables.ratings.rank_index import ALL_TIME, EVERYONE, KIND, descending, entries, number_in
from lilygames.tables.ratings.rankings import Calendar, missing, ranked
from lilygames.tables.ratings.rating_model import Period, Rating
from lilygames.tables.ratings.ratings import STANDINGS, Ratings
from tests.clock import Clock

DAY = 86400
NOW = 20_000 * DAY
MET = tuple("abcdefgh")
ATTEMPTS = itertools.count()


class Counted(Through):
    """A store that counts the entries of lists and the records that are read."""

    def __init__(self, store):
        super().__init__(store)
        self.rows = 0

    async def every(self, kind, first="", limit=None):
        found = await super().every(kind, first, limit)
        self.rows += len(found)
        return found

    async def find_each(self, kind, keys):
        found = await super().find_each(kind, keys)
        self.rows += len(found)
        return found


@pytest.fixture
def clock():
    return Clock(float(NOW))


@pytest.fixture
def store(clock):
    return Counted(MemoryStore(clock))


@pytest.fixture
def ratings(store, clock):
    return over(store, clock)


def over(store, clock):
    """Return the ratings of a new process."""
    accounts = Accounts(store, hash_time=1, hash_memory=64)
    return Ratings(store, accounts, now=clock, zone=UTC, games=["tally"])


async def kept(store, one, before=None, *, now=NOW, listed=True):
    """Write a player's rating as a game does; as a node of an earlier release does if it isn't `listed`."""
    lists = rank_index.after_game({one.key: before} if before else {}, [one], now) if listed else ()
    await store.append("game", None, (), cmd=str(next(ATTEMPTS)), effects=[one.effect, *lists])


def player(key, kind="tally 2", **rating):
    rating["at"] = float(rating.get("at", NOW))
    return PlayerRating(kind, key, key, attrs.evolve(Rating(30.0, 2.0, 30, met=MET), **rating))


def of_everyone(known, now, most, accept=lambda _: True):
    """Return the best by looking at everyone."""
    listed = (key for key, one in known.items() if accept(one.rating))
    return sorted(listed, key=lambda key: (-known[key].rating.sure_at(now), key))[:most]


def keys(players):
    return [one.key for one in players]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 99).map(float)))
def test_larger_numbers_come_first(numbers):
    numbers = [number + 0.0 for number in numbers]  # without -0.0
    assert sorted(numbers, reverse=True) == [number_in(text) for text in sorted(map(descending, numbers))]


@pytest.mark.parametrize("refreshed", [True, False])
@pytest.mark.parametrize("seed", range(4))
async def test_best_players_are_those_of_everyone_as_days_pass_and_games_end(store, ratings, clock, seed, refreshed):
    luck, known, index = random.Random(seed), {}, ratings._index
    for _ in range(150):
        for _ in range(luck.randrange(4)):
            key, met = f"p{luck.randrange(80)}", MET[: luck.randrange(6, 9)]
            before = known[key].rating if key in known else None
            known[key] = player(key, mu=luck.uniform(15, 35), sigma=luck.uniform(0.8, 8), met=met, at=clock.now)
            known[key] = attrs.evolve(known[key], rating=attrs.evolve(known[key].rating, games=luck.randrange(9, 40)))
            await kept(store, known[key], before, now=clock.now)
        if luck.random() < 0.02 and known:
            gone = luck.choice([*known])
            await store.forget(RECORD, known.pop(gone).record)
        clock.now += luck.choice((0, 3600, 3 * DAY, 20 * DAY, 200 * DAY))
        calendar = Calendar(clock.now, "", "")

        def accept(rating, calendar=calendar):
            return not missing(rating, "all", calendar)

        if refreshed and luck.random() < 0.3:
            await index.refresh("tally 2")
        assert of_everyone(known, clock.now, 9) == keys(await index.best("tally 2", EVERYONE, 9))
        assert of_everyone(known, clock.now, 9, accept) == keys(await index.best("tally 2", ALL_TIME, 9, accept))


@pytest.mark.parametrize("span", ["week", "month"])
@pytest.mark.parametrize("seed", range(3))
async def test_list_of_a_week_or_month_is_that_of_everyone_as_weeks_pass(store, ratings, seed, span):
    luck, weeks, known = random.Random(seed), 40, {}
    for at in range(200):
        key, (week, month) = f"p{luck.randrange(60)}", (f"2024-W{weeks}", f"2024-{weeks // 4:02}")
        periods = [Period(name, luck.randrange(4, 12), 30, luck.randrange(30), MET[:5]) for name in (week, month)]
        before = known[key].rating if key in known else None
        known[key] = player(key, at=NOW + at, week=periods[0], month=periods[1])
        await kept(store, known[key], before)
        weeks += luck.random() < 0.1
        for asked in (week if span == "week" else month, "2024-W39"):
            found = await ratings.ranking("tally 2", span, asked)
            everyone = {key: known[key].rating for key in sorted(known)}

            assert ranked(everyone, span, Calendar(NOW, asked, asked), 50) == keys(found.places)
    assert (week, month) == ((latest := await ratings._index.latest("tally 2")).week, latest.month)


async def crowd(store, number, *, at):
    for n in range(number):
        await kept(store, player(f"p{n:03}", mu=25.0 + 10 * n / number, at=at), now=at)


async def test_one_page_is_read_of_many_players_whether_idle_or_not(store, ratings, clock):
    await crowd(store, 400, at=NOW - 3000 * DAY)
    await crowd(store, 400, at=NOW - 40 * DAY)
    for kind in ("tally 2", "tally 3-4"):
        await kept(store, player("ann", kind), now=NOW)
    await ratings.keep_in_order(Foreground())
    clock.now += DAY
    store.rows = 0

    assert 15 == len((await ratings.standings("tally"))["tally 2"])
    assert store.rows <= 160  # a page of each list with its records, and one for each class that may be empty


async def test_formerly_best_players_are_passed_by_once_they_have_sunk(store, ratings, clock):
    await crowd(store, 300, at=NOW - 900 * DAY)
    await kept(store, player("ann", mu=31.0))
    store.rows = 0
    before = keys(await ratings._index.best("tally 2", EVERYONE, 3))
    looked_at = store.rows
    await ratings._index.refresh("tally 2")
    store.rows = 0

    assert before == keys(await ratings._index.best("tally 2", EVERYONE, 3))
    assert "ann" == before[0]
    assert store.rows < looked_at / 3


async def test_refresh_leaves_one_entry_for_each_player(store, ratings, clock):
    await crowd(store, 60, at=NOW - 40 * DAY)
    await ratings._index.refresh("tally 2")
    listed = [key for key in await store.every(KIND) if key.startswith("tally 2/standings/")]

    assert 60 == len(listed) == len({key.rpartition("/")[2] for key in listed})
    assert not any(key.startswith("tally 2/all/") for key in await store.every(KIND))


async def test_entry_that_was_moved_down_goes_with_the_next_game(store, ratings, clock):
    ann = player("ann", at=NOW - 100 * DAY)
    await kept(store, ann, now=ann.rating.at)
    await ratings._index.refresh("tally 2")
    again = attrs.evolve(ann, rating=attrs.evolve(ann.rating, mu=31.0, at=float(NOW)))
    await kept(store, again, ann.rating)

    assert {*entries(again)} == {*await store.every(KIND)}


# what doesn't fit


async def test_entry_of_nobody_is_passed_over_and_deleted(store, ratings):
    """Ann was rated again, and no entry was moved."""
    before = player("ann", mu=40.0)
    await kept(store, before)
    await kept(store, player("ann", mu=20.0, games=31), listed=False)
    await kept(store, player("bob"))

    assert ["bob"] == keys(await ratings._index.best("tally 2", EVERYONE, 5))
    await ratings._index.refresh("tally 2")
    assert not {*entries(before)} & {key for key in await store.every(KIND) if "/latest/" not in key}


async def test_lists_of_a_place_are_the_same_after_a_restart(store, ratings, clock):
    for table in range(12):
        clock.now += DAY
        names = ["ann", "bob", "cat", "dan"][table % 3 :]
        await ratings.rate("tally 3-4", table, {name: place for place, name in enumerate(names, 1)})
    expected = await ratings.standings("tally"), await ratings.ranking("tally 3-4", "month", "2024-10")
    again = over(store, clock)

    assert expected == (await again.standings("tally"), await again.ranking("tally 3-4", "month", "2024-10"))
    assert 4 == len(expected[0]["tally 3-4"])


async def test_deleted_person_is_in_no_list(store, ratings):
    await ratings.rate("tally 2", 1, {"ann": 1, "cat": 2})
    await personal_data.erase(store, Identity("cat", frozenset({"cat"}), "former player 1"))

    assert ["ann"] == [name for name, _ in (await ratings.standings("tally"))["tally 2"]]
    assert not any("cat" in key for key in await store.every(KIND))


async def test_game_that_another_node_rates_first_leaves_no_entry(store, ratings, clock):
    await ratings.rate("tally 2", 1, {"ann": 1, "bob": 2})
    with pytest.raises(Conflict):
        await store.append(STANDINGS, 0, [Draft("table", "{}")], cmd="late", effects=[Effect(KIND, "late", "{}")])

    assert "late" not in await store.every(KIND)


# engines


@pytest.fixture(params=["sqlite", "postgres"])
async def engine(request, tmp_path):
    """A store on a disk."""
    if request.param == "sqlite":
        store = SqliteStore.open(tmp_path / "lily.db")
    else:
        store = await PostgresStore.open(request.getfixturevalue("database"))
    yield store
    await store.close()


async def test_lists_of_each_engine_are_those_of_everyone(engine, clock):
    luck, ratings, known = random.Random(1), over(engine, clock), {}
    for n in range(70):
        known[f"p{n}"] = player(f"p{n}", mu=luck.uniform(-30, 35), sigma=luck.uniform(0.8, 8), at=clock.now)
        await kept(engine, known[f"p{n}"], now=clock.now)
        clock.now += luck.choice((0, 3600, 3 * DAY, 20 * DAY))
    await ratings.keep_in_order(Foreground())
    for n in range(0, 70, 9):
        before = known[f"p{n}"]
        known[f"p{n}"] = player(f"p{n}", mu=luck.uniform(10, 35), at=clock.now, games=31)
        await kept(engine, known[f"p{n}"], before.rating, now=clock.now)

    assert of_everyone(known, clock.now, 15) == [name for name, _ in (await ratings.standings("tally"))["tally 2"]]
    await ratings.rate("tally 2", 1, {"p1": 1, "p2": 2})
    assert 31 == (await ratings._records.read(["tally 2/p1"]))["tally 2/p1"].rating.games
    assert 70 == len([key for key in await engine.every(KIND) if "/standings/" in key])
