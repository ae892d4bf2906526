"""Opening a table, sitting down, starting, watching and leaving."""

import asyncio

import pytest


async def test_quick_alone_deals_a_game_with_bots(stage):
    answer = " ".join(await stage.type("ann", "/quick tally"))

    assert "*Ada, *Max and *Ida sit down." in answer
    assert "Tally begins: you, *Ada, *Max and *Ida." in answer


async def test_quick_joins_a_waiting_player(stage):
    await stage.type("ann", "/new tally")

    answer = " ".join(await stage.type("bob", "/quick tally"))

    assert "Tally begins: ann, you, *Ada and *Max." in answer


async def test_quick_again_shows_the_current_question(stage, table):
    assert "Your turn: bid 0 or 1." in await stage.type("bob", "/quick tally")


async def test_second_table_opens_beside_the_first(stage, table):
    """When its table is taken, `/new` opens `tally-2`."""
    assert "(you sit at tally-2;" in (await stage.type("ann", "/new tally"))[0]
    assert ["tally", "tally-2"] == [bot.room.name for bot in stage.open_tables.values()]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/new whist", "Refused: there is no game called “whist”. Type /games to list the games."),
        ("/new tally colour=red", "Refused: Tally has no option “colour”"),
        ("/new tally first-dealer=all", "Refused: first-dealer must be random or host"),
        ("/new tally max=2", "Refused: the largest hand must have 3 to"),
        ("/new tally nobody", "Refused: nobody is called “nobody”"),
        ("/new tally -german", "Refused: Tally has no option -german"),
        ("/sit", "Refused: there is no table here"),
        ("/sit 9", "Refused: there is no table “9” now"),
        ("/verify 9", "Refused: there was never a table #9"),
        ("/verify x", "Usage: /verify [NUMBER]"),
        ("/house 3", "Refused: there is no table here"),
        ("/next", "Refused: no table is waiting for you."),
        ("/log 4", "Refused: there was never a table #4"),
    ],
)
async def test_impossible_request_is_refused_in_one_sentence(stage, line, said):
    assert said in " ".join(await stage.type("ann", line))
    assert {} == stage.open_tables


async def test_nobody_sits_down_without_a_free_seat(stage):
    await stage.type("ann", "/new tally")
    await stage.type("ann", "/house 11")
    stage.enter("Gus", guest=True)

    assert "every seat at tally is taken" in " ".join(await stage.type("Gus", "/sit tally"))
    assert 12 == len(stage.table(1).table.seats)
    assert stage.table(1).seat_of("Gus") is None


async def test_nobody_starts_a_game_at_a_table_where_they_have_no_seat(stage):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit tally")
    stage.enter("Gus", guest=True)
    await stage.type("Gus", "/watch tally")

    assert "you don't have a seat at tally" in " ".join(await stage.type("Gus", "/start"))
    assert not stage.table(1).table.started


async def test_too_few_players_cannot_start(stage):
    await stage.type("ann", "/new tally")

    assert ["Refused: Tally needs 2 players. Type /house to add a bot."] == await stage.type("ann", "/start")


async def test_bots_fill_no_more_seats_than_there_are(stage):
    await stage.type("ann", "/new tally")

    assert ["Refused: tally has room for 11 more players."] == await stage.type("ann", "/house 12")
    assert ["Refused: Tally has bots of these levels: novice, club and shark."] == await stage.type("ann", "/house pro")
    assert "*Kurt and *Vera sit" in " ".join(await stage.type("ann", "/house 11"))


async def test_table_starts_when_all_invited_players_have_answered(stage):
    """Invited people accept or decline, and the table starts when all have answered."""
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3 cat bob")
    assert "*** ann invites you to Tally: /sit tally or /decline tally ***" in stage.screens["bob"].take()
    await stage.type("bob", "/sit tally")

    answer = " ".join(await stage.type("cat", "/decline tally"))

    assert "declined" in answer
    assert ("ann", "bob") == stage.table(1).table.names
    assert stage.table(1).table.started


