"""Who follows a log has each entry once and in order, whatever becomes of the hints."""

import asyncio
from contextlib import aclosing

import pytest

from lilygames.bus.local import LocalBus
from lilygames.bus.nats import NatsBus
from lilygames.bus.postgres import PostgresBus
from lilygames.log_follower import follow, tell, topic_of
from lilygames.store import Draft, StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres import PostgresStore
from tests.deadline import DEADLINE

NEVER = 1000.0
SOON = 0.01


class Mute(LocalBus):
    """A bus on which every hint is lost."""

    async def publish(self, topic, hint):
        pass


async def write(store, bus, *bodies):
    for body in bodies:
        await store.append("log", None, [Draft("whammy", body)], cmd=body)
        await tell(bus, "log")


async def read(entries, wanted):
    async with asyncio.timeout(DEADLINE):
        return [(await anext(entries)).body for _ in range(wanted)]


async def test_what_is_there_comes_first_and_then_what_hints_tell_of():
    store, bus = MemoryStore(), LocalBus()
    await write(store, bus, *"abc")
    async with aclosing(follow(store, bus, "log", 1, glance=NEVER)) as entries:
        assert ["b", "c"] == await read(entries, 2)

        coming = asyncio.create_task(read(entries, 2))
        await asyncio.sleep(0)
        await write(store, bus, *"de")

        assert ["d", "e"] == await coming


async def test_hints_that_come_twice_or_too_early_tell_nothing_twice():
    store, bus = MemoryStore(), LocalBus()
    async with aclosing(follow(store, bus, "log", glance=NEVER)) as entries:
        coming = asyncio.create_task(read(entries, 3))
        await asyncio.sleep(0)
        for body in "abc":
            await tell(bus, "log")
            await write(store, bus, body)
            await tell(bus, "log")

        assert [*"abc"] == await coming


async def test_what_no_hint_tells_of_is_found_by_looking():
    store, bus = MemoryStore(), Mute()
    async with aclosing(follow(store, bus, "log", glance=SOON)) as entries:
        coming = asyncio.create_task(read(entries, 3))
        await asyncio.sleep(0)
        await write(store, bus, *"abc")

        assert [*"abc"] == await coming


async def test_a_store_that_is_away_is_waited_for():
    store, bus = MemoryStore(), LocalBus()
    await write(store, bus, "a")
    for _ in range(3):
        store.fail_next(StoreUnavailable("It is away."), call="read")

    async with aclosing(follow(store, bus, "log", glance=SOON)) as entries:
        assert ["a"] == await read(entries, 1)


async def test_without_a_bus_there_is_still_looking():
    store, bus = MemoryStore(), LocalBus()
    async with aclosing(follow(store, bus, "log", glance=SOON)) as entries:
        coming = asyncio.create_task(read(entries, 1))
        await asyncio.sleep(0)
        await bus.close()
        await write(store, bus, "a")

        assert ["a"] == await coming


async def test_who_stops_following_wants_no_more_hints():
    store, bus = MemoryStore(), LocalBus()
    await write(store, bus, "a")
    async with aclosing(follow(store, bus, "log", glance=NEVER)) as entries:
        await read(entries, 1)
        assert {topic_of("log")} == bus._listening.topics

    assert frozenset() == bus._listening.topics


@pytest.mark.parametrize("kind", ["postgres", "nats"])
async def test_a_bus_that_dies_and_comes_back_loses_and_repeats_nothing(kind, database, request):
    """Two nodes over one database, one writing, one following; the engine of the bus is killed between."""
    engine = request.getfixturevalue("server" if kind == "postgres" else "nats_server")
    opening = PostgresBus.open if kind == "postgres" else NatsBus.open
    url = database if kind == "postgres" else engine.url
    stores = [await PostgresStore.open(database, patience=60) for _ in range(2)]
    here, there = [await opening(url) for _ in range(2)]
    async with aclosing(follow(stores[1], there, "log")) as entries:
        coming = asyncio.create_task(read(entries, 30))
        await write(stores[0], here, *map(str, range(10)))
        await asyncio.to_thread(engine.kill)
        writing = asyncio.create_task(write(stores[0], here, *map(str, range(10, 30))))
        await asyncio.to_thread(engine.start)
        await writing

        assert [*map(str, range(30))] == await coming
    for each in (*stores, here, there):
        await each.close()
