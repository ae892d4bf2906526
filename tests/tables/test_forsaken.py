"""Tables that their people leave behind do not stay open for ever, and house players do not play on alone for ever."""

import time as real

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.toys import installed

MINUTE, DAY = 60.0, 86400.0


class Time:
    """The time of a test: a watch for the tables, and a clock for the host."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def later(time):
    """Return what lets time pass at a stage, looks at all tables before and after, and waits until all is quiet."""
    began = real.time()

    async def pass_by(stage, seconds):
        host = stage.place.host
        start = time.now
        host.clock = lambda: began + time.now
        for at in (start, start + seconds, start + seconds):
            time.now = at
            for bot in stage.place.tables.open.values():
                bot.clock.now = time
            await stage.place.forsaken.look()
            await stage.quiet()

    return pass_by


@pytest.fixture
async def guests(stage):
    """Return ann and bob as guests."""
    for name in ("ann", "bob"):
        stage.people[name].set_guest(guest=True)
        stage.place.host.accounts.names.pop(name)
    return stage


async def test_a_game_ends_once_its_guests_have_been_gone_for_long(guests, table, later):
    """A guest's seat is kept for half an hour."""
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, 31 * MINUTE)

    assert [] == [*guests.place.tables.open]
    assert table.table.closed
    assert [] == [*guests.place.host.people]


async def test_a_game_of_guests_is_kept_for_half_an_hour(guests, table, later):
    """A line that drops is back by then."""
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, 29 * MINUTE)

    assert table.table.going


async def test_a_game_goes_on_while_one_of_its_people_is_here(guests, table, later):
    """Those who are left choose what becomes of the others' seats."""
    guests.drop("ann")

    await later(guests, 100 * MINUTE)

    assert table.table.going


async def test_who_was_back_in_between_has_the_whole_time_again(guests, table, later):
    """It is the last absence that counts."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 20 * MINUTE)
    guests.enter("ann")
    await later(guests, 1 * MINUTE)
    guests.drop("ann")

    await later(guests, 20 * MINUTE)

    assert table.table.going


async def test_a_game_is_not_ended_while_somebody_looks_on(guests, table, later):
    """Who watches may wait for who plays."""
    guests.enter("cat")
    await guests.type("cat", "/watch tally")
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, 100 * MINUTE)

    assert table.table.going


async def test_a_game_with_an_account_is_kept_for_a_month(stage, table, later):
    """Accounts come back after days; what they were last seen doing counts."""
    stage.drop("ann")
    stage.drop("bob")

    await later(stage, 29 * DAY)
    kept = table.table.going
    await later(stage, 2 * DAY)

    assert (True, True) == (kept, table.table.closed)


async def test_a_game_that_was_put_off_ends_too(stage, table, later):
    """An adjourned game is kept as long as any other."""
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/adjourn")
    stage.drop("ann")
    stage.drop("bob")

    await later(stage, 31 * DAY)

    assert table.table.closed


async def test_a_game_that_was_broken_off_says_so_and_can_be_verified(guests, table, later):
    """Its last line is a last line, its seal is open, and nobody has won."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 31 * MINUTE)
    guests.enter("cat")

    assert "nobody wins" in " ".join(await guests.type("cat", "/log 1"))
    assert "Match" in " ".join(await guests.type("cat", "/verify 1"))
    assert ["(you have finished no game here yet)"] == await guests.type("cat", "/played")


async def test_a_broken_off_game_stays_over_after_a_restart(guests, table, later, store, tally):
    """What was ended is not begun again."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 31 * MINUTE)

    again = await Stage.open(tally, store=store)

    assert [] == [*again.place.tables.open]


async def test_after_a_restart_the_time_begins_anew(guests, table, store, tally, later):
    """Time in which the host is down is nobody's absence."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 20 * MINUTE)
    again = await Stage.open(tally, store=store)

    await later(again, 20 * MINUTE)

    assert again.table(1).table.going


async def test_a_seek_of_somebody_who_has_vanished_is_taken_back(stage, later):
    """Nobody waits long for a game that is played at one sitting to begin."""
    await stage.type("ann", "/seek tally 4")
    stage.drop("ann")

    await later(stage, 31 * MINUTE)

    assert [] == [*stage.place.tables.open]
    assert "ann" not in stage.place.host.people


