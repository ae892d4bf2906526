"""Talk in rooms with members at several nodes: all read it in the same order, which is that of `/review`."""

from __future__ import annotations

import asyncio
import random
import time
from typing import cast

import pytest
from structlog.testing import capture_logs

from lilygames.chat.people.observers import Held, Said
from lilygames.chat.talk.history import BATCH, History
from lilygames.gametest.stage import Stage
from lilygames.nodes import room_talk
from lilygames.store import Store, StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.nodes.order.test_lost_messages import LossyBus
from tests.nodes.simulated import BadBus, FarStore, run
from tests.toys import TOYS

LATE = 0.05


class Store2(MemoryStore):
    """A store that can be away, or slow."""

    away = False

    def __init__(self):
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()

    async def append(self, log, *args, **more):
        if self.away:
            raise StoreUnavailable("away")
        if log.startswith("said/"):
            await self.free.wait()
        return await super().append(log, *args, **more)

    async def append_each(self, drafts, **more):
        if self.away:
            raise StoreUnavailable("away")
        if any(log.startswith("said/") for log in drafts):
            await self.free.wait()
        return await super().append_each(drafts, **more)


@pytest.fixture
async def three(quiet):
    """Three nodes, each with a speaker and someone who only listens."""
    bus, store = LossyBus(), Store2()
    nodes = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "abc"]
    for number, stage in enumerate(nodes):
        stage.bus, stage.store = bus, store
        for name in (f"speaker{number}", f"hearer{number}"):
            stage.enter(name)
    await quiet(*nodes)
    await looked(nodes, quiet)
    for stage in nodes:
        for screen in stage.screens.values():
            screen.take()
    yield nodes
    store.away = False
    store.free.set()
    for stage in nodes:
        await stage.node.end()


async def looked(nodes, quiet):
    for stage in nodes:
        await stage.node.look()
        await stage.node.room_talk.look()
    await quiet(*nodes)


def read(stage, name):
    """Return what someone has read of what was said."""
    return [row.removeprefix(" - ") for row in stage.screens[name].take() if row.startswith(" - ")]


def heard(nodes):
    return [read(stage, f"hearer{number}") for number, stage in enumerate(nodes)]


async def reviewed(stage, name):
    await stage.history.finish()
    rows = await stage.type(name, "/review lobby 200")
    return [row.removeprefix("#  - ") for row in rows if row.startswith("#  - ")]


async def say(stage, name, line):
    await stage.hear(name, line)


async def all_talk(nodes, lines=10):
    """Let all speakers talk at the same time."""

    async def talk(number, stage):
        for line in range(lines):
            await say(stage, f"speaker{number}", f"{number} says {line}")
            for _ in range(random.randrange(4)):
                await asyncio.sleep(0)

    await asyncio.gather(*(talk(number, stage) for number, stage in enumerate(nodes)))


async def test_all_nodes_show_the_same_order_as_a_review(three, quiet):
    await all_talk(three)
    await quiet(*three)
    here, *others = heard(three)

    assert [here] * 2 == others
    assert sorted(f"{number} says {line}" for number in range(3) for line in range(10)) == sorted(here)
    assert here == await reviewed(three[1], "hearer1")


async def test_speakers_read_the_others_in_that_order_too(three, quiet):
    await all_talk(three)
    await quiet(*three)
    order, *_ = heard(three)
    own = [[line for line in order if not line.startswith(f"{number} ")] for number in range(3)]

    assert own == [read(stage, f"speaker{number}") for number, stage in enumerate(three)]


async def test_pages_show_their_own_messages_in_that_order(three, quiet):
    screen = three[0].screens["speaker0"]
    screen.page = screen.takes_packets = True
    await all_talk(three)
    await quiet(*three)
    order, *_ = heard(three)

    assert order == [packet.value["text"] for packet in screen.packets if packet.name == "talk"]


@pytest.mark.parametrize("loses", [lambda *_: True, lambda topic, _: topic == "said/lobby"], ids=["all", "talk"])
async def test_talk_is_delivered_in_order_although_the_bus_is_down(three, quiet, loses):
    three[0].bus.loses = loses
    await all_talk(three)
    await quiet(*three)
    await looked(three, quiet)
    here, *others = heard(three)

    assert ([here] * 2, 30) == (others, len(here))


