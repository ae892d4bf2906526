"""Whole games on three nodes in a world where everything goes wrong that may: all nodes fold to the same table."""

from __future__ import annotations

import asyncio

import pytest

from lilygames import codec
from lilygames.tables.log import Body, Moved
from tests.nodes.simulated import World, run
from tests.toys import TOYS

NAMES = sorted(TOYS)


async def _played(game: str, seed: int) -> None:
    world = World(game, seed, ("ann", "bob", "cat"))
    await world.begin()
    await world.play(seconds=900, fault=0.03)
    world.bus.lies_dead = False
    await asyncio.sleep(20)
    tables, seqs = world.tables(), [entry.seq for entry in await world.entries()]

    assert all(table == tables[0] for table in tables), f"seed {seed}: nodes disagree"
    assert [*range(1, len(seqs) + 1)] == seqs


@pytest.mark.parametrize("game", NAMES)
def test_all_nodes_come_to_the_same_table(game):
    """A seed reproduces a world: hints lost, doubled, late and out of order, answers lost, nodes dead."""
    for seed in range(2):
        run(_played(game, seed))


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_all_nodes_come_to_the_same_table_in_a_thousand_worlds(game):
    """The same for as many seeds as one has the patience for."""
    for seed in range(2, 1002):
        run(_played(game, seed))


@pytest.mark.parametrize("game", NAMES)
def test_a_world_is_reproduced_by_its_seed(game):
    """What happened once happens again: the logs are the same to the letter."""
    logs: list[list[str]] = []

    async def world_of(seed: int) -> None:
        world = World(game, seed, ("ann", "bob"))
        await world.begin()
        await world.play(seconds=30, fault=0.05)
        logs.append([entry.body for entry in await world.entries()])

    run(world_of(7))
    run(world_of(7))

    assert logs[0] == logs[1]
    assert any(isinstance(codec.from_text(body, Body).act, Moved) for body in logs[0])
