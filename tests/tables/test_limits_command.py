"""`/limits`: a sysop sees who has reached a limit, and closes someone's waiting tables."""

import attrs
import pytest

from lilygames.gametest.stage import SETTINGS, Stage
from tests.tables.test_sealing import said
from tests.toys import TALLY


@pytest.fixture
async def stage():
    """Ruth is the sysop. Bob has four tables that wait for players, and has asked for a fifth."""
    stage = await Stage.open(TALLY, settings=attrs.evolve(SETTINGS, sysops="Ruth"))
    for name in ("Ruth", "Bob", "Cat"):
        stage.enter(name)
    for _ in range(5):
        await stage.type("Bob", "/new tally")
    return stage


async def test_sysop_sees_who_has_reached_a_limit(stage):
    rows = said(await stage.type("Ruth", "/limits"))

    assert "stage: bob, tables waiting: 4 of 4" in rows
    assert "(1 refusal at this node since it started)" in rows


async def test_sysop_closes_the_waiting_tables_of_someone(stage):
    await stage.type("Cat", "/sit 2")
    rows = said(await stage.type("Ruth", "/limits close BOB"))

    assert "(closed 4 tables of BOB)" in rows
    assert {} == stage.place.tables.open
    assert [] == stage.people["Cat"].seats


async def test_game_that_has_begun_is_not_closed(stage):
    await stage.type("Cat", "/sit 2")
    await stage.type("Bob", "/at 2 start")
    await stage.type("Ruth", "/limits close Bob")

    assert [2] == [*stage.place.tables.open]


@pytest.mark.parametrize("line", ["/limits", "/limits close Bob"])
async def test_others_may_not(stage, line):
    assert "Refused: only sysops" in said(await stage.type("Cat", line))
    assert 4 == len(stage.place.tables.open)