async def test_lost_message_is_shown_before_the_next_without_waiting_for_a_check(three, quiet):
    three[0].bus.loses = lambda topic, message: "lost" in str(message)
    for line in ("one", "lost", "two"):
        await say(three[0], "speaker0", line)
        await quiet(*three)

    assert [["one", "lost", "two"]] * 3 == heard(three)


async def test_hint_without_words_is_enough(three, quiet, monkeypatch):
    """A very long message isn't sent to the bus, and the others read it from the store."""
    monkeypatch.setattr(room_talk, "LONGEST", 10)
    await say(three[0], "speaker0", "one")
    await quiet(*three)

    assert [["one"]] * 3 == heard(three)
    assert not any("said" in message for topic, message in three[0].bus.sent if topic.startswith("said/"))


async def test_talk_goes_on_in_each_speakers_order_while_the_store_is_away(three, quiet, monkeypatch):
    monkeypatch.setattr(room_talk, "LATE", LATE)
    here, *_ = three
    here.store.away = True
    with capture_logs() as logs:
        for line in ("one", "two"):
            await say(here, "speaker0", line)
        await quiet(*three)
        await say(here, "speaker0", "three")
        await quiet(*three)
    lines = [one["event"] for one in logs if "order" in one["event"]]

    assert [["one", "two", "three"]] * 3 == heard(three)
    assert ["the store is slow or away: talk is shown in each speaker's order until it is back"] == lines


async def test_nothing_is_repeated_and_order_is_back_when_the_store_is_back(three, quiet, monkeypatch):
    """Also if no hint says that the other nodes have been told already."""
    monkeypatch.setattr(room_talk, "LATE", LATE)
    monkeypatch.setattr("lilygames.chat.talk.history.RETRY", LATE)
    here, there, _ = three
    here.store.away = True
    await say(here, "speaker0", "one")
    await quiet(*three)
    here.bus.loses = lambda topic, _: topic.startswith("said/")
    here.store.away = False
    with capture_logs() as logs:
        await here.history.finish()
    here.bus.loses = lambda *_: False
    await say(there, "speaker1", "two")
    await quiet(*three)
    await looked(three, quiet)

    assert [["one", "two"]] * 3 == heard(three)
    assert ["one", "two"] == await reviewed(here, "hearer0")
    assert "the store is back: talk is shown in one order again" in [one["event"] for one in logs]


async def test_talk_waits_for_its_place_only_where_several_nodes_have_members(three, quiet):
    """In a room with members at one node, nobody waits for the store."""
    here, there, _ = three
    cafe = here.host.open_room("cafe")
    for name in ("speaker0", "hearer0"):
        cafe.enter(here.people[name])
    await quiet(*three)
    here.store.free.clear()
    await say(here, "speaker0", "-cafe;at once")
    await say(here, "speaker0", "-lobby;in its place")
    for _ in range(20):
        await asyncio.sleep(0)

    assert (["at once"], []) == (read(here, "hearer0"), read(there, "hearer1"))
    here.store.free.set()
    await quiet(*three)
    assert (["in its place"], ["in its place"]) == (read(here, "hearer0"), read(there, "hearer1"))


async def test_everyone_hears_by_their_own_rules(three, quiet):
    here, there, _ = three
    await there.type("hearer1", "/ignore speaker0 all")
    await quiet(*three)
    for screen in there.screens.values():
        screen.take()
    await say(here, "speaker0", "hello")
    await quiet(*three)

    assert ([], ["hello"]) == (read(there, "hearer1"), read(there, "speaker1"))


async def test_someone_who_has_left_the_room_reads_no_more_of_it(three, quiet):
    """The node that serves them decides, when it shows the message."""
    here, there, _ = three
    here.store.free.clear()
    await say(here, "speaker0", "too late")
    there.host.lobby.leave(there.people["hearer1"])
    here.store.free.set()
    await quiet(*three)

    assert ([], ["too late"]) == (read(there, "hearer1"), read(there, "speaker1"))


