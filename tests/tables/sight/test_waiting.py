"""The row of your own move says whom the table is waiting for, if that is a person and nothing else says so."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.text import Voice
from tests.toys import installed


def waits(rows):
    return [row for row in rows if "Waiting for" in row]


async def test_own_move_says_who_moves_next(table, stage):
    await stage.type("ann", "/set width 78")
    rows = await stage.type("bob", "bid 1")

    assert "You bid 1. Waiting for ann." in rows
    assert "bob bids 1." in stage.screens["ann"].rows
    assert [] == waits(stage.screens["ann"].rows)


async def test_move_that_ends_a_trick_says_it_alone(table, stage):
    """Its row says who takes the trick, and so who leads next."""
    await stage.type("bob", "bid 1")
    await stage.type("ann", "1")
    await stage.type("bob", "1")
    rows = await stage.type("ann", "1")

    assert any("You play" in row or row.startswith("Trick") for row in rows)
    assert [] == waits(rows)


async def test_nobody_waits_for_a_bot(stage):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house 2")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    while not bot.over:
        await stage.type("ann", bot.table.game.spell(bot.questions.offered(0)[0]))

    assert [] == waits(stage.screens["ann"].rows)


@pytest.mark.parametrize(("voice", "expected"), [(Voice(spoken=True), ["Waiting for ann."]), (Voice(each=True), [])])
async def test_screen_readers_get_a_separate_line_and_programs_none(table, stage, voice, expected):
    stage.screens["bob"].voice = voice

    assert expected == [row.removeprefix("tally: ") for row in waits(await stage.type("bob", "bid 1"))]


async def test_answers_at_the_same_time_have_a_row_already(store):
    stage = await Stage.open(installed("liarslair"), store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new liarslair bob cat")
    for name in ("bob", "cat"):
        await stage.type(name, "/sit liarslair")
    for name in ("ann", "bob"):
        await stage.type(name, "pass")

    assert [] == waits([*stage.screens["ann"].rows, *stage.screens["bob"].rows])


async def test_row_that_names_the_next_player_does_not_name_them_again(store):
    stage = await Stage.open(installed("liarsdice"), store=store)
    stage.enter("ann"), stage.enter("bob")
    await stage.type("ann", "/new liarsdice first=host bob")
    await stage.type("bob", "/sit liarsdice")
    rows = await stage.type("ann", "claim pair")

    assert "You pass to bob: a pair." in rows
    assert [] == waits(rows)
    assert "You accept. Waiting for ann." not in await stage.type("bob", "1")