async def test_invited_players_sit_in_the_order_of_the_invitation(stage):
    stage.enter("cat")
    await stage.type("ann", "/tally challenge cat bob")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/sit tally")

    assert ("ann", "cat", "bob") == stage.table(1).table.names


async def test_player_cannot_sit_twice_or_at_a_running_table(stage, table):
    stage.enter("cat")

    assert "Refused: you already have a seat at tally" in (await stage.type("ann", "/sit tally"))[0]
    assert "Refused: tally has already started. Type /watch tally" in (await stage.type("cat", "/sit tally"))[0]


async def test_game_goes_on_when_a_player_leaves(stage, table):
    """`/leave` frees the seat, and a bot takes over."""
    await stage.type("bob", "/leave")

    rows = stage.screens["ann"].take()
    assert "bob left the table. A bot, Ada, takes over the seat." in rows
    assert any(row.startswith("Ada bids ") for row in rows)


async def test_table_that_everyone_leaves_before_the_start_is_gone(stage):
    await stage.type("ann", "/new tally")
    await stage.type("ann", "/leave")

    assert {} == stage.open_tables
    assert "(you sit at tally;" in (await stage.type("bob", "/new tally"))[0]


async def test_cut_is_a_word_before_the_start(stage, table):
    assert "Refused: the game has already started" in (await stage.type("bob", "/cut x"))[0]


async def test_at_runs_a_command_at_another_table(stage, table):
    """`/at ROOM|NUMBER COMMAND...`."""
    await stage.type("bob", "/join lobby")

    assert "You bid 1. Waiting for ann." in await stage.type("bob", "/at 1 bid 1")
    assert "lobby" == stage.people["bob"].room.name


async def test_next_goes_to_the_table_that_waits_for_you(stage, table):
    await stage.type("bob", "/join lobby")

    assert "Your turn: bid 0 or 1." in await stage.type("bob", "/next")
    assert "tally" == stage.people["bob"].room.name


async def test_finished_table_makes_room_for_the_next(stage, table, finish):
    await finish()

    assert "(you sit at tally;" in (await stage.type("ann", "/new tally"))[0]
    assert 2 == stage.table(2).table.header.number


async def test_game_over_is_the_last_line_of_a_game_before_what_comes_next(stage, table, finish):
    """It begins with `Game over: `."""
    stage.screens["bob"].take()
    await finish()
    rows = [row for row in stage.screens["bob"].take() if row.startswith("")]

    assert rows[-2].startswith("Game over: ")
    assert rows[-1].startswith("Next: ")
    assert "Match: seals, commitments and all " in (await stage.type("bob", "/verify 1"))[0]


async def test_two_people_who_open_a_table_at_once_get_two_rooms(stage):
    """A room has at most one table."""
    hear = stage.place.dispatcher.hear
    await asyncio.gather(*(hear(stage.people[name], "/new tally") for name in ("ann", "bob")))

    assert ["tally", "tally-2"] == sorted(bot.room.name for bot in stage.open_tables.values())


async def test_quick_does_not_sit_down_with_an_absent_player(stage):
    """The server never leaves you waiting for an absent player."""
    await stage.type("bob", "/new tally")
    stage.drop("bob")

    await stage.type("ann", "/quick tally")

    assert "tally-2" == stage.people["ann"].room.name


async def test_nobody_joins_a_game_that_takes_no_newcomers(stage, table):
    stage.enter("cat")

    assert (
        "Refused: tally has already started. Type /watch tally to watch" in (await stage.type("cat", "/sit tally"))[0]
    )


async def test_last_player_who_leaves_before_the_start_reads_that_the_table_is_closed(stage):
    """There is nothing left to watch."""
    await stage.type("ann", "/seek tally max=3")

    assert "(nobody is left at tally, so the table is closed)" in await stage.type("ann", "/unseek")
