"""Test buses with a server: it dies and comes back, and other nodes share it."""

import asyncio

import pytest

from lilygames.bus import Reconnected
from tests.deadline import DEADLINE

ENGINES = {"postgres": "server", "nats": "nats_server"}


@pytest.fixture(params=ENGINES)
def kind(request):
    return request.param


@pytest.fixture
def engine(kind, request):
    return request.getfixturevalue(ENGINES[kind])


@pytest.fixture
async def nodes(opening, kind):
    """The buses of two nodes."""
    open_one = opening(kind)
    buses = [await open_one() for _ in range(2)]
    yield buses
    for bus in buses:
        await bus.close()


@pytest.fixture
def heard(taken):
    """Return each node's subscription to a topic, once the server knows about it."""

    async def listen(nodes, topic):
        subscriptions = [node.subscribe(topic) for node in nodes]
        for each in subscriptions:
            assert [Reconnected()] == await taken(each)
        return subscriptions

    return listen


async def test_hint_reaches_every_node_once_and_in_order(nodes, heard, taken):
    subscriptions = await heard(nodes, "table/12")
    hints = [str(n).encode() for n in range(300)]

    for hint in hints:
        await nodes[0].publish("table/12", hint)

    for each in subscriptions:
        assert hints == await taken(each, 300)


async def test_long_hint_arrives_complete(nodes, heard, taken):
    """It is longer than one PostgreSQL notification can be."""
    (_, there) = await heard(nodes, "node/b")
    long = bytes(range(256)) * 200

    for hint in (long, b"short", bytes(20_000)):
        await nodes[0].publish("node/b", hint)

    assert [long, b"short", bytes(20_000)] == await taken(there, 3)


async def test_subscribers_are_told_to_check_the_store_after_an_outage(nodes, heard, taken, engine):
    """Hints during the outage are lost without an error. Then all are told to check the store, and hints arrive.

    The first may still be lost: its sender can be the last to notice the outage.
    """
    (_, there) = await heard(nodes, "table/12")
    await asyncio.to_thread(engine.kill)
    await nodes[0].publish("table/12", b"lost")
    await asyncio.to_thread(engine.start)
    assert [Reconnected()] == await taken(there)

    await heard(nodes, "table/13")

    async def say_again():
        while True:
            await nodes[0].publish("table/12", b"again")
            await asyncio.sleep(0.1)

    saying = asyncio.create_task(say_again())
    assert [b"again"] == await taken(there)
    saying.cancel()


async def test_bus_can_be_opened_before_its_server(opening, kind, engine, taken):
    open_one = opening(kind)
    await asyncio.to_thread(engine.kill)
    bus = await open_one()
    listener = bus.subscribe("table/12")
    await bus.publish("table/12", b"lost")
    await asyncio.to_thread(engine.start)

    assert [Reconnected()] == await taken(listener)
    await bus.close()


async def test_bus_can_be_closed_while_its_server_is_dead(opening, kind, engine):
    open_one = opening(kind)
    await asyncio.to_thread(engine.kill)
    try:
        bus = await open_one()
        listener = bus.subscribe("table/12")
        await bus.close()
    finally:
        await asyncio.to_thread(engine.start)

    assert [] == [hint async for hint in listener]


async def test_frozen_server_does_not_block_publishers(nodes, heard, engine):
    """It accepts hints though nobody reads them, more than ten megabytes, and can then be closed."""
    (listener, _) = await heard(nodes, "table/12")
    engine.freeze()
    try:
        async with asyncio.timeout(DEADLINE):
            for _ in range(200):
                for _ in range(10):
                    await nodes[0].publish("table/12", bytes(5000))
                await asyncio.sleep(0)
            await nodes[0].close()
    finally:
        engine.thaw()

    assert [] == [hint async for hint in listener]
