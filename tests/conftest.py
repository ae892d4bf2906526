"""PostgreSQL and nats-server for all tests, started once when needed; tests are skipped if one isn't installed."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lilygames.server.settings import local_engines

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("any machine")
"""Examples have no deadline, because their time depends on the machine."""

SLOW = 3 * 60 * 60
"""Seconds after which a slow test is ended."""

ROOM = 2**30
"""Free bytes of memory needed to keep PostgreSQL there: creating and deleting its files on a disk is slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests more time before they count as hanging."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW))


@pytest.fixture(autouse=True)
def new_tables_are_followed_at_once(monkeypatch):
    """Let each node of a cluster follow a new table at once, so that nobody has to wait for that."""
    if follow := sys.modules.get("lilygames.nodes.follow"):
        monkeypatch.setattr(follow, "MOMENT", 0.0)


@pytest.fixture
async def web_servers():
    """The web servers of a test, closed at its end."""
    servers = []
    yield servers
    for one in servers:
        await one.close(1)


@pytest.fixture
async def browser():
    """A client of web servers, without the cookies of other tests."""
    from aiohttp import ClientSession  # noqa: PLC0415 - of the extra that only the page needs

    async with ClientSession() as session:
        yield session


@pytest.fixture(scope="session")
def server() -> Iterator[local_engines.Postgres]:
    """A PostgreSQL of our own."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > ROOM
    try:
        with (
            tempfile.TemporaryDirectory(dir=memory if roomy else None) as place,
            local_engines.postgres(Path(place)) as running,
        ):
            yield running
    except local_engines.Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def emptied(server: local_engines.Postgres) -> Callable[[], str]:
    """Return a function that empties the shared database and returns its URL: creating one is slower than a test."""

    def empty() -> str:
        server.order("SET client_min_messages = error; DROP SCHEMA IF EXISTS lilygames CASCADE")
        return server.url()

    return empty


@pytest.fixture
def database(emptied: Callable[[], str]) -> str:
    """The URL of an empty database."""
    return emptied()


@pytest.fixture(scope="session")
def nats_server() -> Iterator[local_engines.Nats]:
    """A nats-server of our own."""
    try:
        with local_engines.nats() as running:
            yield running
    except local_engines.Missing as missing:
        pytest.skip(str(missing))
