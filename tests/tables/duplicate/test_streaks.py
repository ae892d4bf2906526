"""Streaks in the store: a record beside the log of days, which only people without one have read again."""

from datetime import date, timedelta

import pytest

from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store.memory import MemoryStore
from lilygames.tables.duplicate.daily_rules import Streak
from lilygames.tables.duplicate.streaks import KIND, Streaks

DAY = date(2026, 11, 22)


class Counting(MemoryStore):
    """A store that counts the pages read of logs."""

    pages = 0

    async def read(self, log, after=0, limit=1000):
        self.pages += 1
        return await super().read(log, after, limit)


@pytest.fixture
def store():
    return Counting()


def streaks(store):
    return Streaks(store, str.casefold, UnreadableRows())


async def played(store, name, *days):
    for day in days:
        await streaks(store).played(name, DAY + timedelta(days=day))


async def test_streak_is_told_without_reading_the_days(store):
    await played(store, "Ann", 0, 1, 2)
    store.pages = 0

    assert Streak(3, 0, 3, DAY + timedelta(days=2), bits=0b111) == await streaks(store).of("ann")
    assert 0 == store.pages


async def test_day_played_twice_counts_once(store):
    await played(store, "ann", 0, 0, 1)

    assert 2 == (await streaks(store).of("ann")).days
    assert 2 == (await store.heads(["daily/ann"]))["daily/ann"]


async def test_record_is_filled_once_for_someone_who_has_none(store):
    await played(store, "ann", 0, 1)
    await store.forget(KIND, "ann")
    store.pages = 0
    found = [await streaks(store).of("ann") for _ in range(3)]

    assert [2, 2, 2] == [one.days for one in found]
    assert 2 == store.pages  # the days, and the end of the log


async def test_day_after_such_days_goes_on_from_them(store):
    await played(store, "ann", 0, 1)
    await store.forget(KIND, "ann")
    await played(store, "ann", 2)

    assert 3 == (await streaks(store).of("ann")).days


async def test_unreadable_record_is_set_aside_and_made_again(store):
    await played(store, "ann", 0, 1)
    await store.keep(KIND, "ann", "{")

    assert 2 == (await streaks(store).of("ann")).days
    assert "{" == await store.find("unreadable", f"{KIND}/ann")
    assert 2 == (await streaks(store).of("ann")).days


async def test_nobody_has_no_streak_and_no_record(store):
    assert Streak() == await streaks(store).of("bob")
    assert await store.find(KIND, "bob") is None
