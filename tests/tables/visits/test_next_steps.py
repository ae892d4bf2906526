"""After a game its players are offered what to do next, and a number does it; /leave goes back to the lobby."""

from lilygames.text import Voice

ROW = "Next: 1. rematch  2. replay  3. stats  4. leave  5. verify"


async def over(stage, finish, *names):
    """Let people play a game of tally to its end; return the rows that each was shown at the end."""
    await stage.type(names[0], "/new tally max=3 first-dealer=host")
    for name in names[1:]:
        await stage.type(name, "/sit tally")
    await stage.type(names[0], "/house")
    await stage.type(names[0], "/start")
    await finish()
    return {name: stage.screens[name].take() for name in names}


async def test_players_are_offered_what_to_do_next(stage, finish):
    shown = await over(stage, finish, "ann", "bob")

    assert {"ann": ROW, "bob": ROW} == {name: rows[-1] for name, rows in shown.items()}


async def test_spectator_is_offered_nothing(stage, finish):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("cat", "/watch tally")
    await stage.type("ann", "/house")
    await stage.type("ann", "/start")
    await finish()

    assert ROW not in stage.screens["cat"].take()


async def test_1_plays_a_rematch_with_the_bots(stage, finish):
    await over(stage, finish, "ann")
    await stage.type("ann", "1")

    assert ["ann", "Ada"] == [who.name for who in stage.table(2).table.seats]
    assert stage.table(2).table.started


async def test_two_who_choose_a_rematch_play_with_each_other(stage, finish):
    await over(stage, finish, "ann", "bob")
    await stage.type("ann", "1")
    await stage.type("bob", "1")

    assert {2} == set(stage.open_tables)
    assert {"ann", "bob", "Ada"} == {who.name for who in stage.table(2).table.seats}
    assert stage.table(2).table.started


async def test_rematch_without_a_number_takes_a_seat_at_the_table_that_has_taken_the_room(stage, finish):
    await over(stage, finish, "ann", "bob")
    for name in ("ann", "bob"):
        await stage.type(name, "/rematch")

    assert {"ann", "bob", "Ada"} == {who.name for who in stage.table(2).table.seats}


async def test_rematch_without_a_number_names_no_way_out_of_a_table_where_you_wait(stage, finish):
    await over(stage, finish, "ann", "bob")
    await stage.type("ann", "/rematch")

    assert ["this game hasn't begun yet. Type /start to begin it."] == [
        row.removeprefix("Refused: ") for row in await stage.type("ann", "/rematch")
    ]


async def test_rematch_names_the_game_if_another_has_begun_in_its_room(stage, finish):
    await over(stage, finish, "ann")
    stage.enter("cat")
    await stage.type("cat", "/new tally max=4")
    await stage.type("ann", "1")

    assert ("ann", 3) == (stage.table(3).table.header.host, stage.table(3).table.options.max)


async def test_rematch_of_a_running_game_is_refused(stage, finish):
    await over(stage, finish, "ann")
    await stage.type("ann", "1")

    assert ["table #2 isn't over yet. Type /log 2 to see the game so far."] == [
        row.removeprefix("Refused: ") for row in await stage.type("ann", "/rematch 2")
    ]


async def test_2_shows_the_first_step_again(stage, finish):
    await over(stage, finish, "ann")

    assert any("step 1 of" in row for row in await stage.type("ann", "2"))


async def test_3_shows_the_statistics_with_this_game(stage, finish):
    await over(stage, finish, "ann")

    assert "1 game" in (await stage.type("ann", "3"))[0]


async def test_4_leaves_the_room(stage, finish):
    await over(stage, finish, "ann")

    assert ["(you have left tally and are in lobby)"] == await stage.type("ann", "4")
    assert "ann" not in stage.rooms["tally"].people


async def test_number_that_is_not_offered_is_refused(stage, finish):
    await over(stage, finish, "ann")

    assert ["Refused: there's no option 6. Type a number from 1 to 5."] == await stage.type("ann", "6")


async def test_5_verifies_the_deal(stage, finish):
    await over(stage, finish, "ann")

    assert any(row.startswith("Match: ") for row in await stage.type("ann", "5"))


async def test_numbers_end_with_the_next_line(stage, finish):
    await over(stage, finish, "ann", "bob")
    await stage.type("ann", "that was fun")
    await stage.type("ann", "1")

    assert {} == stage.open_tables


async def test_enter_alone_offers_them_again(stage, finish):
    await over(stage, finish, "ann", "bob")
    await stage.type("ann", "that was fun")

    assert ["You are at tally; the game is over.", ROW] == await stage.type("ann", "")
    await stage.type("ann", "1")
    assert {2} == set(stage.open_tables)


async def test_enter_alone_offers_a_spectator_nothing(stage, finish):
    stage.enter("cat")
    await over(stage, finish, "ann")
    await stage.type("cat", "/join tally")

    assert ROW not in await stage.type("cat", "")


async def test_row_has_commands_while_another_table_waits(stage, finish):
    """A number is a move at that other table."""
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("cat", "/sit tally")
    await stage.type("ann", "/start")
    await stage.type("cat", "/new tally max=3")
    await stage.type("bob", "/sit tally-2")
    await stage.type("cat", "/start")
    await finish(2)
    rows = [row for row in stage.screens["cat"].take() if "Next: " in row]
    await stage.type("cat", "1")

    assert ["#2 Next: /rematch 2  /replay 2  /stats tally  /quit tally-2  /verify 2"] == rows
    assert {1} == set(stage.open_tables)


async def test_guest_is_offered_to_keep_the_name(stage, finish):
    stage.people["ann"].set_guest(guest=True)
    shown = await over(stage, finish, "ann")

    assert "Next: 1. rematch  2. replay  3. keep your name  4. leave  5. verify" == shown["ann"][-1]


async def test_narrow_screen_has_two_short_rows(stage, finish):
    stage.enter("ann", Voice(narrow=True))
    shown = await over(stage, finish, "ann")

    assert ["Next: 1. rematch  2. replay  3. stats", "      4. leave  5. verify"] == shown["ann"][-2:]


async def test_screen_reader_hears_words_that_can_be_typed(stage, finish):
    stage.enter("ann", Voice(spoken=True))
    shown = await over(stage, finish, "ann")

    assert "Next: rematch, replay, stats, leave, verify." == shown["ann"][-1]
    assert ["You have left tally and are in lobby"] == await stage.type("ann", "leave")


async def test_screen_reader_may_type_the_number_of_a_word(stage, finish):
    stage.enter("ann", Voice(spoken=True))
    await over(stage, finish, "ann")

    assert ["You have left tally and are in lobby"] == await stage.type("ann", "4")


async def test_leave_after_the_game_goes_back_to_the_lobby(stage, finish):
    await over(stage, finish, "ann", "bob")

    assert ["(you left tally; you are in lobby)"] == await stage.type("ann", "/leave")
    assert "lobby" == stage.people["ann"].room.name
    assert "ann" not in stage.rooms["tally"].people


async def test_leave_takes_a_spectator_out_of_the_room(stage, finish):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")
    await stage.type("cat", "/watch tally")

    assert ["(you left tally; you are in lobby)"] == await stage.type("cat", "/leave")
    assert ("ann",) == tuple(who.name for who in stage.table(1).table.seats)


async def test_leave_at_a_table_elsewhere_is_refused_without_a_seat(stage, finish):
    stage.enter("cat")
    await stage.type("ann", "/new tally max=3")

    assert ["Refused: you aren't at tally. Type /tables to list the tables."] == await stage.type(
        "cat", "/at tally leave"
    )
