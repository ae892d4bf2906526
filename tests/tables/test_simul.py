"""`/simul`: one person at several tables for two."""

import pytest

from tests.tables.test_sealing import said


@pytest.fixture
async def four(stage):
    """Ann opens three tables; bob, cat and dan are there."""
    for name in ("cat", "dan"):
        stage.enter(name)
    stage.screens["dan"].take()
    await stage.type("ann", "/simul tally 3 max=3 first-dealer=host")
    return stage


async def test_everyone_is_told_and_each_table_starts_with_its_second_player(four):
    assert "ann plays Tally at 3 tables at once: /sit " in said(four.screens["dan"].rows)
    await four.type("bob", "/sit 1")
    await four.type("cat", "/sit 2")

    assert [True, True, False] == [four.table(number).table.started for number in (1, 2, 3)]


async def test_list_says_where_the_turn_is(four):
    await four.type("bob", "/sit 1")
    await four.type("cat", "/sit 2")
    await four.type("bob", "/bid 0")
    rows = await four.type("ann", "/simul")

    assert [", your turn", ", their turn", "waiting for a player"] == [
        next(end for end in (", your turn", ", their turn", "waiting for a player") if row.endswith(end))
        for row in rows
    ]
    assert "bob" in rows[0]


async def test_next_goes_round_the_tables_that_wait(four):
    for number, name in enumerate(("bob", "cat"), 1):
        await four.type(name, f"/sit {number}")
        await four.type(name, f"/at {number} bid 0")
    await four.type("ann", "/at 1 bid 0")
    assert "Your turn" in said(await four.type("ann", "/next"))
    await four.type("ann", "/bid 0")

    assert (1, 1) == four.table(2).table.moved


async def test_stop_closes_the_tables_that_nobody_joined(four):
    await four.type("bob", "/sit 1")

    assert ["(2 tables closed)"] == (await four.type("ann", "/simul stop"))[-1:]
    assert [1] == [*four.place.tables.open]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/simul tally", "a number of tables from 2 to 8"),
        ("/simul tally 9", "a number of tables from 2 to 8"),
        ("/simul tally 3 private=on", "everyone can join a simul"),
        ("/simul", "you have no tables for two"),
        ("/simul stop", "none of your tables waits"),
    ],
)
async def test_refusal_says_what_to_type_instead(stage, line, expected):
    assert expected in said(await stage.type("ann", line))
    assert {} == stage.place.tables.open


async def test_second_simul_waits_for_the_first(four):
    assert "your tables already wait for players" in said(await four.type("ann", "/simul tally 2"))
