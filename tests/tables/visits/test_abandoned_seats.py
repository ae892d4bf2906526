"""Abandoned tables don't stay open for ever, and bots don't play on alone for ever."""

import asyncio
import time as real

import pytest

from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from lilygames.tables.visits import expiry
from tests.deadline import DEADLINE
from tests.toys import TALLY, installed

MINUTE, DAY = 60.0, 86400.0


class Time:
    """The time of a test: one clock for the tables and one for the chat host."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def later(time):
    """Return a function that lets time pass, sweeps the tables before and after, and waits until all is quiet."""
    began = real.time()

    async def pass_by(stage, seconds):
        host = stage.host
        start = time.now
        host.clock = lambda: began + time.now
        for at in (start, start + seconds, start + seconds):
            time.now = at
            for bot in stage.open_tables.values():
                bot.clock.now = time
            await stage.look("abandoned_seats")
            await stage.quiet()

    return pass_by


@pytest.fixture
async def guests(stage):
    """Return ann and bob as guests."""
    for name in ("ann", "bob"):
        stage.people[name].set_guest(guest=True)
        stage.accounts.names.pop(name)
    return stage


async def test_game_ends_when_its_guests_have_been_gone_for_long(guests, table, later):
    """A guest's seat is kept for half an hour."""
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, 31 * MINUTE)

    assert [] == [*guests.open_tables]
    assert table.table.closed
    assert [] == [*guests.host.people]


async def test_game_of_guests_is_kept_for_half_an_hour(guests, table, later):
    """Guests who lose their connection are back by then."""
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, 29 * MINUTE)

    assert table.table.going


async def test_game_goes_on_while_one_of_its_people_is_here(guests, table, later):
    """The remaining players decide about the others' seats."""
    guests.drop("ann")

    await later(guests, 100 * MINUTE)

    assert table.table.going


async def test_player_who_came_back_has_the_whole_time_again(guests, table, later):
    """Only the last absence counts."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 20 * MINUTE)
    guests.enter("ann")
    await later(guests, 1 * MINUTE)
    guests.drop("ann")

    await later(guests, 20 * MINUTE)

    assert table.table.going


async def test_game_is_not_ended_while_a_spectator_is_there(guests, table, later):
    """A spectator may wait for the players."""
    guests.enter("cat")
    await guests.type("cat", "/watch tally")
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, 100 * MINUTE)

    assert table.table.going


async def test_game_with_an_account_is_kept_for_a_month(stage, table, later):
    """People with accounts come back after days; the time counts from when they were last seen."""
    stage.drop("ann")
    stage.drop("bob")

    await later(stage, 29 * DAY)
    kept = table.table.going
    await later(stage, 2 * DAY)

    assert (True, True) == (kept, table.table.closed)


async def test_adjourned_game_ends_too(stage, table, later):
    """An adjourned game is kept as long as any other."""
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/adjourn")
    stage.drop("ann")
    stage.drop("bob")

    await later(stage, 31 * DAY)

    assert table.table.closed


async def test_abandoned_game_says_so_and_can_be_verified(guests, table, later):
    """It ends with a last line, its seal is open, and nobody has won."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 31 * MINUTE)
    guests.enter("cat")

    assert "nobody wins" in " ".join(await guests.type("cat", "/log 1"))
    assert "Match" in " ".join(await guests.type("cat", "/verify 1"))
    assert ["(you haven't finished a game here yet)"] == await guests.type("cat", "/played")


async def test_abandoned_game_stays_over_after_a_restart(guests, table, later, store, tally):
    """A game that was ended does not start again."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 31 * MINUTE)

    again = await Stage.open(tally, store=store)

    assert [] == [*again.open_tables]


async def test_restart_gives_the_whole_time_again(guests, table, store, tally, later):
    """Nobody counts as absent while the server is down."""
    guests.drop("ann")
    guests.drop("bob")
    await later(guests, 20 * MINUTE)
    again = await Stage.open(tally, store=store)

    await later(again, 20 * MINUTE)

    assert again.table(1).table.going


async def test_seek_of_a_player_who_has_vanished_is_taken_back(stage, later):
    """Nobody waits long for a live game to start."""
    await stage.type("ann", "/seek tally 4")
    stage.drop("ann")

    await later(stage, 31 * MINUTE)

    assert [] == [*stage.open_tables]
    assert "ann" not in stage.host.people


async def test_absent_players_lose_their_seats_at_a_waiting_table(stage, later):
    """The others still wait for players, and may start."""
    await stage.type("ann", "/seek tally 4")
    await stage.type("bob", "/sit tally")
    stage.drop("ann")
    stage.screens["bob"].take()

    await later(stage, 31 * MINUTE)

    assert ["bob"] == [who.name for who in stage.table(1).table.seats]
    assert "ann was away too long and has left the table." in stage.screens["bob"].rows


async def test_slow_table_waits_for_its_players_to_answer(stage, later):
    """Nobody is expected to stay connected until a slow game starts."""
    await stage.type("ann", "/new tally clock=3d bob")
    stage.drop("ann")

    await later(stage, 20 * DAY)

    assert ["ann"] == [who.name for who in stage.table(1).table.seats]


async def test_guest_whose_seat_has_expired_leaves_nothing_behind(guests, later, store):
    """The name is free, and no return word opens it."""
    await guests.type("ann", "/quick tally")
    guests.drop("ann")

    await later(guests, 31 * MINUTE)
    await guests.host.profiles.finish()

    assert {} == await store.every("account")
    assert {} == await store.every("belongings")


async def test_guests_who_left_long_ago_are_not_announced_again(guests, table, later):
    """After a crowd of guests has gone, there isn't one notice for each."""
    guests.enter("cat")
    guests.drop("ann")
    guests.drop("bob")
    guests.screens["cat"].take()

    await later(guests, 31 * MINUTE)

    assert [] == guests.screens["cat"].take()


