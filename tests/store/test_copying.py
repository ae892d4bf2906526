"""Test copies from engine to engine: exact, a snapshot of one moment, complete or absent."""

import asyncio
from base64 import b64decode

import asyncpg
import pytest

from lilygames.store import Effect, StoreUnavailable
from lilygames.store.postgres.pack_table import PackTable
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.postgres.tables import FIRST, NEWEST
from lilygames.store.shell.copying import copy, filling, reading
from lilygames.store.sqlite.sqlite import SqliteStore


@pytest.fixture
def carry():
    """Copy from one address to another, and return how many rows were written and read again."""

    async def carried(source, target, *, alone=False):
        done = []
        async with reading(source, alone=alone) as old, filling(target) as new:
            await copy(old, new, done.append)
        return sum(done)

    return carried


@pytest.fixture
def fill(drafts):
    """Write one of everything to a store."""

    async def filled(store):
        for n in range(30):
            effects = [Effect("due", str(n), "{}")]
            await store.append(f"table/{n % 3}", None, drafts("a", "\0 ä"), cmd=str(n), effects=effects)
        await store.keep("person", "wham\0my", "plum")

    return filled


@pytest.fixture(params=["sqlite", "postgres"])
async def running(request):
    """A store that a server uses, and its address."""
    if request.param == "sqlite":
        place = request.getfixturevalue("place")
        url, store = f"sqlite:{place}", SqliteStore.open(place)
    else:
        url = request.getfixturevalue("database")
        store = await PostgresStore.open(url)
    yield store, url
    await store.close()


@pytest.fixture
async def kept(tmp_path, fill):
    """A data file with one of everything, which no server uses."""
    store = SqliteStore.open(tmp_path / "kept.db")
    await fill(store)
    await store.close()
    return f"sqlite:{tmp_path}/kept.db"


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request, tmp_path):
    """The address of an empty store."""
    return request.getfixturevalue("database") if request.param == "postgres" else f"sqlite:{tmp_path}/empty.db"


async def everything(store):
    pages = {f"table/{n}": (await store.read(f"table/{n}")).entries for n in range(3)}
    return pages, await store.every("due"), await store.every("person")


async def test_file_database_and_backup_are_equal_after_copying(kept, database, tmp_path, carry):
    """Copy there and back: positions, times, commands and zero bytes stay the same."""
    assert 182 == await carry(kept, database)
    assert 182 == await carry(database, f"sqlite:{tmp_path}/back.db")

    stores = [SqliteStore.open(tmp_path / name) for name in ("kept.db", "back.db")]
    stores.append(await PostgresStore.open(database))
    before, *after = [await everything(store) for store in stores]
    assert [before] * 2 == after
    assert [before[0]["table/0"][:2]] * 3 == [await store.append("table/0", 0, [], cmd="0") for store in stores]
    for store in stores:
        await store.close()


async def test_backup_is_a_snapshot_while_the_server_writes(running, tmp_path, carry, drafts):
    """Each entry comes with a record of how many there are; in the backup they agree."""
    store, url = running
    done = asyncio.Event()

    async def play():
        head = 0
        while not done.is_set():
            await store.append("log", head, drafts("a"), cmd=str(head), effects=[Effect("head", "log", str(head + 1))])
            head += 1

    await store.append("other", 0, drafts("a"), cmd="1", effects=[Effect("head", "log", "0")])
    playing = asyncio.create_task(play())
    for n in range(5):
        await asyncio.sleep(0.02)
        await carry(url, f"sqlite:{tmp_path}/{n}.db")
    done.set()
    await playing

    for n in range(5):
        copied = SqliteStore.open(tmp_path / f"{n}.db")
        assert str((await copied.heads(["log"]))["log"]) == await copied.find("head", "log")
        await copied.close()


async def test_move_is_refused_while_a_server_uses_the_store(running, tmp_path, carry, drafts):
    """Anything written meanwhile would be lost."""
    store, url = running
    await store.append("log", 0, drafts("a"), cmd="1")

    with pytest.raises(StoreUnavailable, match=r"server is using .*: stop it first"):
        await carry(url, f"sqlite:{tmp_path}/new.db", alone=True)


async def test_copy_is_refused_if_the_target_is_not_empty(kept, database, carry):
    await carry(kept, database)

    with pytest.raises(StoreUnavailable, match="is not empty: make another database with createdb"):
        await carry(kept, database)
    with pytest.raises(StoreUnavailable, match="already exists: name another file, or move it away"):
        await carry(database, kept)


async def test_interrupted_copy_leaves_nothing(kept, empty, carry):
    def stop(_):
        raise KeyError

    with pytest.raises(KeyError):
        async with reading(kept, alone=True) as old, filling(empty) as new:
            await copy(old, new, stop)

    assert 182 == await carry(kept, empty)


async def test_copy_is_deleted_if_it_differs(kept, empty, carry):
    """Each row is read again; this engine loses the first."""

    async def forgetful():
        async with reading(kept, alone=True) as old, filling(empty) as new:
            put = new.put
            new.put = lambda table, rows: put(table, rows[1:])
            await copy(old, new, lambda _: None)

    with pytest.raises(StoreUnavailable, match="The copy differs from the original, so it was deleted"):
        await forgetful()

    assert 182 == await carry(kept, empty)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("redis://x", "isn't a store: use sqlite:"),
        ("lily.db", "isn't a store"),
        ("sqlite:/nowhere/x.db", r"There is no file .*: name the file to copy"),
    ],
)
async def test_copy_is_refused_if_the_address_is_wrong(source, words, tmp_path, carry):
    with pytest.raises(StoreUnavailable, match=words):
        await carry(source, f"sqlite:{tmp_path}/new.db")


async def test_copy_is_refused_if_the_database_has_no_lilygames_data(database, tmp_path, carry):
    with pytest.raises(StoreUnavailable, match="has no lilygames data: name another database"):
        await carry(database, f"sqlite:{tmp_path}/new.db")


@pytest.mark.parametrize("version", [FIRST - 1, NEWEST + 1])
async def test_copy_is_refused_if_another_version_wrote_the_database(postgres, database, tmp_path, carry, version):
    connection = await asyncpg.connect(database)
    await connection.execute(f"UPDATE lilygames.version SET number = {version}")
    await connection.close()

    with pytest.raises(StoreUnavailable, match=r"is older than release 0\.2|was written by a newer"):
        await carry(database, f"sqlite:{tmp_path}/new.db")


async def test_packs_of_a_database_are_copied_as_records(postgres, database, tmp_path, carry, fill):
    """Also one that is still a record there."""
    await fill(postgres)
    packs = PackTable(postgres)
    await packs.keep({number: bytes(range(256)) * number for number in (2, 10, 300)})
    await postgres.keep("packed", "7", "AAAA")
    assert 95 * 2 == await carry(database, f"sqlite:{tmp_path}/copy.db")

    copied = SqliteStore.open(tmp_path / "copy.db")
    found = await copied.every("packed")
    assert await everything(postgres) == await everything(copied)
    assert {"2", "7", "10", "300"} == found.keys()
    assert bytes(range(256)) * 300 == b64decode(found["300"])
    assert "AAAA" == found["7"]
    await copied.close()
