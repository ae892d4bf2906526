"""`/simul`: one person at several tables for two."""

import pytest

from lilygames.gametest.stage import Stage
from tests.holding import hold
from tests.tables.room.test_sealing import said


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
    assert [1] == [*four.open_tables]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/simul tally", "a number of tables from 2 to 8"),
        ("/simul tally 9", "a number of tables from 2 to 8"),
        ("/simul tally 3 private=on", "everyone can join a simul"),
        ("/simul", "you have no simul"),
        ("/simul stop", "none of your tables waits"),
    ],
)
async def test_refusal_says_what_to_type_instead(stage, line, expected):
    assert expected in said(await stage.type("ann", line))
    assert {} == stage.open_tables


async def test_second_simul_waits_for_the_first(four):
    assert "your tables already wait for players" in said(await four.type("ann", "/simul tally 2"))


@pytest.fixture
async def two_games(four, finish):
    """Ann's simul with bob and cat, at tables 1 and 2; table 3 was closed."""
    await four.type("bob", "/sit 1")
    await four.type("cat", "/sit 2")
    await four.type("ann", "/simul stop")
    return four


async def test_totals_are_shown_after_the_last_game(two_games, finish):
    await finish(1)
    assert "Your simul is over" not in said(two_games.screens["ann"].rows)
    rows = await two_games.type("ann", "/simul")
    assert ["#1 with bob: won,", "#2 tally-2: cat, "] == sorted(row[: len("#2 tally-2: cat, ")] for row in rows)
    await two_games.type("ann", "/at 2 resign yes")

    rows = two_games.screens["ann"].rows
    assert "Your simul is over: you won 1 game and lost 1 game." in said(rows)
    assert "#2 with cat: lost, 0 to 1" in said(rows)
    assert 1 == said(rows).count("Your simul is over")
    assert said(rows).index("Game over: ") < said(rows).index("Your simul is over")
    assert "Your simul is over: you won 1 game and lost 1 game." in said(await two_games.type("ann", "/simul"))


async def test_totals_are_shown_when_the_last_open_table_is_closed(four, finish):
    await four.type("bob", "/sit 1")
    await finish(1)
    rows = said(await four.type("ann", "/simul stop"))

    assert "(2 tables closed)" in rows
    assert "Your simul is over: you " in rows


async def test_game_without_a_result_counts_for_nobody(two_games, finish):
    await finish(1)
    await two_games.type("ann", "/at 2 abort")
    await two_games.type("cat", "/at 2 abort")

    assert "#2 with cat: no result" in said(two_games.screens["ann"].rows)


async def test_second_simul_has_totals_of_its_own(two_games, finish, monkeypatch):
    await finish(1)
    await finish(2)
    later = two_games.host.now() + 60
    monkeypatch.setattr(two_games.host, "clock", lambda: later)
    await two_games.type("ann", "/simul tally 2 max=3")
    assert "with bob" not in said(await two_games.type("ann", "/simul"))
    await two_games.type("bob", "/sit 4")
    await finish(4)

    assert [4] == [game.table for game in (await two_games.tables.simuls.of("ann")).games]


async def test_table_that_ends_again_is_added_once(two_games, finish):
    await finish(1)
    before = await two_games.tables.simuls.of("ann")
    table, _ = await two_games.tables.finished.replayed(1)
    await two_games.tables.simuls.finished(table)

    assert before == await two_games.tables.simuls.of("ann")


async def test_simul_is_not_over_while_one_of_its_tables_waits_to_come_back(two_games, store, monkeypatch, tally):
    after = await Stage.open(tally, store=store, at_once=False)
    let_go = hold(monkeypatch, store, 2)
    for name in ("ann", "bob", "cat"):
        after.enter(name)
    await after.tables.unrestored.ready_for("bob")
    await after.type("bob", "/resign yes")
    assert [1] == [game.table for game in (await after.tables.simuls.of("ann")).games]
    assert "Your simul is over" not in said(after.screens["ann"].rows)

    let_go.set()
    await after.type("ann", "/join tally-2")
    await after.type("cat", "/at 2 resign yes")
    assert "Your simul is over: you won 2 games." in said(after.screens["ann"].rows)