async def test_player_with_a_substitute_leaves_with_the_table(guests, table, later):
    """A bot keeps a seat no longer than its table is open."""
    host = guests.host
    table.clock.clocks.absence = 0.0
    guests.drop("bob")
    await guests.type("ann", "/substitute")
    kept = host.keeps_seat("bob")
    guests.drop("ann")

    await later(guests, 31 * MINUTE)

    assert (True, False) == (kept, "bob" in host.people)


@pytest.fixture
async def session():
    """Return a stage on which ann, a guest, plays an open-ended session of poker with two bots."""
    stage = await Stage.open(installed("lilypoker"), store=MemoryStore())
    stage.enter("ann")
    await stage.type("ann", "/quick lilypoker")
    stage.people["ann"].set_guest(guest=True)
    stage.accounts.names.pop("ann")
    return stage


async def test_bots_pause_while_nobody_is_there_in_a_game_without_an_end(session):
    """A poker session of bots alone would never be over."""
    bot = session.table(1)
    session.drop("ann")
    await bot.room.do(lambda: bot.house.substitute(bot.seat_of("ann"), "table"))
    await session.quiet()
    stood = bot.table.seq
    await bot.room.do(bot.go_on)
    await session.quiet()

    assert stood == bot.table.seq
    assert not bot.house.attended


async def test_bots_continue_when_a_player_is_back(session):
    """The player gets the seat back, and the game goes on from where it paused."""
    bot = session.table(1)
    session.drop("ann")
    await bot.room.do(lambda: bot.house.substitute(bot.seat_of("ann"), "table"))
    await session.quiet()

    session.enter("ann")
    await session.quiet()

    assert bot.question(session.people["ann"])


async def test_session_that_everyone_has_left_ends_as_if_they_had_cashed_out(session, later):
    """Everyone keeps their wins and losses."""
    bot = session.table(1)
    session.drop("ann")

    await later(session, 31 * MINUTE)

    assert bot.table.outcome is not None
    assert bot.table.closed


async def test_player_who_leaves_a_game_to_bots_hears_no_more_of_it(stage):
    """Nobody has to listen to bots that finish a game by themselves."""
    await stage.type("ann", "/quick tally")

    answer = await stage.type("ann", "/leave")

    assert "(you left tally, and bots finish the game; you are in lobby)" in answer
    assert stage.people["ann"].room is stage.host.lobby


async def test_player_who_leaves_others_playing_may_watch(stage, table):
    """They stay in the room, and see what every spectator may see."""
    await stage.type("ann", "/leave")

    assert stage.people["ann"].room is table.room


async def test_unbegun_table_closes_a_minute_after_its_guest_has_left(guests, later):
    await guests.type("ann", "/new tally")
    await guests.type("ann", "/house")
    await later(guests, 0)
    guests.drop("ann")

    await later(guests, 59)
    before = [*guests.open_tables]
    await later(guests, 1)

    assert ([1], []) == (before, [*guests.open_tables])


async def test_unbegun_table_of_guests_who_have_all_left_closes_too(guests, later):
    """Otherwise two guests could keep each other's tables open."""
    await guests.type("ann", "/new tally")
    await guests.type("bob", "/sit tally")
    await later(guests, 0)
    guests.drop("ann")
    guests.drop("bob")

    await later(guests, MINUTE)

    assert [] == [*guests.open_tables]


async def test_unbegun_table_stays_while_another_person_is_there(guests, later):
    await guests.type("ann", "/new tally")
    await guests.type("bob", "/sit tally")
    guests.drop("ann")

    await later(guests, 5 * MINUTE)

    assert [1] == [*guests.open_tables]


async def test_unbegun_table_of_an_account_does_not_close_after_a_minute(stage, later):
    await stage.type("ann", "/new tally")
    stage.drop("ann")

    await later(stage, 5 * MINUTE)

    assert [1] == [*stage.open_tables]


async def test_unbegun_table_of_an_absent_guest_closes_a_minute_after_a_start(guests, store, later):
    """Guests whom the restart has cut off have a minute to come back."""
    await guests.type("ann", "/new tally")
    again = await Stage.open(TALLY, store=store)

    await later(again, 59)
    before = [*again.open_tables]
    await later(again, 1)

    assert ([1], []) == (before, [*again.open_tables])


async def test_game_of_an_absent_guest_with_bots_ends_after_ten_minutes(guests, later):
    await guests.type("ann", "/quick tally")
    guests.drop("ann")

    await later(guests, 9 * MINUTE)
    before = [*guests.open_tables]
    await later(guests, 1 * MINUTE)

    assert ([1], []) == (before, [*guests.open_tables])


async def test_guest_who_leaves_is_not_waited_for_until_the_next_check(guests, monkeypatch):
    """The minute begins when they leave, whenever the next check of all tables is."""
    monkeypatch.setattr(expiry, "UNBEGUN", 0.01)
    await guests.type("ann", "/new tally")
    guests.drop("ann")

    async with asyncio.timeout(DEADLINE):
        while guests.open_tables:  # noqa: ASYNC110 - no event says that a table has closed
            await asyncio.sleep(0.01)
    assert [] == [*guests.tables.listed.public(50)]
