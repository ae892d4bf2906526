"""Records read and kept by a command at the shell, beside a server that uses the same store."""

import asyncio

import pytest

from lilygames.store import StoreUnavailable
from lilygames.store.postgres import PostgresStore
from lilygames.store.shell_access import beside
from lilygames.store.sqlite import SqliteStore


@pytest.fixture(params=["sqlite", "postgres"])
async def served(request):
    """A store that a server uses, and where it is."""
    url = request.getfixturevalue("database") if request.param == "postgres" else request.getfixturevalue("place")
    store = await PostgresStore.open(url) if request.param == "postgres" else SqliteStore.open(url)
    yield store, str(url) if request.param == "postgres" else f"sqlite:{url}"
    await store.close()


async def test_a_running_server_reads_what_was_kept_beside_it(served):
    """And the other way round; each waits for the other where both write at once."""
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


async def test_records_are_kept_while_no_server_runs(place):
    await SqliteStore.open(place).close()
    async with beside(f"sqlite:{place}") as records:
        await records.keep("claim", "ann", "a word")
    store = SqliteStore.open(place)

    assert "a word" == await store.find("claim", "ann")
    await store.close()


async def test_a_store_that_is_not_there_is_not_made(place):
    with pytest.raises(StoreUnavailable, match="There is no data file"):
        async with beside(f"sqlite:{place}"):
            pass

    assert not place.exists()
