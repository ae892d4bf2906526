"""A seat stays its owner's: a typed move or table command is never said aloud, and takes the seat back."""

import pytest

from lilygames.gametest.stage import Stage
from tests.slow_bots import let_bots
from tests.toys import ALL

MOVES = {
    "liarspoker": ["3 sevens", "bid 3 sevens", "challenge", "liar", "5", "/challenge", "3x7"],
    "lilypoker": ["raise", "raise 4", "fold", "check", "call", "2", "7C 10D"],
    "liarsdice": ["accept", "challenge", "roll all", "claim pair", "1"],
    "liedie": ["33145", "claim 33145", "1", "accept"],
    "tally": ["KH", "bid 1", "b 1", "1", "max 3"],
}
LINES = [(game, line) for game, lines in MOVES.items() if game in ALL for line in lines]
COMMANDS = ["hand", "moves", "score", "status", "pick 1", "/hand", "/table", "/at 1 score", "/moves", "/at 1"]
TALK = ["hello all", "I bid you farewell", "what a game", "'5", "call me later, please"]


@pytest.fixture
async def stage(store):
    stage = await Stage.open(ALL, store=store)
    for name in ("ann", "bob", "eve"):
        stage.enter(name)
    return stage


@pytest.fixture
def kept(stage):
    """Return a function that starts a game of ann and bob in which a bot keeps ann's seat while she is there."""

    async def begin(game="tally"):
        await stage.type("ann", f"/new {game}")
        await stage.type("bob", f"/sit {game}")
        await stage.type("ann", "/start")
        bot = stage.table(1)
        await bot.room.do(lambda: bot.house.substitute(0, "table"))
        await stage.quiet()
        for screen in stage.screens.values():
            screen.take()
        return bot

    return begin


def said(stage):
    """Return everything that others have heard anyone say."""
    return [row for name in ("bob", "eve") for row in stage.screens[name].rows if row.startswith(" - ")]


@pytest.mark.parametrize("room", ["the table's", "lobby"])
@pytest.mark.parametrize(("game", "line"), LINES)
async def test_move_takes_the_seat_back_and_is_not_said(stage, kept, game, line, room):
    """This works after a substitution, from any room."""
    bot = await kept(game)
    if room == "lobby":
        await stage.type("ann", "/join lobby")

    await stage.type("ann", line)

    assert 0 == bot.seat_of("ann")
    assert [] == said(stage)


@pytest.mark.parametrize("line", COMMANDS)
async def test_command_about_the_table_takes_the_seat_back(stage, kept, line):
    bot = await kept()
    await stage.type("ann", "/join lobby")

    await stage.type("ann", line)

    assert 0 == bot.seat_of("ann")
    assert [] == said(stage)


@pytest.mark.parametrize("line", TALK)
async def test_ordinary_talk_does_not_take_the_seat_back(stage, kept, line):
    bot = await kept()

    await stage.type("ann", line)

    assert bot.seat_of("ann") is None
    assert [f" - {line.removeprefix(chr(39))}"] == said(stage)


async def test_looking_at_other_tables_does_not_take_the_seat_back(stage, kept):
    bot = await kept()

    for line in ("/tables", "/games", "/who", "/seeks", "/help tally"):
        await stage.type("ann", line)

    assert bot.seat_of("ann") is None


async def test_move_is_made_once_the_seat_is_back(stage):
    """It's still her turn: the bot had not moved yet."""
    await stage.type("ann", "/new tally first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    bot = stage.table(1)
    let_bots(bot, pause=lambda: 3600.0)
    await bot.room.do(lambda: bot.house.substitute(0, "table"))
    stage.screens["ann"].take()

    await stage.hear("ann", "max 3")

    rows = stage.screens["ann"].take()
    assert "is back" in rows[0] or "are back" in rows[0]
    assert "You pick 3. Hands of 1 to 3 cards and back to 1: 5 rounds, 1 deck." in rows
    assert not [row for row in rows if "Your turn: pick" in row], "what she has typed is not asked again"


@pytest.mark.parametrize("line", ["again", "keep", "5", "bid 3", "KH", "hand", "leave", "moves 21", "at 2 bid 3"])
async def test_move_is_not_said_by_a_player_at_several_tables(stage, line):
    """She is in the lobby, and neither table is her only one."""
    for number, game in enumerate(("high", "tally"), 1):
        await stage.type("bob", f"/new {game}")
        await stage.type("ann", f"/sit {game}")
        await stage.type("bob", f"/at {number} start")
    await stage.type("ann", "/join lobby")
    await stage.type("bob", "/join lobby")

    await stage.type("ann", line)

    assert [] == said(stage)
    assert {"high", "tally"} == {bot.room.name for bot in stage.people["ann"].seats}


@pytest.mark.parametrize("line", ["bid 3", "3", "KH"])
async def test_move_before_the_deal_is_not_said_either(stage, line):
    await stage.type("bob", "/new tally")
    await stage.type("ann", "/sit tally")

    rows = await stage.type("ann", line)

    assert [] == said(stage)
    assert rows[0].startswith("Refused: the game hasn't started")


@pytest.mark.parametrize("line", ["leave", "quick", "start", "wait", "next", "undo"])
async def test_bare_name_of_a_command_with_effects_is_asked_about(stage, kept, line):
    """People at a table say such words too, so it's neither done nor said."""
    bot = await kept()

    (row,) = await stage.type("ann", line)

    assert f"Did you mean /{line}? Type 1 for that, or ' first to say it." == row
    assert [] == said(stage)
    assert bot.keeps_seat("ann")


async def test_person_without_a_seat_says_anything(stage):
    for line in ("3 sevens", "5", "hand", "leave"):
        await stage.type("eve", line)

    assert ["(message sent to lobby)"] == await stage.type("eve", "challenge")
