"""Presence across nodes when hints are lost: a node reads the changes it missed, and nothing else."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.nodes.order.changes import NAMED, Changes, Heard
from lilygames.nodes.presence import roster
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS


class DeafBus(LocalBus):
    """A bus that loses everything while it is deaf."""

    deaf = False

    async def publish(self, topic, hint):
        if not self.deaf:
            await super().publish(topic, hint)


class CountingStore(MemoryStore):
    """A store that counts how often people's records are read, all or one, and can refuse to write them."""

    def __init__(self):
        super().__init__()
        self.read_all = 0
        self.read_one = []
        self.refuses = False

    async def every(self, kind, *page):
        self.read_all += kind == roster.KIND
        return await super().every(kind, *page)

    async def find(self, kind, key):
        self.read_one += [key] if kind == roster.KIND else []
        return await super().find(kind, key)

    async def keep(self, kind, key, body):
        self._check(kind)
        await super().keep(kind, key, body)

    async def forget(self, kind, key):
        self._check(kind)
        await super().forget(kind, key)

    def _check(self, kind):
        if self.refuses and kind == roster.KIND:
            raise StoreUnavailable("not now")

    def clear(self):
        self.read_all, self.read_one = 0, []


@pytest.fixture
def store():
    return CountingStore()


@pytest.fixture
async def two(store, quiet):
    """Two nodes, with ann at the first and bob at the second; nothing is left to read."""
    bus = DeafBus()
    nodes = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "ab"]
    for name, stage in zip(("ann", "bob"), nodes, strict=True):
        stage.bus = bus
        stage.enter(name)
        await quiet(*nodes)
    await looked(nodes, quiet)
    store.clear()
    yield nodes
    for stage in nodes:
        await stage.node.end()


async def looked(nodes, quiet):
    """Let all nodes beat and look at the others, twice, so that each has seen the other's last beat."""
    for stage in (*nodes, *nodes):
        await stage.node.look()
        await quiet(*nodes)


async def turns():
    """Let everything that can go on do so."""
    for _ in range(100):
        await asyncio.sleep(0)


def seen_at(stage):
    """Return who is here, and in which rooms, as a node sees it."""
    return {person.name: {room.name for room in person.rooms} for person in stage.host.people.values()}


async def test_nothing_is_read_when_no_hint_was_lost(two, quiet, store):
    here, _ = two
    here.enter("cat")
    await quiet(*two)
    store.clear()
    await looked(two, quiet)

    assert (0, []) == (store.read_all, store.read_one)


async def test_nothing_is_read_when_changes_are_heard_before_the_heartbeat_that_counts_them(two, quiet, store):
    here, there = two
    here.enter("cat")
    await quiet(*two)
    store.clear()
    await there.node.look()

    assert (0, []) == (store.read_all, store.read_one)


async def test_profile_whose_announcement_was_lost_is_read(two, quiet):
    here, there = two
    here.bus.deaf = True
    await here.type("ann", "/blurb deal me in")
    await quiet(*two)
    here.bus.deaf = False
    await looked(two, quiet)

    assert "deal me in" == there.host.people["ann"].profile.blurb


async def test_only_the_people_whose_hints_were_lost_are_read(two, quiet, store):
    here, there = two
    here.bus.deaf = True
    await here.type("ann", "/join tally")
    here.enter("cat")
    here.enter("dan")
    here.drop("dan")
    await quiet(*two)
    here.bus.deaf = False
    assert {"ann": {"lobby"}, "bob": {"lobby"}} == seen_at(there)
    store.clear()
    await looked(two, quiet)

    assert {"ann": {"lobby", "tally"}, "bob": {"lobby"}, "cat": {"lobby"}} == seen_at(there)
    assert (0, {"ann", "cat", "dan"}) == (store.read_all, {*store.read_one})


async def test_later_hints_count_after_a_gap(two, quiet, store):
    here, there = two
    here.bus.deaf = True
    here.enter("cat")
    await quiet(*two)
    here.bus.deaf = False
    here.enter("dan")
    await quiet(*two)
    store.clear()
    await looked(two, quiet)
    assert ["cat"] == [name for name in store.read_one if name != "dan"]
    store.clear()
    here.drop("dan")
    await quiet(*two)
    await looked(two, quiet)

    assert {"ann", "bob", "cat"} == {*seen_at(there)}
    assert (0, []) == (store.read_all, store.read_one)


async def test_person_whose_departure_was_lost_is_gone(two, quiet):
    here, there = two
    here.bus.deaf = True
    here.drop("ann")
    await quiet(*two)
    here.bus.deaf = False
    assert "ann" in seen_at(there)
    await looked(two, quiet)

    assert "ann" not in seen_at(there)


async def test_all_people_are_read_when_more_was_lost_than_is_named(two, quiet, store):
    here, there = two
    here.bus.deaf = True
    for number in range(NAMED + 1):
        here.enter(f"p{number:03}")
    await quiet(*two)
    here.bus.deaf = False
    store.clear()
    await there.node.look()
    await here.node.look()
    await there.node.look()

    assert 1 == store.read_all
    assert seen_at(here) == seen_at(there)


async def test_person_heard_of_while_all_are_read_is_not_lost(two, quiet, store, monkeypatch):
    here, there = two
    every = CountingStore.every

    async def slowly(self, kind):
        records = await every(self, kind)
        if kind == roster.KIND and "cat" not in here.people:
            here.enter("cat")
            await turns()
        return records

    monkeypatch.setattr(CountingStore, "every", slowly)
    monkeypatch.setattr(Heard, "missed", lambda *_: None)
    await there.node.look()
    await quiet(*two)

    assert "cat" in seen_at(there)


@pytest.mark.parametrize("leaves", [False, True])
async def test_change_is_announced_after_the_store_was_away(two, quiet, store, monkeypatch, leaves):
    monkeypatch.setattr(roster, "RETRY", 0.0)
    here, there = two
    store.refuses = True
    if leaves:
        here.drop("ann")
    else:
        await here.type("ann", "/join tally")
    await turns()
    store.refuses = False
    await quiet(*two)

    assert {"bob": {"lobby"}} | ({} if leaves else {"ann": {"lobby", "tally"}}) == seen_at(there)


async def test_renamed_person_is_known_by_the_new_name_everywhere(two, quiet, store):
    here, there = two
    await here.type("ann", "/rename zoe")
    await quiet(*two)

    assert {"zoe", "bob"} == {*seen_at(there)}
    assert {"zoe", "bob"} == {*await store.every(roster.KIND)}


async def test_each_look_costs_what_the_node_serves(two, quiet, monkeypatch):
    here, there = two
    for number in range(20):
        there.enter(f"p{number:02}")
    for number in range(50):
        here.host.open_room(f"nook{number}")
    await quiet(*two)
    compared, tells = [], roster.Presence.tells
    monkeypatch.setattr(roster.Presence, "tells", lambda known, now: compared.append(now.name) or tells(known, now))
    here.node.roster.glance()

    assert ["ann"] == compared


@given(st.permutations(range(1, 13)), st.integers(0, 12), st.integers(0, 12))
def test_missed_changes_are_those_not_heard(order, heard, named):
    changes = Changes(12, tuple(f"p{number}" for number in range(13 - named, 13)))
    node = Heard()
    for number in order[:heard]:
        node.add(number)
    lost = {*order[heard:]}
    expected = None if lost and min(lost) <= 12 - named else tuple(f"p{number}" for number in sorted(lost))

    assert expected == node.missed(changes)
    node.reach(12)
    assert () == node.missed(changes)
