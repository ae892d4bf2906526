"""Two worlds that differ only in what is dealt: nodes tell each other the same of their tables, byte for byte."""

from __future__ import annotations

import itertools
import json
from unittest import mock

import pytest

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.nodes.conftest import settled
from tests.toys import TOYS

LINES = (
    ("ann", "/new tally first-dealer=host bob"),
    ("bob", "/sit tally"),
    ("cat", "/watch tally"),
    ("ann", "/max 3"),
    ("bob", "/bid 0"),
    ("ann", "/bid 1"),
    ("cat", "/quit tally"),
    ("bob", "/leave"),
)
"""Lines that are legal whatever the cards are."""


class RecordingBus(LocalBus):
    """A bus that keeps what nodes tell each other of tables."""

    def __init__(self):
        super().__init__()
        self.told = []

    async def publish(self, topic, hint):
        if topic.startswith("table/") or json.loads(hint).get("kind") == "open":
            self.told.append((topic, hint))
        await super().publish(topic, hint)


async def played(seed):
    """Play the same game on three nodes, with the cards of a seed; return what the nodes told of it, and the hands."""
    store, bus = MemoryStore(), RecordingBus()
    with mock.patch("lilygames.server.place.place.fresh_name", side_effect=map("node-{}".format, itertools.count(1))):
        stages = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for _ in range(3)]
    at = dict(zip(("ann", "bob", "cat"), stages, strict=True))
    for name, stage in at.items():
        stage.enter(name)
    await settled(*stages)
    for name, line in LINES:
        await at[name].type(name, line)
        await settled(*stages)
    hands = [at["ann"].table(1).table.view(seat) for seat in range(2)]
    for stage in stages:
        await stage.place.node.end()
    return bus.told, hands


@pytest.mark.parametrize("seed", ["one", "two", "three"])
async def test_bus_tells_the_same_of_a_table_whatever_is_dealt(seed):
    (told, hands), (others, other_hands) = await played("zero"), await played(seed)

    assert hands != other_hands
    assert told == others
    assert {"nodes", "table/1"} == {topic for topic, _ in told}
    assert any('"PublicRow"' in str(json.loads(hint).get("row")) for _, hint in told)
