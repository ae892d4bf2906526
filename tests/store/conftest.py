"""The engines under test, each as a fixture; `store` is every one of them in turn."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lilygames.store import Draft, Store
from lilygames.store.memory import MemoryStore
from lilygames.store.sqlite import SqliteStore


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the data file of a test lies."""
    return tmp_path / "data" / "lily.db"


@pytest.fixture
async def sqlite(place: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(place)
    yield store
    await store.close()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest) -> Store:
    return MemoryStore() if request.param == "memory" else request.getfixturevalue("sqlite")


@pytest.fixture
def opened():
    """Open the SQLite store at a place for as long as a `async with` lasts."""

    @asynccontextmanager
    async def open_at(place: Path) -> AsyncIterator[SqliteStore]:
        store = SqliteStore.open(place)
        yield store
        await store.close()

    return open_at


@pytest.fixture
def drafts():
    """Return drafts by whammy with the given bodies."""
    return lambda *bodies: [Draft("whammy", body) for body in bodies]
