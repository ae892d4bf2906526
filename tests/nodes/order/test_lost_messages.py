"""Messages between nodes when the bus loses some: they are sent again, shown once, and in order."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from lilygames.bus import WAITING
from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.nodes.order.numbered import CHECKS, KEPT, Counts, Received, Sent
from lilygames.nodes.presence.remote_terminal import topic_of
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS


class LossyBus(LocalBus):
    """A bus that loses the messages for which `loses` is true, and keeps a copy of all that were sent."""

    def __init__(self):
        super().__init__()
        self.loses = lambda _topic, _message: False
        self.sent = []

    async def publish(self, topic, hint):
        message = json.loads(hint)
        self.sent.append((topic, message))
        if not self.loses(topic, message):
            await super().publish(topic, hint)


@pytest.fixture
async def two(quiet):
    """Two nodes, with ann at the first and bob at the second."""
    bus, store = LossyBus(), MemoryStore()
    nodes = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "ab"]
    for name, stage in zip(("ann", "bob"), nodes, strict=True):
        stage.bus = bus
        stage.enter(name)
        await quiet(*nodes)
    for stage in nodes:
        for screen in stage.screens.values():
            screen.take()
    yield nodes
    for stage in nodes:
        await stage.node.end()


async def looked(nodes, quiet, times=1):
    for _ in range(times):
        for stage in nodes:
            await stage.node.look()
            await quiet(*nodes)


def said(stage, name):
    """Return what someone has read of what others said."""
    return [row.removeprefix(" - ") for row in stage.screens[name].take() if row.startswith(" - ")]


def is_for_people(topic, message):
    return topic.startswith("node/") and "again" not in message


async def test_private_messages_of_an_outage_are_delivered_afterwards(two, quiet):
    here, there = two
    here.bus.loses = lambda *_: True
    for line in ("one", "two", "three"):
        await here.type("ann", f"bob;{line}")
    await quiet(*two)
    await looked(two, quiet)
    assert [] == said(there, "bob")
    here.bus.loses = lambda *_: False
    await looked(two, quiet)

    assert ["one", "two", "three"] == said(there, "bob")


async def test_everything_of_a_long_outage_is_delivered(two, quiet):
    """The other node asks for a part at a time: more would not fit into its queue."""
    here, there = two
    await there.type("bob", "ann;go on")  # a stranger could send only some
    await quiet(*two)
    here.bus.loses = lambda *_: True
    lines = [f"line {number}" for number in range(WAITING + 100)]
    for line in lines:
        await here.type("ann", f"bob;{line}")
        await here.node.roster.finish()
    here.bus.loses = lambda *_: False
    await looked(two, quiet)

    assert lines == said(there, "bob")


async def test_lost_message_is_shown_before_the_next_one_without_waiting_for_a_check(two, quiet):
    here, there = two
    here.bus.loses = is_for_people
    await here.type("ann", "bob;one")
    await quiet(*two)
    here.bus.loses = lambda *_: False
    for line in ("two", "three"):
        await here.type("ann", f"bob;{line}")
        await quiet(*two)

    assert ["one", "two", "three"] == said(there, "bob")


async def test_message_that_comes_twice_is_shown_once(two, quiet):
    here, there = two
    await here.type("ann", "bob;one")
    await quiet(*two)
    topic, message = next(one for one in here.bus.sent if is_for_people(*one) and "one" in str(one))
    for _ in range(2):
        await here.bus.publish(topic, json.dumps(message).encode())
    await quiet(*two)

    assert ["one"] == said(there, "bob")


async def test_nothing_is_sent_again_when_nothing_was_lost(two, quiet):
    here, _ = two
    for line in ("one", "two"):
        await here.type("ann", f"bob;{line}")
    await quiet(*two)
    await looked(two, quiet, 3)

    assert [] == [message for _, message in here.bus.sent if "again" in message]


async def test_messages_are_kept_only_until_they_have_arrived(two, quiet):
    here, there = two
    await here.type("ann", "bob;one")
    await quiet(*two)
    sent = here.node.roster.post._sent[there.node.name]
    assert sent.count > 0
    await looked(two, quiet, 2)

    assert [] == sent.again(1, sent.count)


async def test_later_messages_are_shown_when_the_one_before_never_comes(two, quiet):
    here, there = two
    here.bus.loses = lambda topic, message: is_for_people(topic, message) and "lost" in str(message)
    for line in ("lost", "kept"):
        await here.type("ann", f"bob;{line}")
    await quiet(*two)
    await looked(two, quiet, CHECKS - 1)
    assert [] == said(there, "bob")
    with capture_logs() as logs:
        await looked(two, quiet)

    assert ["kept"] == said(there, "bob")
    assert [("messages of another node are lost", 1)] == [(one["event"], one["messages"]) for one in logs]


async def test_messages_of_a_dead_node_are_shown_without_those_that_were_lost(two, quiet):
    here, there = two
    here.bus.loses = lambda topic, message: (
        "again" in message or (is_for_people(topic, message) and "lost" in str(message))
    )
    for line in ("lost", "kept"):
        await here.type("ann", f"bob;{line}")
    await quiet(*two)
    there.node.beats._dead.add(here.node.name)
    await there.node._check_messages()

    assert ["kept"] == said(there, "bob")


async def test_node_goes_on_after_a_message_that_cannot_be_read(two, quiet):
    here, there = two
    for broken in (b"{", b"[]", b'{"number": 1}', b'{"names": ["bob"]}', b'{"again": [1, 2], "from": "nobody"}'):
        await LocalBus.publish(here.bus, topic_of(there.node.name), broken)
    await here.type("ann", "bob;one")
    await quiet(*two)

    assert ["one"] == said(there, "bob")


async def test_heartbeat_counts_messages_for_each_node():
    store = MemoryStore()
    one, two = Beats(store, "one"), Beats(store, "two")
    await one.beat(messages=Counts({"two": 5, "three": 2}, {"two": 7}))
    await two.beat()
    seen = two.known("one")

    assert (5, 7) == (seen.sent, seen.arrived)


def test_oldest_messages_are_dropped_when_a_node_never_says_that_they_arrived():
    sent = Sent()
    for number in range(1, KEPT + 3):
        sent.add(str(number).encode())

    assert [] == sent.again(1, 2)
    assert [b"3", b"4"] == sent.again(1, 4)
    sent.arrived(KEPT + 2)
    assert [] == sent.again(1, KEPT + 2)


@given(st.data(), st.integers(1, 12))
def test_messages_are_shown_in_order_and_once_whatever_is_lost_repeated_or_late(data, many):
    """Every message gets there if the node that sends goes on saying how many there were."""
    sent, received, shown = Sent(), Received(), []
    for number in range(1, many + 1):
        sent.add(str(number).encode())
    arriving = data.draw(st.lists(st.integers(1, many), max_size=20))
    while arriving:
        number = arriving.pop(0)
        shown += received.take(number, number)
        if gap := received.gap():
            arriving += [int(message) for message in sent.again(*gap) if data.draw(st.booleans())]
    gap = received.check(many)
    while gap:
        for message in sent.again(*gap):
            shown += received.take(int(message), int(message))
        gap = received.gap()

    assert [*range(1, many + 1)] == shown
