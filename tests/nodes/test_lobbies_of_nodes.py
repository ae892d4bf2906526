"""Lobbies of several nodes: their people are counted for the whole place."""

from __future__ import annotations

import attrs
import pytest

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS


@pytest.fixture
async def two(quiet):
    """Two nodes. Two people fit into each lobby: ann and cat serve one, bob and dan the other."""
    store, bus, settings = MemoryStore(), LocalBus(), attrs.evolve(SETTINGS, lobby_people=2)
    nodes = [await Stage.open(TOYS, store=store, seed=seed, bus=bus, settings=settings) for seed in "ab"]
    await quiet(*nodes)
    for name, stage in zip(("ann", "bob", "cat", "dan"), nodes * 2, strict=True):
        stage.enter(name)
        await quiet(*nodes)
    for stage in nodes:
        for screen in stage.screens.values():
            screen.take()
    yield nodes
    for stage in nodes:
        await stage.place.node.end()


def lobbies(stage):
    """Return the people of each lobby."""
    return {name: {*room.people} for name, room in stage.place.host.rooms.items() if name.startswith("lobby")}


async def test_people_at_all_nodes_count(two):
    expected = {"lobby": {"ann", "bob"}, "lobby-2": {"cat", "dan"}}

    assert [expected, expected] == [*map(lobbies, two)]


async def test_talk_in_another_lobby_reaches_both_nodes(two, quiet):
    here, there = two
    await here.type("cat", "hello")
    await quiet(*two)

    assert ["", " -> From cat, to lobby-2:", " - hello"] == there.screens["dan"].take()
    assert [] == there.screens["bob"].take()


async def test_empty_lobby_closes_at_every_node(two, quiet):
    here, there = two
    here.drop("cat")
    there.drop("dan")
    await quiet(*two)

    assert [["lobby"], ["lobby"]] == [[*lobbies(stage)] for stage in two]


async def test_lobby_closes_at_other_nodes_when_its_last_person_enters_another(two, quiet):
    here, there = two
    there.drop("dan")
    await quiet(*two)
    for line in ("/join lobby", "/quit lobby-2"):
        await here.type("cat", line)
    await quiet(*two)
    here.place.node.roster.glance()
    await quiet(*two)

    assert [["lobby"], ["lobby"]] == [[*lobbies(stage)] for stage in two]


async def test_person_who_logs_in_at_another_node_with_a_seat_is_where_they_were(two, quiet):
    here, there = two
    await here.type("cat", "/new tally")
    await quiet(*two)
    here.drop("cat")
    await quiet(*two)
    there.enter("cat")
    await quiet(*two)

    assert [{"cat", "dan"}, {"cat", "dan"}] == [lobbies(stage)["lobby-2"] for stage in two]
