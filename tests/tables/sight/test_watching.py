"""A table is heard by its players and spectators, but not by players who left the game."""

import pytest

from lilygames.gametest.stage import Stage
from tests.toys import ALL, installed


@pytest.fixture
async def stage(store):
    stage = await Stage.open(ALL, store=store, seed="2")
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


@pytest.fixture
async def table(stage):
    """The shortest Tally between ann, who deals, bob and cat."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/sit tally")
    await stage.type("ann", "/start")
    return stage.table(1)


def heard(stage, name):
    """Return the lines of the game that `name` was shown."""
    return [row for row in stage.screens[name].take() if row and row[0].isalpha()]


async def left(stage):
    """Let bob leave in mid-game for good, and clear his screen."""
    rows = await stage.type("bob", "/leave")
    stage.screens["bob"].take()
    return rows


async def test_player_who_leaves_for_good_is_told_how_to_watch(stage, table):
    rows = await left(stage)

    assert "You left the table. A bot, Ada, takes over the seat." == rows[0]
    assert "(you left the table at tally; type /watch tally to watch)" in rows


async def test_player_who_left_for_good_hears_the_table_no_more(stage, table):
    await left(stage)

    await stage.type("cat", "bid 0")

    assert [] == heard(stage, "bob")


async def test_player_who_left_still_hears_the_talk_there(stage, table):
    await left(stage)

    await stage.type("cat", "a pity")

    assert " - a pity" in stage.screens["bob"].take()


async def test_player_who_left_and_watches_hears_the_table_again(stage, table):
    await left(stage)
    await stage.type("bob", "/watch tally")
    stage.screens["bob"].take()

    await stage.type("cat", "bid 0")

    assert "cat bids 0." in heard(stage, "bob")


async def test_player_who_is_out_hears_the_end_and_nothing_between(stage):
    """Knocked out of Liar's Lair: the rest is for the remaining players and spectators."""
    installed("liarslair")
    await stage.type("ann", "/new liarslair each=2 max-rounds=6")
    await stage.type("bob", "/sit liarslair")
    await stage.type("cat", "/sit liarslair")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    out = None
    while not bot.over and out is None:
        name = next(name for name, person in stage.people.items() if bot.question(person))
        await stage.type(name, bot.words(stage.people[name])[-1])
        out = next((bot.table.seats[seat].name for seat in bot.finished_seats()), None)
    assert out, "the seed of this table knocks somebody out"

    rows = stage.screens[out].take()
    assert "You are out of the game. Type /watch liarslair to see the rest, or /leave and" in rows
    while not bot.over:
        name = next(name for name, person in stage.people.items() if bot.question(person))
        await stage.type(name, bot.words(stage.people[name])[0])

    rows = heard(stage, out)
    ends = ("The seal stays closed", "Game over: ", "Next: ")
    assert 3 == len([row for row in rows if row.startswith(ends)]) == len(rows)


async def test_next_game_in_the_room_is_not_heard_by_the_players_of_the_last(stage, table):
    """They may still be there to talk; spectators hear it."""
    await stage.type("ann", "/watch tally")
    while 1 in stage.open_tables:
        name = next(name for name, person in stage.people.items() if table.question(person))
        await stage.type(name, table.words(stage.people[name])[0])
    stage.enter("eve")
    stage.enter("fay")
    await stage.type("eve", "/new tally max=3 first-dealer=host")
    await stage.type("fay", "/sit tally")
    await stage.type("bob", "/watch tally")
    for name in ("ann", "bob", "cat"):
        stage.screens[name].take()

    await stage.type("eve", "/start")

    assert [] == heard(stage, "cat")
    assert any("begins: eve and fay" in row for row in heard(stage, "bob"))


async def test_player_who_sits_down_again_hears_again(stage, table):
    while 1 in stage.open_tables:
        name = next(name for name, person in stage.people.items() if table.question(person))
        await stage.type(name, table.words(stage.people[name])[0])

    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("cat", "/sit tally")
    stage.screens["cat"].take()
    await stage.type("bob", "/start")

    assert any("begins: bob and you" in row for row in heard(stage, "cat"))


async def test_spectator_who_never_played_hears_everything(stage, table):
    stage.enter("eve")
    await stage.type("eve", "/watch tally")
    stage.screens["eve"].take()

    await stage.type("bob", "bid 0")

    assert "bob bids 0." in heard(stage, "eve")
