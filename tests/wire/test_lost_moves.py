"""Moves over a line that swallows, delays and reorders: each is in the log once, and acknowledged."""

import json

import pytest

from lilygames.store.sqlite import SqliteStore
from tests.browser.servers import served
from tests.wire.lossy import Line, Program


async def logged(folder):
    """Return the moves in all logs of tables that people made."""
    store = SqliteStore.open(folder / "lilygames.db")
    found = []
    for log in await store.logs("table/", limit=1000):
        page, entries = await store.read(log), []
        while page.entries:
            entries += page.entries
            page = await store.read(log, entries[-1].seq)
        acts = [(entry.by, json.loads(entry.body).get("act", {})) for entry in entries]
        found += [act for by, act in acts if act.get("is") == "Moved" and not by.endswith("(house)")]
    await store.close()
    return found


@pytest.mark.parametrize("moves", [30, pytest.param(1000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
async def test_each_move_is_made_once(moves, tmp_path):
    async with served(tmp_path) as place:
        line = Line(place.port)
        ann = Program(await line.lay(), "Ann")
        await ann.play(moves, 7, line)
        await ann.close()
        await line.close()

    assert moves == ann.acknowledged == len(await logged(place.data))
    assert moves / 10 < ann.sent_again
