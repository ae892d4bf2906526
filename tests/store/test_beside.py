"""Test records that a command reads and writes while a server uses the same store."""

import asyncio

import pytest

from lilygames.store import StoreUnavailable
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.shell.shell_access import beside
from lilygames.store.sqlite.sqlite import SqliteStore


@pytest.fixture(params=["sqlite", "postgres"])
async def served(request):
    """A store that a server uses, and its address."""
    url = request.getfixturevalue("database") if request.param == "postgres" else request.getfixturevalue("place")
    store = await PostgresStore.open(url) if request.param == "postgres" else SqliteStore.open(url)
    yield store, str(url) if request.param == "postgres" else f"sqlite:{url}"
    await store.close()


async def test_running_server_and_command_read_each_others_records(served):
    """It works both ways, and writers wait for each other."""
    store, url = served
    async with beside(url) as records:
        await asyncio.gather(
            *(records.keep("claim", f"a{n}", "from the shell") for n in range(20)),
            *(store.keep("claim", f"b{n}", "from the server") for n in range(20)),
        )
        await store.forget("claim", "b0")
        await records.forget("claim", "a0")
        seen = [await records.find("claim", f"b{n}") for n in range(20)]
    shown = [await store.find("claim", f"a{n}") for n in range(20)]

    assert [None, *["from the server"] * 19] == seen
    assert [None, *["from the shell"] * 19] == shown


async def test_records_can_be_written_while_no_server_runs(place):
    await SqliteStore.open(place).close()
    async with beside(f"sqlite:{place}") as records:
        await records.keep("claim", "ann", "a word")
    store = SqliteStore.open(place)

    assert "a word" == await store.find("claim", "ann")
    await store.close()


async def test_missing_store_is_not_created(place):
    with pytest.raises(StoreUnavailable, match="There is no data file"):
        async with beside(f"sqlite:{place}"):
            pass

    assert not place.exists()
