"""What a bus with an engine has to stand: it dies and comes back, and others share it."""

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
    """Return subscriptions of each node to a topic, once its engine knows of them."""

    async def listen(nodes, topic):
        subscriptions = [node.subscribe(topic) for node in nodes]
        for each in subscriptions:
            assert [Reconnected()] == await taken(each)
        return subscriptions

    return listen


async def test_a_hint_reaches_every_node_once_and_in_order(nodes, heard, taken):
    subscriptions = await heard(nodes, "table/12")
    hints = [str(n).encode() for n in range(300)]

    for hint in hints:
        await nodes[0].publish("table/12", hint)

    for each in subscriptions:
        assert hints == await taken(each, 300)


async def test_a_long_hint_arrives_whole(nodes, heard, taken):
    """Longer than one notification of PostgreSQL's may be."""
    (_, there) = await heard(nodes, "node/b")
    long = bytes(range(256)) * 200

    for hint in (long, b"short", bytes(20_000)):
        await nodes[0].publish("node/b", hint)

    assert [long, b"short", bytes(20_000)] == await taken(there, 3)


async def test_an_engine_that_comes_back_is_told_of(nodes, heard, taken, engine):
    """While it lies dead hints are lost in silence; then everybody is told to look, and hints come again."""
    (_, there) = await heard(nodes, "table/12")
    await asyncio.to_thread(engine.kill)
    await nodes[0].publish("table/12", b"lost")
    await asyncio.to_thread(engine.start)
    assert [Reconnected()] == await taken(there)

    await heard(nodes, "table/13")
    await nodes[0].publish("table/12", b"again")

    assert [b"again"] == await taken(there)


async def test_a_bus_may_be_opened_before_its_engine(opening, kind, engine, taken):
    open_one = opening(kind)
    await asyncio.to_thread(engine.kill)
    bus = await open_one()
    listener = bus.subscribe("table/12")
    await bus.publish("table/12", b"lost")
    await asyncio.to_thread(engine.start)

    assert [Reconnected()] == await taken(listener)
    await bus.close()


async def test_a_bus_whose_engine_is_dead_closes(opening, kind, engine):
    open_one = opening(kind)
    await asyncio.to_thread(engine.kill)
    try:
        bus = await open_one()
        listener = bus.subscribe("table/12")
        await bus.close()
    finally:
        await asyncio.to_thread(engine.start)

    assert [] == [hint async for hint in listener]


async def test_a_bus_that_stands_still_keeps_nobody_waiting(nodes, heard, engine):
    """Hints are taken though nobody reads them, ten megabytes and more, and then the bus can be closed."""
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