async def test_message_of_a_node_that_died_before_it_told_anyone_is_read_from_the_store(three, quiet):
    here, there, _ = three
    here.node.room_talk._tell = lambda *_: asyncio.sleep(0)
    await say(here, "speaker0", "last words")
    await quiet(*three)
    await looked(three, quiet)

    assert ["last words"] == read(there, "hearer1")


async def test_hearing_a_message_makes_nobody_of_the_other_nodes(three, quiet, monkeypatch):
    """A node knows only little of them until someone looks, however many are in the room."""
    here, there, _ = three
    made = []
    monkeypatch.setattr(there.host.lobby.people, "bring_near", lambda: made.append("all"))
    await say(here, "speaker0", "hello")
    await quiet(*three)

    assert (["hello"], []) == (read(there, "hearer1"), made)


async def test_hints_that_cannot_be_read_change_nothing(three, quiet):
    here, there, _ = three
    for broken in (b"{", b"[]", b'{"entry": 1, "said": [1]}', b'{"entry": "x"}'):
        await LossyBus.__mro__[1].publish(here.bus, "said/lobby", broken)
    await say(here, "speaker0", "hello")
    await quiet(*three)

    assert ["hello"] == read(there, "hearer1")


@pytest.fixture
async def history():
    """A store, the history of talk in it, and a person who talks."""
    store = MemoryStore()
    stage = await Stage.open(TOYS, store=store)
    stage.enter("ann")
    await stage.history.finish()
    return store, History(store), stage.people["ann"]


async def turns(number):
    for _ in range(number):
        await asyncio.sleep(0)


async def test_talk_of_a_turn_is_written_at_once_whether_or_not_another_node_waits_for_it(history):
    store, history, ann = history
    history.observe(Said(ann.did("public", rooms=("cafe",), text="here"), (), ()))
    history.observe(Held(ann.did("public", rooms=("bar",), text="everywhere")))
    await turns(20)

    assert {"said/cafe": 1, "said/bar": 1} == await store.heads(["said/cafe", "said/bar"])


async def test_message_that_waits_is_written_at_once_although_many_come_before_it(history):
    """Those that couldn't be saved for a while come first, and in parts."""
    store, history, ann = history
    for _ in range(2 * BATCH):
        history.observe(Said(ann.did("public", rooms=("bar",), text="before"), (), ()))
    history.observe(Held(ann.did("public", rooms=("bar",), text="now")))
    await turns(60)

    assert {"said/bar": 3} == await store.heads(["said/bar"])


async def _talk_on_bad_ways(seed):
    luck = random.Random(seed)
    store, bus = MemoryStore(time.time), BadBus(luck)
    nodes = []
    for number in range(3):
        reach = cast("Store", FarStore(store, luck))
        while len(nodes) == number:
            try:
                nodes.append(await Stage.open(TOYS, store=reach, seed=f"{seed} {number}", bus=bus))
            except StoreUnavailable:
                continue
        for name in (f"speaker{number}", f"hearer{number}"):
            nodes[-1].enter(name)
    await asyncio.sleep(10)
    for stage in nodes:
        for screen in stage.screens.values():
            screen.take()

    async def talk(number, stage):
        for line in range(20):
            await asyncio.sleep(luck.choice((0, 0.001, 0.05, 1)))
            await say(stage, f"speaker{number}", f"{number} says {line}")

    with capture_logs() as logs:
        await asyncio.gather(*(talk(number, stage) for number, stage in enumerate(nodes)))
        await asyncio.sleep(10)
    told = heard(nodes)
    assert [60] * 3 == [len(set(lines)) for lines in told], f"seed {seed}: lost"
    assert [60] * 3 == [*map(len, told)], f"seed {seed}: repeated"
    if not any("order until" in one["event"] for one in logs):
        assert [told[0]] * 3 == told, f"seed {seed}: nodes disagree"
        assert told[0] == [one.text for one in await nodes[0].history.latest("said/lobby", 0.0, 1000) if one.only_room]


def test_all_nodes_show_everything_in_one_order_on_a_bad_bus_and_a_slow_store(monkeypatch):
    """Hints are lost, repeated, late and reordered, and answers of the store are lost."""
    monkeypatch.setattr(room_talk, "PATIENCE", 0.2)
    for seed in range(10):
        run(_talk_on_bad_ways(seed))
