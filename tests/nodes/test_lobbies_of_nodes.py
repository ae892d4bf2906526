"""Lobbies of several nodes: the first is everyone's, and the others have the people of one node."""

from __future__ import annotations

import attrs
import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.visits.handover_state import attach, carry, take_up
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.store.memory import MemoryStore
from tests.nodes.presence.test_distant_people import distant
from tests.toys import TOYS


@pytest.fixture
async def two(quiet):
    """Two nodes. Two people fit into each lobby: ann, cat and eve serve one, bob, dan and fay the other."""
    store, bus, settings = MemoryStore(), LocalBus(), attrs.evolve(SETTINGS, lobby_people=2, sysops="cat")
    nodes = [await Stage.open(TOYS, store=store, seed=seed, bus=bus, settings=settings) for seed in "ab"]
    for stage in nodes:
        await stage.node.look()
    await quiet(*nodes)
    for name, stage in zip(("ann", "bob", "cat", "dan", "eve", "fay"), nodes * 3, strict=True):
        stage.enter(name)
        await quiet(*nodes)
    for stage in nodes:
        for screen in stage.screens.values():
            screen.take()
    yield nodes
    for stage in nodes:
        await stage.node.end()


def lobbies(stage):
    """Return the people of each lobby."""
    return {name: {*room.people} for name, room in stage.rooms.items() if name.startswith("lobby")}


async def test_people_at_all_nodes_fill_the_first_lobby_and_then_one_of_their_own_node(two):
    expected = {"lobby": {"ann", "bob"}, "lobby-2": {"cat", "eve"}, "lobby-3": {"dan", "fay"}}

    assert [expected, expected] == [*map(lobbies, two)]


async def test_free_place_in_the_first_lobby_is_taken_at_any_node(two, quiet):
    here, there = two
    here.drop("ann")
    await quiet(*two)
    there.enter("gus")

    assert {"bob", "gus"} == lobbies(there)["lobby"]


async def test_node_opens_another_lobby_when_its_own_is_full(two, quiet):
    here, there = two
    here.enter("gus")
    there.enter("hal")
    await quiet(*two)

    assert [{"gus"}, {"hal"}] == [lobbies(stage)[name] for stage, name in zip(two, ("lobby-4", "lobby-5"), strict=True)]


async def test_free_place_in_a_lobby_of_the_own_node_is_taken(two, quiet):
    here, _ = two
    here.enter("gus")
    here.drop("cat")
    await quiet(*two)
    here.enter("hal")

    assert {"eve", "hal"} == lobbies(here)["lobby-2"]


async def test_lobby_that_people_of_another_node_have_filled_takes_no_newcomer(two, quiet):
    """Otherwise one guest would let a node hear of everyone who comes to a lobby of another node."""
    here, there = two
    here.drop("cat")
    here.drop("eve")
    for line in ("/join lobby-2", "/quit lobby-3"):
        await there.type("dan", line)
    await quiet(*two)
    here.enter("gus")

    assert ({"dan"}, {"gus"}) == (lobbies(here)["lobby-2"], lobbies(here)["lobby-4"])


async def test_node_knows_only_those_of_another_one_who_are_in_the_first_lobby(two):
    assert [{"dan", "fay"}, {"cat", "eve"}] == [*map(distant, two)]


async def test_node_that_has_restarted_fills_its_lobby_further(two, quiet):
    here, there = two
    here.drop("cat")
    kept = carry(here.host, here.people["eve"])
    after = await Stage.open(TOYS, store=MemoryStore(), settings=attrs.evolve(SETTINGS, lobby_people=2))
    for name in ("ann", "bob"):
        after.enter(name)
    attach(after.host, await take_up(after.host, kept), None)
    after.enter("gus")
    await quiet(here, there)

    assert {"eve", "gus"} == lobbies(after)["lobby-2"]


async def test_talk_in_another_lobby_reaches_both_nodes(two, quiet):
    here, there = two
    await there.type("dan", "/join lobby-2")
    await quiet(*two)
    there.screens["dan"].take()
    await here.type("cat", "hello")
    await quiet(*two)

    assert ["", " -> From cat, to lobby-2:", " - hello"] == there.screens["dan"].take()
    assert [] == there.screens["bob"].take()


async def test_empty_lobby_closes_at_every_node(two, quiet):
    here, _ = two
    here.drop("cat")
    here.drop("eve")
    await quiet(*two)

    assert [["lobby", "lobby-3"]] * 2 == [[*lobbies(stage)] for stage in two]


async def test_lobby_closes_at_other_nodes_when_its_last_person_enters_another(two, quiet):
    here, _ = two
    here.drop("eve")
    await quiet(*two)
    for line in ("/join lobby", "/quit lobby-2"):
        await here.type("cat", line)
    await quiet(*two)
    here.node.roster.glance()
    await quiet(*two)

    assert [["lobby", "lobby-3"]] * 2 == [[*lobbies(stage)] for stage in two]


async def test_person_who_logs_in_at_another_node_with_a_seat_is_where_they_were(two, quiet):
    here, there = two
    await here.type("cat", "/new tally")
    await quiet(*two)
    here.drop("cat")
    await quiet(*two)
    there.enter("cat")
    await quiet(*two)

    assert [{"cat", "eve"}, {"cat", "eve"}] == [lobbies(stage)["lobby-2"] for stage in two]


@pytest.mark.parametrize("line", ["/pa dinner", "/seek tally 2"])
async def test_line_for_everyone_reaches_people_in_lobbies_of_other_nodes(two, quiet, line):
    here, there = two
    here.people["cat"].set_guest(guest=False)
    await here.type("cat", line)
    await quiet(*two)
    read = [" ".join(there.screens[name].take()) for name in ("bob", "dan", "fay")]

    assert [True] * 3 == ["dinner" in rows or "/sit tally" in rows for rows in read]


async def test_list_of_people_has_those_in_lobbies_of_other_nodes(two):
    here, _ = two
    rows = await here.type("cat", "/who")

    assert ["ann", "bob", "cat", "dan", "eve", "fay"] == sorted(row.split()[0] for row in rows[1:-1])
