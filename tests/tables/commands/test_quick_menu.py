"""`/quick` alone: a numbered menu of the games; the next line may be a number."""

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.text import Voice
from tests.toys import TOYS

GAMES = {
    "high": attrs.evolve(TOYS["high"], tagline="throw a die, say a number", minutes=3),
    "tally": attrs.evolve(TOYS["tally"], tagline="bid your tricks", minutes=5, other_names=("add up", "sums")),
}


@pytest.fixture
async def stage(store):
    """Ann and bob in the lobby."""
    stage = await Stage.open(GAMES, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
        stage.screens[name].take()
    return stage


def rooms(stage, name):
    return [bot.room.name for bot in stage.open_tables.values() if bot.seat_of(name) is not None]


async def test_quick_in_the_lobby_lists_the_shortest_games_first(stage):
    assert [
        "Pick a game by its number.                 seats  minutes",
        " 1. High throw  throw a die, say a number    2-4        3",
        " 2. Tally       bid your tricks             2-12        5",
        "Bots fill the seats. Also: /quick high seats=2, /rules high",
    ] == await stage.type("ann", "/quick")
    assert not stage.open_tables


async def test_menu_fits_forty_columns(stage):
    await stage.type("ann", "/set width 40")
    await stage.type("bob", "/new tally")

    rows = await stage.type("ann", "/quick")

    assert all(len(row) < 40 for row in rows)
    assert " 1. High throw    2-4   3 min" in rows
    assert "    waiting: bob" in rows


async def test_menu_is_read_aloud_without_columns(stage):
    await stage.type("bob", "/new high")
    stage.screens["ann"].voice = Voice(spoken=True)

    rows = await stage.type("ann", "/quick")

    assert "1, High throw, 2 to 4 players, 3 minutes. Waiting: bob." in rows


async def test_menu_says_who_is_waiting(stage):
    await stage.type("bob", "/new high")

    rows = await stage.type("ann", "/quick")

    assert rows[0].endswith("waiting")
    assert rows[1].endswith("  bob")


async def test_typed_number_starts_that_game(stage):
    await stage.type("ann", "/quick")
    await stage.type("ann", "2")

    assert ["tally"] == rooms(stage, "ann")
    assert stage.table(1).table.started


async def test_number_outside_the_menu_is_refused_and_the_menu_stays(stage):
    await stage.type("ann", "/quick")

    assert ["Refused: there's no option 3. Type a number from 1 to 2."] == await stage.type("ann", "3")
    await stage.type("ann", "1")
    assert ["high"] == rooms(stage, "ann")


async def test_any_other_line_ends_the_menu(stage):
    await stage.type("ann", "/quick")
    await stage.type("ann", "hello")

    assert ["(message sent to lobby)"] == await stage.type("ann", "1")
    assert [] == rooms(stage, "ann")


async def test_question_of_a_table_ends_the_menu(stage):
    """Numbers then belong to the question, because it is the last one on the screen."""
    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/sit tally")
    await stage.type("ann", "/join lobby")
    await stage.type("ann", "/quick")
    await stage.type("bob", "/start")

    assert "You bid 1. Waiting for bob." in await stage.type("ann", "1")
    assert ["tally"] == rooms(stage, "ann")


async def test_quick_in_a_games_room_plays_that_game(stage):
    await stage.type("ann", "/join tally")
    await stage.type("ann", "/quick")

    assert ["tally"] == rooms(stage, "ann")


async def test_number_of_seats_can_be_requested(stage):
    await stage.type("ann", "/quick tally seats=3")

    assert 3 == len(stage.table(1).table.seats)


async def test_waiting_table_with_enough_players_is_not_joined_for_fewer_seats(stage):
    await stage.type("bob", "/new tally")
    await stage.type("bob", "/house 2")
    await stage.type("ann", "/quick tally seats=3")

    assert ["tally-2"] == rooms(stage, "ann")


async def test_seats_that_the_game_does_not_have_are_refused(stage):
    (row,) = await stage.type("ann", "/quick high seats=9")

    assert "Refused: High throw is for 2 to 4 players." == row


@pytest.mark.parametrize("words", ["add up", "Sums", "add-up", "TALLY", "tal"])
async def test_game_is_found_by_its_other_names(stage, words):
    await stage.type("ann", f"/quick {words} max=3")

    assert 3 == stage.table(1).table.options.max
    assert ["tally"] == rooms(stage, "ann")


async def test_typo_is_asked_about_and_one_digit_plays(stage):
    rows = await stage.type("ann", "/quick talyl max=3")

    asked = "Refused: there is no game called “talyl”. Did you mean tally? Type 1 to play tally."
    assert asked == " ".join(row.strip() for row in rows)
    await stage.type("ann", "1")
    assert 3 == stage.table(1).table.options.max


async def test_unknown_game_leads_to_the_list(stage):
    assert ["Refused: there is no game called “bridge”. Type /games to list the games."] == await stage.type(
        "ann", "/quick bridge"
    )


async def test_new_table_and_seek_accept_the_other_names_too(stage):
    await stage.type("ann", "/new add up max=3")
    await stage.type("bob", "/seek sums 3")

    assert ["tally", "tally"] == [stage.table(number).table.game.name for number in (1, 2)]


async def test_help_and_rules_accept_the_other_names_too(stage):
    for line in ("/help sums", "/rules add up", "rules tally"):
        assert "TALLY" == (await stage.type("ann", line))[0].split()[0]
