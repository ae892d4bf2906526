"""Test that a log follower gets each entry once and in order, whatever happens to the hints."""

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
    """A bus that loses every hint."""

    async def publish(self, topic, hint):
        pass


async def write(store, bus, *bodies):
    for body in bodies:
        await store.append("log", None, [Draft("whammy", body)], cmd=body)
        await tell(bus, "log")


async def read(entries, wanted):
    async with asyncio.timeout(DEADLINE):
        return [(await anext(entries)).body for _ in range(wanted)]


async def test_follower_gets_existing_entries_first_then_hinted_ones():
    store, bus = MemoryStore(), LocalBus()
    await write(store, bus, *"abc")
    async with aclosing(follow(store, bus, "log", 1, glance=NEVER)) as entries:
        assert ["b", "c"] == await read(entries, 2)

        coming = asyncio.create_task(read(entries, 2))
        await asyncio.sleep(0)
        await write(store, bus, *"de")

        assert ["d", "e"] == await coming


async def test_entry_is_followed_once_if_its_hint_is_repeated_or_early():
    store, bus = MemoryStore(), LocalBus()
    async with aclosing(follow(store, bus, "log", glance=NEVER)) as entries:
        coming = asyncio.create_task(read(entries, 3))
        await asyncio.sleep(0)
        for body in "abc":
            await tell(bus, "log")
            await write(store, bus, body)
            await tell(bus, "log")

        assert [*"abc"] == await coming


async def test_entry_without_a_hint_is_found_by_checking():
    store, bus = MemoryStore(), Mute()
    async with aclosing(follow(store, bus, "log", glance=SOON)) as entries:
        coming = asyncio.create_task(read(entries, 3))
        await asyncio.sleep(0)
        await write(store, bus, *"abc")

        assert [*"abc"] == await coming


async def test_follower_waits_while_the_store_is_away():
    store, bus = MemoryStore(), LocalBus()
    await write(store, bus, "a")
    for _ in range(3):
        store.fail_next(StoreUnavailable("It is away."), call="read")

    async with aclosing(follow(store, bus, "log", glance=SOON)) as entries:
        assert ["a"] == await read(entries, 1)


async def test_follower_works_without_a_bus():
    store, bus = MemoryStore(), LocalBus()
    async with aclosing(follow(store, bus, "log", glance=SOON)) as entries:
        coming = asyncio.create_task(read(entries, 1))
        await asyncio.sleep(0)
        await bus.close()
        await write(store, bus, "a")

        assert ["a"] == await coming


async def test_stopped_follower_gets_no_more_hints():
    store, bus = MemoryStore(), LocalBus()
    await write(store, bus, "a")
    async with aclosing(follow(store, bus, "log", glance=NEVER)) as entries:
        await read(entries, 1)
        assert {topic_of("log")} == bus._listening.topics

    assert frozenset() == bus._listening.topics


@pytest.mark.parametrize("kind", ["postgres", "nats"])
async def test_follower_loses_and_repeats_nothing_if_the_bus_restarts(kind, database, request):
    """Two nodes share a database, one writes and one follows; the bus is killed in between."""
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
