"""What every bus does: hints at most once, to those who listen, and a word where some may be lost."""

import pytest

from lilygames.bus import WAITING, Reconnected


async def test_who_begins_to_listen_is_told_to_look_first(bus, taken):
    """What came before nobody will tell again."""
    assert [Reconnected()] == await taken(bus.subscribe("table/12"))


async def test_all_who_listen_to_a_topic_have_its_hints(bus, taken):
    listeners = [bus.subscribe("table/12") for _ in range(2)]
    for each in listeners:
        await taken(each)

    for hint in (b"1", b"2", b"\0\xff"):
        await bus.publish("table/12", hint)

    assert [[b"1", b"2", b"\0\xff"]] * 2 == [await taken(each, 3) for each in listeners]


@pytest.mark.parametrize("topic", ["a.b", " *", "t>", "", "ä", "x\ny"])
async def test_a_topic_is_any_text_and_its_own(bus, taken, topic):
    ours, theirs = bus.subscribe(topic), bus.subscribe("other")
    await taken(ours)
    await taken(theirs)

    await bus.publish(topic, b"ours")
    await bus.publish("other", b"theirs")

    assert ([b"ours"], [b"theirs"]) == (await taken(ours), await taken(theirs))


async def test_a_subscription_closed_ends(bus, taken):
    listener = bus.subscribe("table/12")
    await taken(listener)

    listener.close()

    assert [] == [hint async for hint in listener]


async def test_a_bus_closed_ends_all_and_takes_hints_in_silence(bus, taken):
    listener = bus.subscribe("table/12")
    await taken(listener)

    await bus.close()
    await bus.publish("table/12", b"1")

    assert [] == [hint async for hint in listener]


async def test_who_listens_too_slowly_is_told_to_look(bus, taken):
    """Hints do not pile up: who looks at the store sees what they all spoke of."""
    slow, quick = bus.subscribe("table/12"), bus.subscribe("quick")
    await taken(slow)
    await taken(quick)

    for _ in range(WAITING + 1):
        await bus.publish("table/12", b"x")
    await bus.publish("quick", b"done")
    await taken(quick)

    assert [Reconnected()] == await taken(slow)
