"""Records read around damage: only what is damaged is left out, and it is reported once."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Damaged, Effect
from lilygames.store.memory import MemoryStore
from lilygames.store.sqlite import datafile
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.zeroed import zero_page_of

ROWS = {f"{number:04}": f"body {number}" * 10 for number in range(400)}


class TornStore(MemoryStore):
    """A store in which some records of a kind can't be read, nor what is read together with them."""

    def __init__(self, kind, torn):
        super().__init__()
        self._kind, self._torn = kind, torn

    async def every(self, kind, first="", limit=None):
        page = await super().every(kind, first, limit)
        if kind == self._kind and self._torn & page.keys():
            raise Damaged("it is damaged")
        return page


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(datafile, "AT_ONCE", 0)
    return tmp_path / "lilygames.db"


async def filled(place):
    store = SqliteStore.open(place)
    records = [Effect(kind, key, body) for kind in ("before", "kind", "later") for key, body in ROWS.items()]
    await store.append("log", None, (), cmd="1", effects=records)
    await store.close()


@pytest.mark.parametrize("number", [0, 20, 200, 399])
async def test_zeroed_page_costs_only_the_records_on_it(place, number):
    await filled(place)
    zero_page_of(place, f"kind{number:04}body".encode())
    store, unreadable = SqliteStore.open(place), UnreadableRows()
    with capture_logs() as logged:
        found = await readable(store, "kind", unreadable)
        await readable(store, "kind", unreadable)
    await store.close()

    assert f"{number:04}" not in found
    assert len(found) > 320
    assert all(body == ROWS[key] for key, body in found.items())
    assert [("a part of the store is damaged, and its rows are left out", "kind")] == [
        (one["event"], one["kind"]) for one in logged
    ]
    assert "restore a backup" in logged[0]["why"]


async def test_other_kinds_are_read_as_always(place):
    await filled(place)
    zero_page_of(place, b"kind0200body")
    store, unreadable = SqliteStore.open(place), UnreadableRows()

    assert ROWS == await readable(store, "before", unreadable) == await readable(store, "later", unreadable)
    assert 0 == len(unreadable)
    await store.close()


@given(st.frozensets(st.text("ab~é", max_size=4), max_size=20), st.frozensets(st.integers(0, 19), max_size=3))
def test_every_sound_record_before_the_damage_is_returned_and_no_torn_one(keys, numbers):
    ordered = sorted(keys)
    torn = {ordered[number] for number in numbers if number < len(ordered)}
    store = TornStore("kind", torn)

    async def found():
        for key in keys:
            await store.keep("kind", key, "body")
        return {*await readable(store, "kind", UnreadableRows())}

    kept = asyncio.run(found())
    assert not kept & torn
    assert kept <= keys
    assert {key for key in keys if not torn or key < min(torn)} <= kept
