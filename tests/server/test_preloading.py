"""Early reads of the next process of a reload, used only for the same data file."""

import asyncio

import attrs
import pytest

from lilygames.bus.nats import NatsBus
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.nodes.hints.invalidation import EVERYBODY, HintingStore
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.server.place import preloading
from lilygames.server.place.place import Before, furnish
from lilygames.server.place.preloading import Preloaded, file_at
from lilygames.server.reload.handover import Handover
from lilygames.server.reload.succession import Start
from lilygames.server.serving.serving import _state_before, preload
from lilygames.server.settings.config import Settings
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.record_changes import RecordChanges
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.toys import TALLY


@pytest.fixture
async def file(tmp_path):
    """A data file with an account that can be read, and one that can't."""
    store = SqliteStore.open(tmp_path / "lilygames.db")
    await store.keep("account", "ann", '{"name": "Ann", "digest": "-", "guest": false, "key": "ann"}')
    await store.keep("account", "bob", "{")
    await store.close()
    return tmp_path / "lilygames.db"


async def test_unreadable_and_changed_accounts_are_read_again(file):
    found = (await Preloaded.of(file)).after([("account", "cat"), ("former", "dan")])

    assert {"ann": "Ann"} == found.accounts.names
    assert {"bob", "cat"} == found.keys_again("account")
    assert {"bob", "cat", "dan"} == found.keys_again("account", "former")


def start(preloaded, changed):
    return Start(Handover({}, (), (), changed=changed), preloaded=preloaded)


async def used(file, preloaded, changed=()):
    """Whether the data that was read is used."""
    return (await _state_before(start(preloaded, changed), file_at(file))).preloaded is not None


async def test_file_in_the_place_of_the_one_that_was_read_is_noticed(file):
    found = await asyncio.to_thread(preload, Settings(data=file.parent))
    before = await used(file, found)
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    file.unlink()
    gone = await used(file, found)
    copy.rename(file)

    assert (True, False, False) == (before, gone, await used(file, found))


@pytest.fixture
def changes():
    """A store that notes what is written."""
    return RecordChanges(MemoryStore(), preloading.KINDS)


@pytest.fixture
async def writer(changes):
    """A place that uses it: ann's room, her game with bob, and cat's table, which waits for players."""
    stage = await Stage.open(TALLY, store=changes)
    for name in ("ann", "bob", "cat", "dan"):
        stage.enter(name)
        await stage.create_account(name, "correct horse")
    for name, line in (
        ("ann", "/create cafe Coffee"),
        ("ann", "/new tally"),
        ("bob", "/sit 1"),
        ("ann", "/start"),
        ("cat", "/new tally max=3"),
    ):
        await stage.type(name, line)
    return stage


CHANGES = {
    "nothing": (),
    "title": ("ann", "/retitle cafe Tea"),
    "room's name": ("ann", "/drename cafe bar"),
    "members": ("ann", "/permit cafe dan"),
    "room": ("bob", "/create club Club"),
    "room is closed": ("ann", "/destroy cafe"),
    "seat": ("dan", "/sit 2"),
    "table": ("dan", "/new tally max=4"),
    "table is closed": ("cat", "/leave"),
}


async def known(store, preloaded=None):
    """The rooms and tables that a start knows."""
    before = Before({}, preloaded=preloaded)
    place = await furnish(store, SETTINGS, TALLY, before=before, at_once=False)
    made = {key: await store.find("discussion", key) for key in await store.every("discussion")}
    rooms = {
        room.name: (room.title, room.former, room.charter) for room in place.host.rooms.values() if room.key in made
    }
    headers = {header.number: (header, header.people) for header in place.tables.unrestored.headers}
    return rooms, headers, sorted(place.host.rooms)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
async def test_rooms_and_tables_that_are_read_early_are_as_they_are_stored_later(changes, writer, change):
    changes.begin()
    found = await Preloaded.read(changes)
    for name, line in [change] if change else ():
        await writer.type(name, line)
    await writer.quiet()

    assert await known(changes) == await known(changes, found.after(changes.changed))


@pytest.mark.parametrize("change", ["title", "room's name", "members", "room", "room is closed", "seat"])
async def test_change_is_missed_if_it_is_not_noted(changes, writer, change):
    """The test above would notice it."""
    found = await Preloaded.read(changes)
    await writer.type(*CHANGES[change])
    await writer.quiet()

    assert await known(changes) != await known(changes, found)


@pytest.fixture
async def nodes(database, nats_server):
    """A store of a node, and settings of another one that is about to start."""
    store = await PostgresStore.open(database)
    await store.keep("account", "ann", '{"name": "Ann", "digest": "-", "guest": false, "key": "ann"}')
    yield store, Settings(store=database, bus=nats_server.url)
    await store.close()


@pytest.mark.parametrize(
    ("change", "again"),
    [(None, set()), (("account", "bob"), {("account", "bob")}), (("motd", ""), set()), (("deleted", "1"), None)],
    ids=["nothing", "an account", "nothing that was read", "a deletion"],
)
async def test_database_is_read_again_where_other_nodes_have_changed_it(nodes, nats_server, change, again):
    store, settings = nodes
    found = await asyncio.to_thread(preload, settings)
    bus = await NatsBus.open(nats_server.url)
    hints = bus.subscribe(EVERYBODY)
    await anext(hints)  # it is connected
    if change:
        await HintingStore(store, bus, Beats(store, "other")).keep(*change, "{}")
        await anext(hints)
    then = await found.still(store.tables, ())
    await bus.close()

    assert {"ann": "Ann"} == found.accounts.names
    assert again == (then and {*then.again})


async def test_another_database_is_read_as_a_whole(nodes):
    store, settings = nodes
    found = await asyncio.to_thread(preload, settings)

    assert await found.still(attrs.evolve(store.tables, table=1), ()) is None


async def test_database_is_read_later_if_its_bus_is_away(nodes, monkeypatch):
    monkeypatch.setattr("lilygames.nodes.hints.early_hints.PATIENCE", 0.1)
    _, settings = nodes

    assert await asyncio.to_thread(preload, attrs.evolve(settings, bus="nats://127.0.0.1:1")) is None


async def test_rooms_and_tables_of_a_database_are_read_early(database):
    store = await PostgresStore.open(database)
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
        await stage.create_account(name, "correct horse")
    await stage.type("ann", "/create cafe Coffee")
    await stage.type("ann", "/new tally")
    await stage.quiet()
    found = await Preloaded.of_database(database, None)

    assert await known(store) == await known(store, found)
    assert ({1}, {"cafe"}) == ({*found.headers.headers}, {*found.rooms})
    await store.close()
