"""A table is in the same room at every node, also if the room has just been another table's."""

import asyncio
from functools import partial
from operator import add

from lilygames.nodes.membership.heartbeat import LOOKS, SILENCE
from tests.nodes.conftest import rooms_of_tables
from tests.nodes.test_two_nodes import together


async def test_room_is_the_same_if_a_node_hears_of_the_next_table_first(two, quiet):
    """It hears that the table before is closed only afterwards."""
    here, there = await together(two, quiet)
    await here.type("ann", "/new tally")
    await quiet(*two)
    follow = there.tables.following.follow

    async def hears_nothing(_):
        return None

    there.tables.following.follow = hears_nothing
    await here.type("ann", "/leave")
    await here.type("ann", "/new tally")
    await quiet(*two)
    there.tables.following.follow = follow
    await follow(2)

    assert {2: "tally"} == rooms_of_tables(here) == rooms_of_tables(there)


async def test_room_is_the_same_if_the_store_is_slow_to_forget_the_table_before(two, quiet, store):
    here, there = await together(two, quiet)
    await here.type("ann", "/new tally")
    await quiet(*two)
    forget, late = store.forget, asyncio.Event()

    async def slowly(kind, key):
        if kind == "open":
            await late.wait()
        await forget(kind, key)

    store.forget = slowly
    hear = here.place.dispatcher.hear
    await hear(here.people["ann"], "/leave")
    opening = asyncio.create_task(hear(here.people["ann"], "/new tally"))
    for _ in range(100):
        await asyncio.sleep(0)
    late.set()
    await opening
    await quiet(*two)

    assert {2: "tally"} == rooms_of_tables(here) == rooms_of_tables(there)


async def test_table_of_a_node_that_dies_before_others_hear_of_it_keeps_its_room(two, quiet):
    """The dead node's claim ends before the others read the table."""
    here, there = await together(two, quiet)
    follow = there.tables.following.follow

    async def hears_nothing(_):
        return None

    there.tables.following.follow = hears_nothing
    await here.type("ann", "/new tally")
    await quiet(*two)
    there.tables.following.follow = follow
    other = there.node
    other.beats._now = partial(add, other.beats._now(), 2 * SILENCE)
    for _ in range(LOOKS):
        await other.look()
    await there.type("bob", "/new tally")
    await quiet(*two)

    assert {1: "tally", 2: "tally-2"} == rooms_of_tables(here) == rooms_of_tables(there)
