"""Joining a game that goes on: a friend takes over a bot's seat as soon as all who play agree."""

import pytest

from lilygames.gametest.stage import Stage
from tests.toys import TALLY


@pytest.fixture
async def stage(store):
    """Ann and bob play with two bots; cat has just come in."""
    stage = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/house 2")
    await stage.type("ann", "/start")
    return stage


def said(rows):
    return " ".join(row.strip() for row in rows)


def seats(stage):
    return [who.name for who in stage.table(1).table.seats]


async def ask(stage):
    """Let cat ask for a bot's seat, and return the answer."""
    return said(await stage.type("cat", "/sit tally"))


async def test_newcomer_is_told_who_has_to_agree_and_those_are_asked(stage):
    stage.screens["ann"].take()
    answer = await ask(stage)

    assert "You take over a bot's seat as soon as ann and bob type /invite cat." in answer
    assert "cat would like to take over a bot's seat. Type /invite cat to agree." in said(stage.screens["ann"].take())
    assert ["ann", "bob", "Ada", "Max"] == seats(stage)


async def test_newcomer_gets_the_seat_at_once_when_the_last_player_agrees(stage):
    await ask(stage)
    await stage.type("ann", "/invite cat")
    assert "Ada" in seats(stage)
    await stage.type("bob", "/invite cat")

    assert ["ann", "bob", "cat", "Max"] == seats(stage)
    assert "You sit here with ann, bob" in said(stage.screens["cat"].rows)


async def test_newcomer_invited_by_all_first_sits_down_at_once(stage):
    for name in ("ann", "bob"):
        await stage.type(name, "/invite cat")
    await stage.type("cat", "/sit tally")

    assert ["ann", "bob", "cat", "Max"] == seats(stage)


async def test_one_invitation_is_not_enough(stage):
    await stage.type("ann", "/invite cat")

    assert "as soon as bob types /invite cat" in await ask(stage)
    assert ["ann", "bob", "Ada", "Max"] == seats(stage)


async def test_absent_player_is_not_waited_for(stage):
    stage.drop("bob")
    await ask(stage)
    await stage.type("ann", "/invite cat")

    assert "cat" in seats(stage)


async def test_seat_that_a_bot_keeps_for_a_player_is_not_given_away(stage):
    """Bob's seat is bob's, whoever else is invited: cat gets one of the bots' own."""
    stage.drop("bob")
    await stage.type("ann", "/substitute bob")
    before = stage.table(1).table.own_seat("bob")
    await ask(stage)
    await stage.type("ann", "/invite cat")

    assert before == stage.table(1).table.own_seat("bob")


async def test_neither_the_newcomer_nor_the_bot_has_a_part_in_the_result(stage):
    """Ratings: cat did not play from the start, and Ada not to the end; ann and bob are rated as usual."""
    await ask(stage)
    for name in ("ann", "bob"):
        await stage.type(name, "/invite cat")
    while 1 in stage.open_tables:
        bot = stage.table(1)
        seat = next(seat for seat in range(4) if bot.table.moves(seat))
        await stage.type(bot.table.seats[seat].name, f"/at 1 {bot.table.game.spell(bot.questions.offered(seat)[0])}")
    results = stage.tables.results

    assert [] == await results.played("cat")
    assert {"ann", "bob"} == {*results.ratings.known["tally 3-4"]}
    assert {"ann", "bob", "novice (house)"} == {*results.ratings.known["tally 3-4 house"]}
    assert {} == await stage.tables.statistics.of("cat")
    assert 4 == (await results.played("ann"))[0].seats
    assert said(await stage.type("cat", "/verify 1")).startswith("Match: ")


async def test_invitations_still_count_after_a_restart(stage, store):
    await stage.type("ann", "/invite cat")
    after = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob", "cat"):
        after.enter(name)
    await after.type("bob", "/invite cat")
    await after.type("cat", "/sit tally")

    assert "cat" in seats(after)
