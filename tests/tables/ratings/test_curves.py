"""The curve of each rating: a point a day, written with the ratings, and added once for games from before."""

from datetime import UTC

import pytest

from lilygames.scheduling.foreground import Foreground
from lilygames.tables.ratings.curves import DAYS, FILLED, KIND, Curve, Point

DAY = 86400.0


class Clock:
    def __init__(self):
        self.now = 1_795_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ratings(clock):
    from lilygames.chat.accounts.accounts import Accounts  # noqa: PLC0415 - one fixture needs them
    from lilygames.store.memory import MemoryStore  # noqa: PLC0415 - as above
    from lilygames.tables.ratings.ratings import Ratings  # noqa: PLC0415 - as above

    store = MemoryStore(clock)
    return Ratings(store, Accounts(store, hash_time=1, hash_memory=8192), now=clock, zone=UTC, games=["tally"])


async def points(ratings, key="tally 2/ann"):
    return (await ratings.curves.of([key])).get(key, Curve()).points


async def rate(ratings, clock, table, after=0.0):
    clock.now += after
    await ratings.rate("tally 2", table, {"ann": 1, "bob": 2})


async def test_game_adds_a_point_and_another_on_the_same_day_replaces_it(ratings, clock):
    await rate(ratings, clock, 1)
    await rate(ratings, clock, 2)
    await rate(ratings, clock, 3, DAY)
    found = await points(ratings)
    assert [2, 3] == [one.games for one in found]
    assert round(ratings.after_last_game("tally 2", "ann").mu, 2) == found[-1].mu
    assert found[0].day + 1 == found[1].day


async def test_games_from_before_are_added_once_in_the_order_of_days(ratings, clock):
    for table in range(1, 5):
        await rate(ratings, clock, table, DAY)
    whole = await points(ratings)
    store = ratings.curves._store
    for key in await store.every(KIND):
        await store.forget(KIND, key)
    await rate(ratings, clock, 5, DAY)
    assert 1 == len(await points(ratings))
    await ratings.curves.fill(Foreground())
    assert [*whole] == [*await points(ratings)][:-1]
    await ratings.curves.fill(Foreground())
    assert 5 == len(await points(ratings))
    assert '"done":5' in (await store.find(FILLED, ""))


def test_curve_keeps_the_latest_days():
    curve = Curve().with_points(Point(day, 25.0, day) for day in range(DAYS + 30))
    assert (DAYS, DAYS + 29) == (len(curve.points), curve.points[-1].day)


def test_point_after_more_games_stays_whatever_the_order():
    early, late = Point(7, 24.0, 3), Point(7, 26.0, 5)
    assert Curve((late,)) == Curve().with_points([early]).with_points([late])
    assert Curve((late,)) == Curve().with_points([late]).with_points([early])
