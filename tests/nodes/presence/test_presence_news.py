"""News of people is sent at once to nodes with people in the same room, and to others with a heartbeat."""

from __future__ import annotations

import json

import attrs
import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.people.profile import Profile
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.nodes.hints.invalidation import EVERYBODY
from lilygames.nodes.presence.presence_row import Outline
from lilygames.store.memory import MemoryStore
from tests.nodes.presence.test_distant_people import distant
from tests.nodes.presence.test_lost_presence import turns
from tests.toys import TOYS


class HeardBus(LocalBus):
    """A bus that records what is sent about people, by topic."""

    def __init__(self):
        super().__init__()
        self.sent = []

    async def publish(self, topic, hint):
        message = json.loads(hint)
        if message.keys() & {"row", "gone", "batch", "asks"}:
            self.sent.append((topic, message))
        await super().publish(topic, hint)


@pytest.fixture
async def two(quiet):
    """Two nodes, each with someone in a lobby of their own: ann and bob."""
    store, bus, settings = MemoryStore(), HeardBus(), attrs.evolve(SETTINGS, lobby_people=1)
    nodes = [await Stage.open(TOYS, store=store, seed=seed, bus=bus, settings=settings) for seed in "ab"]
    for name, stage in zip(("ann", "bob"), nodes, strict=True):
        stage.bus = bus
        stage.enter(name)
        await quiet(*nodes)
    for stage in nodes:
        await stage.node.look()
    bus.sent.clear()
    yield nodes
    for stage in nodes:
        await stage.node.end()


async def test_change_is_sent_at_once_only_to_nodes_with_people_in_the_room(two):
    here, there = two
    await here.type("ann", "/away")
    await turns()

    assert ["people/lobby"] == [topic for topic, _ in here.bus.sent]
    assert not there.host.people.distant("ann").away


async def test_changes_of_two_seconds_are_one_hint_for_all_other_nodes(two):
    here, there = two
    await here.type("ann", "/away")
    for name in ("cat", "dan"):
        here.enter(name)
    await turns()
    here.bus.sent.clear()
    await here.node.look()
    await turns()
    ((topic, message),) = here.bus.sent

    assert EVERYBODY == topic
    assert ["ann", "cat", "dan"] == named(message["batch"])
    assert {"ann", "cat", "dan"} == distant(there)
    assert there.host.people.distant("ann").away


def named(batch):
    """Return the people whom a batch says are here, sorted."""
    return sorted(row[0] for _, rows in batch["here"] for row in rows)


async def test_only_the_last_change_of_each_person_is_sent_to_all_nodes(two):
    here, there = two
    for name in ("cat", "dan"):
        here.enter(name)
        await turns()
    await here.type("cat", "/away")
    here.drop("dan")
    await turns()
    here.bus.sent.clear()
    await here.node.look()
    await turns()
    ((_, message),) = here.bus.sent
    batch = message["batch"]

    assert (["cat"], ["dan"]) == (named(batch), [name for name, *_ in batch["gone"]])
    assert [*range(batch["numbers"][0], batch["numbers"][0] + 4)] == batch["numbers"]
    assert ("cat" in distant(there), "dan" in distant(there)) == (True, False)
    assert there.host.people.distant("cat").away


async def test_changes_of_two_seconds_bring_the_profile_that_was_changed_first(two, quiet):
    here, there = two
    await here.type("ann", "/blurb hungry")
    await here.type("ann", "/info add I like tea")
    await here.type("ann", "/away")
    await quiet(*two)
    shown = there.host.people.distant("ann")

    assert ("hungry", True) == (shown.profile.blurb, shown.away)
    assert ("I like tea",) == there.host.people["ann"].profile.info


def test_profile_that_cannot_be_read_is_as_it_is_shown():
    """Perhaps a newer release has sent it."""
    outline = Outline.read(["hungry", "", [], "", True, "{}"])

    assert Profile(blurb="hungry") == outline.whole


async def test_person_who_leaves_is_announced_in_the_rooms_they_were_in(two):
    here, _ = two
    here.drop("ann")
    await turns()

    assert [("people/lobby", "ann")] == [(topic, message["gone"]) for topic, message in here.bus.sent]


async def test_node_asks_who_is_in_a_room_when_the_first_of_its_people_enters_it(two):
    """Otherwise it would hear of someone who has just entered up to two seconds late, and they of it."""
    here, there = two
    for stage in two:
        stage.host.open_room("cafe", "for tea")
    here.enter("cat")
    await here.type("cat", "/join cafe")
    await turns()
    assert "cat" not in there.host.people
    await there.type("bob", "/join cafe")
    await turns()
    await there.type("bob", "hello")
    await turns()

    assert {"ann"} == distant(there)
    assert " - hello" in here.screens["cat"].take()


async def test_node_hears_of_a_room_until_the_last_of_its_people_has_left_it(two):
    here, there = two
    await there.type("bob", "/join lobby")
    await turns()
    await here.type("ann", "/away")
    await turns()
    assert there.host.people["ann"].activity.away
    await there.type("bob", "/quit lobby")
    await turns()
    await here.type("ann", "/here")
    await turns()

    assert there.host.people["ann"].activity.away
    assert {"lobby-3"} == {*there.node.roster.news._served}


async def test_login_is_told_at_a_node_whose_people_are_not_known_here_yet():
    store, bus = MemoryStore(), LocalBus()
    here, there = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "ab"]
    screen = here.enter("ann")
    await turns()
    screen.take()
    before = [*there.host.people]
    there.enter("bob")
    await turns()

    assert ([], ["*** bob has entered lily ***"]) == (before, screen.take())
    for stage in (here, there):
        await stage.node.end()
