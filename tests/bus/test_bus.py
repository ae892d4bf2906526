"""Tests that every bus must pass: hints at most once, to subscribers, and a warning if some may be lost."""

import pytest

from lilygames.bus import WAITING, Reconnected


async def test_new_subscriber_is_first_told_to_check_the_store(bus, taken):
    """Earlier hints are never sent again."""
    assert [Reconnected()] == await taken(bus.subscribe("table/12"))


async def test_all_subscribers_of_a_topic_get_its_hints(bus, taken):
    listeners = [bus.subscribe("table/12") for _ in range(2)]
    for each in listeners:
        await taken(each)

    for hint in (b"1", b"2", b"\0\xff"):
        await bus.publish("table/12", hint)

    assert [[b"1", b"2", b"\0\xff"]] * 2 == [await taken(each, 3) for each in listeners]


@pytest.mark.parametrize("topic", ["a.b", " *", "t>", "", "ä", "x\ny"])
async def test_topic_can_be_any_text(bus, taken, topic):
    ours, theirs = bus.subscribe(topic), bus.subscribe("other")
    await taken(ours)
    await taken(theirs)

    await bus.publish(topic, b"ours")
    await bus.publish("other", b"theirs")

    assert ([b"ours"], [b"theirs"]) == (await taken(ours), await taken(theirs))


async def test_closed_subscription_ends(bus, taken):
    listener = bus.subscribe("table/12")
    await taken(listener)

    listener.close()

    assert [] == [hint async for hint in listener]


async def test_closed_bus_ends_subscriptions_and_drops_hints(bus, taken):
    listener = bus.subscribe("table/12")
    await taken(listener)

    await bus.close()
    await bus.publish("table/12", b"1")

    assert [] == [hint async for hint in listener]


async def test_slow_subscriber_is_told_to_check_the_store(bus, taken):
    """Hints don't pile up: checking the store covers all of them."""
    slow, quick = bus.subscribe("table/12"), bus.subscribe("quick")
    await taken(slow)
    await taken(quick)

    for _ in range(WAITING + 1):
        await bus.publish("table/12", b"x")
    await bus.publish("quick", b"done")
    await taken(quick)

    assert [Reconnected()] == await taken(slow)