async def test_at_a_waiting_table_only_who_is_away_gets_up(stage, later):
    """The others still wait for players, and may begin."""
    await stage.type("ann", "/seek tally 4")
    await stage.type("bob", "/sit tally")
    stage.drop("ann")
    stage.screens["bob"].take()

    await later(stage, 31 * MINUTE)

    assert ["bob"] == [who.name for who in stage.table(1).table.seats]
    assert "ann was away too long and has left the table." in stage.screens["bob"].rows


async def test_a_table_by_the_day_waits_for_its_people_to_answer(stage, later):
    """Nobody is expected to sit and wait for slow play to begin."""
    await stage.type("ann", "/new tally clock=3d bob")
    stage.drop("ann")

    await later(stage, 20 * DAY)

    assert ["ann"] == [who.name for who in stage.table(1).table.seats]


async def test_a_guest_whose_seat_has_lapsed_leaves_nothing_behind(guests, later, store):
    """The name is free, and no word opens it."""
    await guests.type("ann", "/quick tally")
    guests.drop("ann")

    await later(guests, 31 * MINUTE)
    await guests.place.host.profiles.finish()

    assert {} == await store.every("account")
    assert {} == await store.every("belongings")


async def test_nobody_is_told_again_of_those_who_went_long_ago(guests, table, later):
    """After a crowd of strangers has gone there is not a word for each of them."""
    guests.enter("cat")
    guests.drop("ann")
    guests.drop("bob")
    guests.screens["cat"].take()

    await later(guests, 31 * MINUTE)

    assert [] == guests.screens["cat"].take()


async def test_who_was_stood_in_for_goes_with_the_table(guests, table, later):
    """A house player keeps a seat no longer than its table is open."""
    host = guests.place.host
    table.clock.clocks.absence = 0.0
    guests.drop("bob")
    await guests.type("ann", "/substitute")
    kept = host.keeps_seat("bob")
    guests.drop("ann")

    await later(guests, 31 * MINUTE)

    assert (True, False) == (kept, "bob" in host.people)


@pytest.fixture
async def session():
    """Return a stage on which ann, a guest, plays poker with two house players, for as long as all like."""
    stage = await Stage.open(installed("lilypoker"), store=MemoryStore())
    stage.enter("ann")
    await stage.type("ann", "/quick lilypoker")
    stage.people["ann"].set_guest(guest=True)
    stage.place.host.accounts.names.pop("ann")
    return stage


async def test_house_players_rest_while_nobody_is_there_for_a_game_without_an_end(session):
    """A session of poker among house players would never be over."""
    bot = session.table(1)
    session.drop("ann")
    await bot.room.do(lambda: bot.house.substitute(bot.seat_of("ann"), "table"))
    await session.quiet()
    stood = bot.table.seq
    await bot.room.do(bot.go_on)
    await session.quiet()

    assert stood == bot.table.seq
    assert not bot.house.attended


async def test_house_players_go_on_when_somebody_is_back(session):
    """The seat is given back, and the game goes on from where it rested."""
    bot = session.table(1)
    session.drop("ann")
    await bot.room.do(lambda: bot.house.substitute(bot.seat_of("ann"), "table"))
    await session.quiet()

    session.enter("ann")
    await session.quiet()

    assert bot.question(session.people["ann"])


async def test_a_session_of_which_nobody_is_left_ends_as_if_all_had_got_up(session, later):
    """What each has won and lost stands."""
    bot = session.table(1)
    session.drop("ann")

    await later(session, 31 * MINUTE)

    assert bot.table.outcome is not None
    assert bot.table.closed


async def test_who_leaves_a_game_to_the_house_hears_no_more_of_it(stage):
    """Nobody has to listen to house players who end a game among themselves."""
    await stage.type("ann", "/quick tally")

    answer = await stage.type("ann", "/leave")

    assert "(you have left tally, where bots finish the game; you are in lobby)" in answer
    assert stage.people["ann"].room is stage.place.host.lobby


async def test_who_leaves_others_to_play_on_may_look_on(stage, table):
    """They stay in the room, and see what everybody may see."""
    await stage.type("ann", "/leave")

    assert stage.people["ann"].room is table.room
