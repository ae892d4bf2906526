"""Test heartbeats: which nodes are alive, timed by each node's own clock."""

from __future__ import annotations

import asyncio

import pytest

from lilygames.nodes.membership import heartbeat
from lilygames.nodes.membership.heartbeat import BEAT, FORM, MAKING_WAY, SILENCE, Beats, may_follow, must_agree
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore


class Clock:
    """One node's own clock."""

    def __init__(self, wrong=0.0):
        self.wrong = wrong
        self.now = 0.0

    def __call__(self):
        return self.now + self.wrong


@pytest.fixture
def store():
    return MemoryStore()


async def beaten(clock, seconds, *beats):
    """Let some nodes beat for a while, and return those that the first one has seen die."""
    dead = set()
    for _ in range(int(seconds / BEAT)):
        clock.now += BEAT
        for number, one in enumerate(beats):
            died, _ = await one.beat()
            dead |= died if number == 0 else set()
    return dead


@pytest.mark.parametrize("wrong", [-3600.0, 0.0, 3600.0])
async def test_node_is_alive_whatever_its_clock_says(store, wrong):
    """Clocks are never compared."""
    clock, other = Clock(), Clock(wrong)
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=other)

    assert set() == await beaten(clock, 60, one, two)
    assert {"one", "two"} == one.live


async def test_silent_node_counts_as_dead_after_the_timeout(store):
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)

    assert set() == await beaten(clock, SILENCE - BEAT, one)
    assert {"two"} == await beaten(clock, 2 * BEAT, one)
    assert {"one"} == one.live


async def test_restarting_node_may_be_silent_for_longer(store):
    """Its process is restarting, which takes seconds on a busy machine."""
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    one.makes_way("two")
    await two.stop()

    assert set() == await beaten(clock, MAKING_WAY - BEAT, one)
    assert {"two"} == await beaten(clock, 2 * BEAT, one)


async def test_restarted_node_counts_as_dead_after_the_normal_timeout(store):
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    one.makes_way("two")
    await two.stop()
    await beaten(clock, SILENCE, one)
    one.has_made_way("two")

    assert {"two"} == await beaten(clock, BEAT, one)


async def test_node_that_was_frozen_sees_nobody_die(store):
    """A node that couldn't check for a while checks several times before it believes anything."""
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    clock.now += 100
    dead, _ = await one.beat()

    assert (set(), {"one", "two"}) == (dead, one.live)


async def test_node_is_alive_again_after_it_wakes(store):
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    await beaten(clock, 20, one)
    await beaten(clock, 4, one, two)

    assert {"one", "two"} == one.live


async def test_stopped_node_is_last_in_every_order(store):
    """Others do at once what it would have done first."""
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    await two.stop()
    await one.beat()

    assert {0} == {one.rank(f"table/{number}") for number in range(20)}


async def test_all_nodes_compute_the_same_order(store):
    """By rendezvous hashing, nodes that know the same nodes agree on who is first (Thaler and Ravishankar 1998)."""
    clock = Clock()
    beats = [Beats(store, name, now=clock) for name in ("one", "two", "three")]
    await beaten(clock, 10, *beats)
    orders = [sorted(one.rank(f"table/{number}") for one in beats) for number in range(50)]

    assert [[0, 1, 2]] * 50 == orders
    assert {0, 1, 2} == {beats[0].rank(f"table/{number}") for number in range(50)}


# nodes of another release


@pytest.fixture
def foreign(store, monkeypatch):
    """Return a function that lets a node of another form beat; nobody waits longer for it than for a moment."""
    monkeypatch.setattr(heartbeat, "SILENCE", 0.0)

    async def beat(node, *, number=1):
        monkeypatch.setattr(heartbeat, "FORM", FORM + 1)
        one = Beats(store, node)
        one._beat = number
        await one.beat()
        monkeypatch.setattr(heartbeat, "FORM", FORM)

    return beat


async def test_node_is_refused_while_one_of_another_release_is_alive(store, foreign, monkeypatch):
    monkeypatch.setattr(heartbeat, "SILENCE", 0.2)
    await Beats(store, "alike").beat()
    await foreign("old")
    starting = asyncio.create_task(must_agree(store, ""))
    for _ in range(9):
        await asyncio.sleep(0)
    await foreign("old", number=2)

    with pytest.raises(StoreUnavailable, match="A node of another release shares this database"):
        await starting


async def test_node_starts_beside_the_record_of_a_dead_one_of_another_release(store, foreign):
    await foreign("old")
    await must_agree(store, "")


async def test_node_follows_one_of_another_release(store, foreign):
    await foreign("old")
    await must_agree(store, "old")
    may_follow(await store.every(heartbeat.KIND))


async def test_reload_to_another_release_is_refused_while_several_nodes_are_there(store, foreign):
    await foreign("old")
    await foreign("older")

    with pytest.raises(StoreUnavailable, match="stop all nodes"):
        may_follow(await store.every(heartbeat.KIND))
