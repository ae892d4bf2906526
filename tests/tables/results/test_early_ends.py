"""`/abort`, `/tie` and `/resign`: a game ends early, by agreement or because one of two gives up."""

import pytest

from lilygames.gametest.stage import Stage
from tests.tables.room.test_sealing import said
from tests.toys import installed


async def results(stage):
    return {name: await stage.tables.results.played(name) for name in ("ann", "bob")}


async def moved_all(stage, table):
    """Let both bid."""
    for name in ("bob", "ann"):
        await stage.type(name, "/bid 0")


async def test_game_ends_without_a_result_once_everyone_agrees(stage, table):
    asked = said(await stage.type("ann", "/abort"))
    assert "You want to end the game without a result. To agree, bob can type /abort." in asked
    assert table.table.going
    rows = said(await stage.type("bob", "/abort"))

    assert "The players ended this game: they agreed to abort it. Game over: nobody wins." in rows
    assert {"ann": [], "bob": []} == await results(stage)
    assert {} == stage.tables.results.ratings.known


async def test_absent_player_has_to_agree_too(stage, table):
    """Nobody loses a won game because their connection dropped."""
    stage.drop("bob")
    await stage.type("ann", "/abort")

    assert table.table.going


async def test_draw_shares_the_first_place(stage, table):
    await moved_all(stage, table)
    await stage.type("ann", "/tie")
    rows = said(await stage.type("bob", "/tie"))
    places = {name: [one.place for one in played] for name, played in (await results(stage)).items()}
    ratings = stage.tables.results.ratings.known["tally 2"]

    assert "The players ended this game: they agreed to a tie." in rows
    assert {"ann": [1], "bob": [1]} == places
    assert ratings["ann"].mu == ratings["bob"].mu == 25.0


async def test_draw_is_refused_before_everyone_has_moved(stage, table):
    await stage.type("bob", "/bid 0")

    assert "no tie before everyone has moved" in said(await stage.type("ann", "/tie"))


async def test_wish_ends_with_the_next_move(stage, table):
    await stage.type("ann", "/abort")
    await stage.type("bob", "/bid 0")
    await stage.type("bob", "/abort")

    assert table.table.going


async def test_player_who_resigns_loses_after_a_question(stage, table):
    assert "Type /resign yes" in said(await stage.type("ann", "/resign"))
    assert table.table.going
    await stage.type("ann", "/resign yes")
    places = {name: [(one.place, one.rated) for one in played] for name, played in (await results(stage)).items()}

    assert {"ann": [(2, True)], "bob": [(1, True)]} == places
    rows = said(stage.screens["bob"].rows)
    assert "ann ended this game: they resigned. Game over: you win. " in rows


async def test_game_of_three_cannot_be_resigned(stage):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit tally")
    await stage.type("ann", "/start")

    assert "Type /leave, and a bot takes over your seat." in said(await stage.type("ann", "/resign yes"))


@pytest.mark.parametrize("line", ["/abort", "/tie"])
async def test_game_with_bots_only_ends_by_leaving(stage, line):
    await stage.type("ann", "/new tally max=3")
    await stage.type("ann", "/house")
    await stage.type("ann", "/start")

    assert "Type /leave to leave." in said(await stage.type("ann", line))


async def test_game_for_chips_cannot_end_so(store):
    stage = await Stage.open(installed("lilypoker"), store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker")
    await stage.type("bob", "/sit lilypoker")
    await stage.type("ann", "/start")

    assert "can't be ended this way. Type /leave to leave." in said(await stage.type("ann", "/abort"))


async def test_table_without_a_running_game_has_nothing_to_end(stage):
    await stage.type("ann", "/new tally max=3")

    assert "there's no game to end here" in said(await stage.type("ann", "/resign yes"))


async def test_game_that_was_drawn_can_be_verified(stage, table):
    await moved_all(stage, table)
    for name in ("ann", "bob"):
        await stage.type(name, "/tie")

    assert "Match: seals" in said(await stage.type("ann", "/verify 1"))
