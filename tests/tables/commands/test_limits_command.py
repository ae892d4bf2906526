"""`/limits`: a sysop sees who has reached a limit, and closes someone's waiting tables."""

import attrs
import pytest

from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.limits.quota import INVITATION
from tests.tables.room.test_sealing import said
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


async def test_sysop_sees_who_has_used_up_a_rate_by_subnet(stage):
    """Cat has sent invitations, and someone at an address has guessed passwords."""
    host = stage.host
    for _ in range(7):
        host.login_attempts.wrong("192.0.2.7", "Bob")
    for _ in range(20):
        host.quotas.uses.count(INVITATION, host.quotas.who(host.people["cat"]), host.now())
    rows = said(await stage.type("Ruth", "/limits"))

    assert "192.0.2.0/24: 192.0.2.7, wrong_passwords: again in 2 seconds" in rows
    assert "cat, invitation: again in 60 seconds" in rows


async def test_sysop_sees_addresses_and_subnets_at_a_limit(stage):
    """Five accounts at one address have 24 tables waiting: four each, and the last none more."""
    for number in range(6):
        stage.enter(f"Guy{number}").address = "192.0.2.7"
        for _ in range(4):
            await stage.type(f"Guy{number}", "/new tally")
    stage.enter("Guy6").address = "192.0.2.7"
    refused = said(await stage.type("Guy6", "/new tally"))
    rows = said(await stage.type("Ruth", "/limits"))

    assert "24 tables from your address are waiting for players" in refused
    assert "192.0.2.0/24: 192.0.2.7, tables waiting: 24 of 24" in rows


async def test_sysop_sees_owners_and_addresses_with_as_many_rooms_as_they_may_have(stage):
    for name in ("Dan", "Eve", "Fay", "Guy"):
        stage.enter(name).address = "192.0.2.7"
        for number in range(3):
            await stage.type(name, f"/create {name}{number}")
    rows = said(await stage.type("Ruth", "/limits"))

    assert "192.0.2.0/24: 192.0.2.7, rooms: 12 of 12" in rows
    assert "-: dan, rooms: 3 of 3" in rows


async def test_sysop_closes_the_waiting_tables_of_someone(stage):
    await stage.type("Cat", "/sit 2")
    rows = said(await stage.type("Ruth", "/limits close BOB"))

    assert "(closed 4 tables of BOB)" in rows
    assert {} == stage.open_tables
    assert [] == stage.people["Cat"].seats


async def test_game_that_has_begun_is_not_closed(stage):
    await stage.type("Cat", "/sit 2")
    await stage.type("Bob", "/at 2 start")
    await stage.type("Ruth", "/limits close Bob")

    assert [2] == [*stage.open_tables]


@pytest.mark.parametrize("line", ["/limits", "/limits close Bob"])
async def test_others_may_not(stage, line):
    assert "Refused: only sysops" in said(await stage.type("Cat", line))
    assert 4 == len(stage.open_tables)
