"""Test whole games on three simulated nodes with all kinds of failures: all nodes end with the same table."""

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
def test_all_nodes_end_with_the_same_table(game):
    """A seed reproduces the hints lost, repeated, late or reordered, the answers lost and the nodes killed."""
    for seed in range(2):
        run(_played(game, seed))


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_all_nodes_end_with_the_same_table_for_a_thousand_seeds(game):
    """The same for many more seeds."""
    for seed in range(2, 1002):
        run(_played(game, seed))


@pytest.mark.parametrize("game", NAMES)
def test_simulation_is_reproduced_by_its_seed(game):
    """The same seed gives exactly the same logs."""
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
