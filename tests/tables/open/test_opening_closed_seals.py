"""Many tables with a closed seal open at once without making each other wait."""

import asyncio

from lilygames.gametest.stage import Stage
from lilygames.tables.open import opening
from tests.toys import installed


async def test_tables_that_open_at_once_compute_one_root_each(store, monkeypatch):
    made, root_of = [], opening.root_of
    monkeypatch.setattr(opening, "root_of", lambda *of, **more: made.append(of) or root_of(*of, **more))
    stage = await Stage.open(installed("lilypoker"), store=store)
    for name in ("ann", "bob", "cat", "dan"):
        stage.enter(name)
    await asyncio.gather(*[stage.type(name, "/new lilypoker") for name in stage.people])

    assert (4, 4) == (len(made), len(stage.open_tables))
