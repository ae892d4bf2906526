"""Fixtures: several nodes in one process, with one store and one bus."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from unittest import mock

import pytest

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import Stage
from lilygames.nodes import room_talk
from lilygames.nodes.room_talk import RoomTalk
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS


async def settled(*stages: Stage) -> None:
    """Return when no node has anything left to announce."""
    for _ in range(40):
        await asyncio.sleep(0)
        for stage in stages:
            await stage.quiet()
            if node := stage.node:
                await node.roster.finish()
                while is_behind(node.room_talk):  # noqa: ASYNC110 - no event says so
                    await asyncio.sleep(0.001)


def is_behind(talk: RoomTalk) -> bool:
    """Return whether messages wait for their place, or are being read from the store."""
    return bool(talk._held or talk._filling)


def rooms_of_tables(stage: Stage) -> dict[int, str]:
    """Return the rooms of all open tables as a node knows them, by number, also of those that it doesn't follow."""
    tables = stage.tables
    elsewhere = {row.number: tables.remote.room_of(row.number).name for row in tables.remote}
    return {number: bot.room.name for number, bot in tables.open.items()} | elsewhere


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read from the store at once what a hint hasn't brought."""
    monkeypatch.setattr(room_talk, "PATIENCE", 0.0)


@pytest.fixture(autouse=True)
def _names_in_order() -> Iterator[None]:
    """Name nodes in the order in which they start, as that decides who opens which lobby."""
    with mock.patch("lilygames.server.place.place.fresh_name", side_effect=map("node{:03}".format, itertools.count(1))):
        yield


@pytest.fixture
def store() -> MemoryStore:
    """The store that the nodes share."""
    return MemoryStore()


@pytest.fixture
async def two(store: MemoryStore) -> AsyncIterator[tuple[Stage, Stage]]:
    """Two nodes that know each other."""
    bus = LocalBus()
    one, other = [await Stage.open(TOYS, store=store, seed=seed, bus=bus) for seed in "ab"]
    await settled(one, other)
    yield one, other
    for stage in (one, other):
        assert stage.node
        await stage.node.end()


@pytest.fixture
def quiet() -> Callable[..., Awaitable[None]]:
    """Wait until nothing is left to announce."""
    return settled
