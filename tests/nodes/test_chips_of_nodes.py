"""Test that chips are at one table only, although a node follows only the tables of its own people."""

from __future__ import annotations

import pytest

from lilygames.bus.local import LocalBus
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.open import remote_tables
from tests.games.lilypoker.test_chips import POKER, held, over_the_hand
from tests.nodes.test_interest import all_look, folding


@pytest.fixture
async def three(store, monkeypatch):
    """Three nodes; ann is at the first one, bob and cat are at the second one, where they play for chips at table 1."""
    monkeypatch.setattr(remote_tables, "KEPT", 0.0)
    bus = LocalBus()
    stages = [await Stage.open(games(), store=store, seed=seed, bus=bus) for seed in "abc"]
    one, other, _ = stages
    one.enter("ann")
    for name in ("bob", "cat"):
        other.enter(name)
    await all_look(*stages)
    await other.type("bob", "/new lilypoker")
    await other.type("cat", "/sit 1")
    await other.type("bob", "/start")
    await all_look(*stages)
    yield stages
    for stage in stages:
        await stage.node.end()


async def staked(stage, name):
    return await stage.tables.stakes.staked(POKER["lilypoker"], name)


async def test_game_for_chips_is_followed_by_its_players_node_alone(three):
    assert [set(), {1}, set()] == folding(*three)


async def test_every_node_knows_what_someone_has_staked_elsewhere(three):
    assert [100, 100, 100] == [await staked(stage, "bob") for stage in three]
    assert [0, 0, 0] == [await staked(stage, "ann") for stage in three]


async def test_chips_at_a_table_are_not_brought_to_one_of_another_node(three):
    """The other node deals there and doesn't follow the first table."""
    one, other, _ = three
    await other.tables.purses.change(POKER["lilypoker"], "bob", -850, "a bad month")
    await one.type("ann", "/new lilypoker")
    await all_look(*three)
    await other.type("bob", "/sit 2")
    await all_look(*three)
    before = folding(one)
    await one.type("ann", "/start")
    await all_look(*three)

    assert [{2}] == before
    assert (100, 50) == one.table(2).table.purses
    assert one.table(2).table == other.table(2).table


async def test_chips_of_a_player_who_has_left_are_booked_once_and_not_staked_anywhere(three, store):
    one, other, third = three
    other.enter("dan")
    await other.type("dan", "/sit 1")
    bot = other.table(1)
    await other.type("bob", "/leave")
    await over_the_hand(other, bot)
    await all_look(*three)
    change = bot.table.game.purse.changes(bot.table.view(None))[0]
    now = [await staked(stage, "bob") for stage in three]

    assert [0, 0, 0] == now
    assert [1000 + change] * 3 == [await held(stage, "bob") for stage in three]
    assert 1 == len((await store.read("purse/lilypoker/bob")).entries)
    assert "bob" in one.tables.remote.rows[1].staked
    assert not any("Your result" in row for row in third.screens.get("bob", other.screens["cat"]).take())


async def test_someone_at_another_node_joins_a_running_game_for_chips(three):
    *_, third = three
    screen = third.enter("dan")
    offered = screen.take()
    await third.type("dan", "/quick lilypoker")
    await all_look(*three)

    assert any("bob" in row and "cat" in row for row in offered)
    assert third.table(1).keeps_seat("dan")
    assert [set(), {1}, {1}] == folding(*three)


async def test_running_game_for_chips_is_not_listed_as_looking_for_players(three):
    one, *_ = three
    rows = await one.type("ann", "/seeks")

    assert not any("#1" in row for row in rows)
    assert any("bob" in row for row in await one.type("ann", "/quick"))


async def test_game_for_chips_that_waits_is_followed_by_its_players_node_alone(three):
    one, *_ = three
    await one.type("ann", "/new lilypoker")
    await all_look(*three)

    assert [{2}, {1}, set()] == folding(*three)
