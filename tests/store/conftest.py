"""Fixtures for each engine; `store` runs a test with all of them."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Announced
from lilygames.chat.talk.history import History, of_person
from lilygames.store import Draft, Store
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.sqlite.sqlite import SqliteStore

MESSAGES = 30
"""Private messages that some people send to each other at once."""


async def tell_each_other(history: History) -> None:
    """Store private messages between three people, and check that each reads theirs in order."""
    people = "ann", "bob", "cyd"
    sent = [
        ChatEvent("private", by, to=(people[(number + 1 + number % 2) % 3],), text=f"message {number}", at=1e9 + number)
        for number, by in enumerate(people * (MESSAGES // 3))
    ]
    for event in sent:
        history.observe(Announced(event, (), ()))
    await history.finish()
    for name in people:
        assert [one for one in sent if name in (one.by, *one.to)] == await history.latest(
            of_person(name), 0.0, MESSAGES
        )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The path of a test's data file."""
    return tmp_path / "data" / "lily.db"


@pytest.fixture
async def sqlite(place: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(place)
    yield store
    await store.close()


@pytest.fixture
async def postgres(database: str) -> AsyncIterator[PostgresStore]:
    store = await PostgresStore.open(database)
    yield store
    await store.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    match request.param:
        case "memory":
            yield MemoryStore()
        case "sqlite":
            yield (sqlite := SqliteStore.open(request.getfixturevalue("place")))
            await sqlite.close()
        case "postgres":
            yield (postgres := await PostgresStore.open(request.getfixturevalue("database")))
            await postgres.close()


@pytest.fixture
def opened():
    """Open the SQLite store at a path while an `async with` lasts."""

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


@pytest.fixture
def killed_while_appending():
    """Let a process append, kill it after enough acknowledged entries, and return those."""

    def killed(place, enough):
        command = [sys.executable, str(Path(__file__).with_name("acknowledger.py")), str(place)]
        environment = os.environ | {
            "PYTHONPATH": ":".join(map(str, (root := Path(__file__).parents[2], root / "rules")))
        }
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            lines = [process.stdout.readline() for _ in range(enough)]
            process.kill()
            lines += process.stdout.read().splitlines(keepends=True)
        return [line.split() for line in lines if line.endswith("\n")]

    return killed
