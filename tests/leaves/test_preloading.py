"""Early reads of the next process of a reload, used only for the same data file."""

import pytest

from lilygames.server.config import Settings
from lilygames.server.handover import Handover
from lilygames.server.preloading import Preloaded
from lilygames.server.serving import _state_before, preload
from lilygames.server.succession import Start
from lilygames.store.sqlite import SqliteStore


@pytest.fixture
async def file(tmp_path):
    """A data file with an account that can be read, and one that can't."""
    store = SqliteStore.open(tmp_path / "lilygames.db")
    await store.keep("account", "ann", '{"name": "Ann", "digest": "-", "guest": false, "key": "ann"}')
    await store.keep("account", "bob", "{")
    await store.close()
    return tmp_path / "lilygames.db"


def test_unreadable_and_changed_accounts_are_read_again(file):
    found = Preloaded.of(file).after([("account", "cat"), ("former", "dan")])

    assert {"ann": "Ann"} == found.accounts.names
    assert {"bob", "cat"} == found.keys_again("account")
    assert {"bob", "cat", "dan"} == found.keys_again("account", "former")


def test_file_in_the_place_of_the_one_that_was_read_is_noticed(file):
    found = Preloaded.of(file)
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
    used = [_state_before(start(preload(settings), changed), settings).preloaded for changed in ((), None)]

    assert [True, False] == [one is not None for one in used]


async def test_all_is_read_from_a_file_that_was_put_in_place_of_the_one_that_was_read(file):
    settings = Settings(data=file.parent)
    found = preload(settings)
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)

    assert _state_before(start(found, ()), settings).preloaded is None
