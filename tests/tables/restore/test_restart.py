"""Restarts: every open table goes on, with the same hands and the same turn."""

from lilygames.gametest.stage import Stage


async def test_open_table_is_there_again(stage, table, tally, store):
    """Start-up replays open tables: same seat, same hand, your turn."""
    hand = table.table.view(1).round.hand[0]

    after = await Stage.open(tally, store=store)
    rows = after.enter("bob").take()

    assert table.table == after.table(1).table
    assert "You sit here with ann." in rows
    assert [f"Your hand: {hand}", "Your turn: bid 0 or 1."] == rows[-2:]


async def test_table_with_a_clock_is_there_again(stage, tally, store):
    """Slow games last for weeks, longer than any one run of the server."""
    await stage.type("ann", "/new tally max=3 clock=3d bob")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/pace 90s")
    await stage.type("bob", "/pace 90s")

    after = await Stage.open(tally, store=store)

    assert stage.table(1).table == after.table(1).table
    assert "90 seconds per move" == after.table(1).table.clock.said


async def test_bots_go_on_after_a_restart(stage, tally, store):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/house")
    await stage.type("ann", "/start")
    turn = stage.table(1).table

    after = await Stage.open(tally, store=store)
    await after.quiet()

    assert turn == after.table(1).table


async def test_finished_table_stays_finished(stage, table, finish, tally, store):
    await finish()

    after = await Stage.open(tally, store=store)
    after.enter("cat")

    assert {} == after.open_tables
    assert "Match: " in (await after.type("cat", "/verify 1"))[0]


async def test_damaged_log_freezes_its_table_and_no_other(stage, table, tally, store):
    """That table is named, and the rest can be played."""
    await stage.type("ann", "/new tally")
    del store.entries["table/1"][1]

    after = await Stage.open(tally, store=store)

    assert [2] == list(after.open_tables)


async def test_table_whose_game_is_not_installed_waits(stage, table, tally, store):
    without = await Stage.open({}, store=store)
    assert {} == without.open_tables

    again = await Stage.open(tally, store=store)
    assert table.table == again.table(1).table


async def test_disconnected_player_keeps_the_seat(stage, table):
    stage.drop("bob")
    assert "*** bob has disconnected (their seat is kept) ***" in stage.screens["ann"].take()

    assert "Your turn: bid 0 or 1." in stage.enter("bob").take()


async def test_all_tables_are_there_again_in_their_rooms_however_many_there_are(stage, tally, store):
    """Logs are read for several tables at once, but tables are opened one after the other."""
    for number in range(23):
        stage.enter(f"p{number}")
        await stage.type(f"p{number}", "/new tally")
    rooms = {number: bot.room.name for number, bot in stage.open_tables.items()}

    after = await Stage.open(tally, store=store)

    assert 23 == len(rooms)
    assert [*rooms.items()] == [(number, bot.room.name) for number, bot in after.open_tables.items()]
