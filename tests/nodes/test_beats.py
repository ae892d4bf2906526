"""Which nodes are alive: a heart that others can see, timed by nobody's clock but one's own."""

from __future__ import annotations

import pytest

from lilygames.nodes.heartbeat import BEAT, MAKING_WAY, SILENCE, Beats
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
    """Let some beat for so long, and return those whom the first has seen die meanwhile."""
    dead = set()
    for _ in range(int(seconds / BEAT)):
        clock.now += BEAT
        for number, one in enumerate(beats):
            died, _ = await one.beat()
            dead |= died if number == 0 else set()
    return dead


@pytest.mark.parametrize("wrong", [-3600.0, 0.0, 3600.0])
async def test_a_node_lives_whatever_its_clock_says(store, wrong):
    """No clock is compared with another."""
    clock, other = Clock(), Clock(wrong)
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=other)

    assert set() == await beaten(clock, 60, one, two)
    assert {"one", "two"} == one.live


async def test_a_silent_node_is_dead_after_a_while(store):
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)

    assert set() == await beaten(clock, SILENCE - BEAT, one)
    assert {"two"} == await beaten(clock, 2 * BEAT, one)
    assert {"one"} == one.live


async def test_a_node_that_makes_way_may_be_silent_for_longer(store):
    """Its process is becoming the next one, which takes seconds on a busy machine."""
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    one.makes_way("two")
    await two.stop()

    assert set() == await beaten(clock, MAKING_WAY - BEAT, one)
    assert {"two"} == await beaten(clock, 2 * BEAT, one)


async def test_a_node_that_has_made_way_counts_as_dead_like_any_other(store):
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    one.makes_way("two")
    await two.stop()
    await beaten(clock, SILENCE, one)
    one.has_made_way("two")

    assert {"two"} == await beaten(clock, BEAT, one)


async def test_a_node_that_stood_still_has_seen_nobody_die(store):
    """Who could not look for a while looks some times before it believes anything."""
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    clock.now += 100
    dead, _ = await one.beat()

    assert (set(), {"one", "two"}) == (dead, one.live)


async def test_a_node_that_wakes_up_lives_again(store):
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    await beaten(clock, 20, one)
    await beaten(clock, 4, one, two)

    assert {"one", "two"} == one.live


async def test_a_node_that_has_ended_goes_to_the_end_of_every_order(store):
    """Others do at once what it would have been first to do."""
    clock = Clock()
    one, two = Beats(store, "one", now=clock), Beats(store, "two", now=clock)
    await beaten(clock, 10, one, two)
    await two.stop()
    await one.beat()

    assert {0} == {one.rank(f"table/{number}") for number in range(20)}


async def test_every_node_computes_the_same_order(store):
    """Rendezvous: of those who know the same nodes one is first, another second (Thaler and Ravishankar 1998)."""
    clock = Clock()
    beats = [Beats(store, name, now=clock) for name in ("one", "two", "three")]
    await beaten(clock, 10, *beats)
    orders = [sorted(one.rank(f"table/{number}") for one in beats) for number in range(50)]

    assert [[0, 1, 2]] * 50 == orders
    assert {0, 1, 2} == {beats[0].rank(f"table/{number}") for number in range(50)}
