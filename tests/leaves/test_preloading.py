"""Early reads of the next process of a reload, used only for the same data file."""

import asyncio

import pytest

from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server import preloading
from lilygames.server.config import Settings
from lilygames.server.handover import Handover
from lilygames.server.place import Before, furnish
from lilygames.server.preloading import Preloaded
from lilygames.server.serving import _state_before, preload
from lilygames.server.succession import Start
from lilygames.store.memory import MemoryStore
from lilygames.store.record_changes import RecordChanges
from lilygames.store.sqlite import SqliteStore
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


async def test_file_in_the_place_of_the_one_that_was_read_is_noticed(file):
    found = await Preloaded.of(file)
    before = found.is_of(file)
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    file.unlink()
    gone = found.is_of(file)
    copy.rename(file)

    assert (True, False, False) == (before, gone, found.is_of(file))


def start(preloaded, changed):
    return Start(Handover({}, (), (), changed=changed), preloaded=preloaded)


async def test_all_is_read_after_a_release_that_did_not_note_changes(file):
    settings = Settings(data=file.parent)
    found = await asyncio.to_thread(preload, settings)
    used = [_state_before(start(found, changed), settings).preloaded for changed in ((), None)]

    assert [True, False] == [one is not None for one in used]


async def test_all_is_read_from_a_file_that_was_put_in_place_of_the_one_that_was_read(file):
    settings = Settings(data=file.parent)
    found = await asyncio.to_thread(preload, settings)
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)

    assert _state_before(start(found, ()), settings).preloaded is None


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
        await stage.place.host.accounts.create(name, "correct horse", guest=False)
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
