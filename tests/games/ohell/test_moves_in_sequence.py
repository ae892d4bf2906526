"""Bots' moves in sequence: one row tells them, nothing is lost meanwhile, and programs wait for nothing."""

import asyncio

import attrs
import pytest

from lilygames.gametest.stage import SETTINGS, Stage, secrets_from
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from lilygames.text import Voice
from tests.toys import ALL

LINES = ("/new ohell max=3 first-dealer=host", "/house 4", "/start")


@pytest.fixture
async def stage():
    """A stage on which ann and four bots are dealt cards; each bot moves when the test says so."""
    slow = attrs.evolve(SETTINGS, house_pause_min=60.0, house_pause_max=60.0)
    stage = Stage(await furnish(MemoryStore(), slow, ALL, secrets_from("1"), new_salt=None))
    for name in ("ann", "bob", "cat"):
        stage.enter(name, Voice(each=name == "cat"))
    dispatcher = stage.place.dispatcher
    await dispatcher.hear(stage.people["ann"], LINES[0])
    for watcher in ("bob", "cat"):
        await dispatcher.hear(stage.people[watcher], "/watch ohell")
    for line in LINES[1:]:
        await dispatcher.hear(stage.people["ann"], line)
    stage.table(1).tell_held()
    for screen in stage.screens.values():
        screen.take()
    return stage


def pause_of(bot):
    """Return the seconds until the next bot of a table moves."""
    return bot.house._pace.pause(bot.table.to_move[0] if bot.table.started else 0)


async def bot_moves(stage, times=1):
    """Let the next bots move without a pause."""
    bot = stage.table(1)
    for _ in range(times):
        seq = bot.table.seq
        bot.timer.fire(bot.house.move_now)
        while bot.table.seq == seq or bot.room.busy:  # noqa: ASYNC110 - a bot thinks, and tells nobody
            await asyncio.sleep(0)


async def type_(stage, name, line):
    await stage.hear(name, line)
    await asyncio.sleep(0)  # the next bot begins to think


async def test_one_row_tells_the_moves_of_several_bots(stage):
    await bot_moves(stage, 2)
    assert [] == stage.screens["bob"].take()

    stage.table(1).tell_held()
    assert ["Ada bids 1, Max 0."] == stage.screens["bob"].take()


async def test_no_row_tells_what_the_reader_s_own_turn_shows(stage):
    await bot_moves(stage, 4)

    assert [] == [row for row in stage.screens["ann"].take() if row.startswith("Ada ")]
    assert ["Ada bids 1, Max 0, Ida 1, Otto 0."] == stage.screens["bob"].take()


async def test_a_program_reads_each_move_at_once(stage):
    await bot_moves(stage, 2)

    assert ["Ada bids 1.", "Max bids 0."] == stage.screens["cat"].take()


async def test_a_person_s_move_is_told_at_once_and_their_own_row_goes_on(stage):
    """The others read it at once. The mover reads it in the row of the bots' moves after it."""
    await bot_moves(stage, 4)
    stage.screens["ann"].take(), stage.screens["bob"].take()
    await type_(stage, "ann", "1")
    asked = [] if stage.table(1).table.to_move == (0,) else stage.screens["ann"].take()

    assert ["ann bids 1."] == stage.screens["bob"].take()
    assert [] == asked


async def test_a_notice_comes_after_the_moves_before_it(stage):
    await bot_moves(stage, 2)
    stage.table(1).say("Something else.")

    assert ["Ada bids 1, Max 0.", "Something else."] == stage.screens["bob"].take()


async def test_nothing_waits_when_another_process_takes_over(stage):
    """Moves that wait are told before, and a move that is still being made is told at once."""
    bot = stage.table(1)
    await bot_moves(stage)
    bot.sleep()
    assert ["Ada bids 1."] == stage.screens["bob"].take()

    seat = bot.table.to_move[0]
    await bot.runner.make(seat, bot.table.moves(seat)[0], bot.table.seats[seat].writer)
    assert ["Max bids 0."] == stage.screens["bob"].take()


async def test_packets_wait_for_nothing_and_say_which_entry_was_told_in_words(stage):
    """A client that loses its connection before the row comes is told these moves when it is back."""
    screen, bot = stage.screens["ann"], stage.table(1)
    screen.takes_packets = True
    before = bot.table.seq
    await bot_moves(stage, 2)
    assert 2 == sum(packet.name == "event" for packet in screen.packets)
    tables = [packet.value for packet in screen.packets if packet.name == "table"]
    assert [(before + 1, before), (before + 2, before)] == [(table["seq"], table["told"]) for table in tables]

    bot.tell_held()
    bot.publisher.inform(bot.table, stage.people["ann"])
    assert before + 2 == [packet.value["seq"] for packet in screen.packets if packet.name == "table"][-1]


async def test_a_player_who_comes_back_in_between_is_shown_the_table(stage):
    await bot_moves(stage, 2)
    stage.drop("ann")
    screen = await stage.come("ann")

    assert any("Max" in row and " 0" in row for row in screen.take())


async def test_a_bug_in_the_words_of_a_row_stops_only_this_table(stage):
    bot = stage.table(1)
    await bot_moves(stage)
    merging = attrs.evolve(bot.table.game.merging, rows=lambda _: 1 / 0)
    broken = attrs.evolve(bot.table.game, merging=merging)
    bot.publisher._held._steps[:] = [
        attrs.evolve(step, before=attrs.evolve(step.before, game=broken)) for step in bot.publisher._held._steps
    ]
    bot.tell_held()

    assert bot.case
    assert any("so the table is stopped" in row for row in stage.screens["bob"].take())


@pytest.mark.parametrize(
    ("delays", "client", "expected"),
    [
        ({}, "", 60.0),
        ({"ann": "off"}, "", 15.0),
        ({"ann": "long"}, "", 150.0),
        ({"bob": "long"}, "", 60.0),
        ({}, "machine", 15.0),
        ({"ann": "on"}, "machine", 15.0),
        ({}, "gmcp", 15.0),
        ({"ann": "on"}, "gmcp", 60.0),
        ({"ann": "long"}, "gmcp", 150.0),
    ],
)
async def test_the_players_say_how_long_bots_pause(stage, monkeypatch, delays, client, expected):
    """A program wants the least pause, but a person who reads along may ask for more. A spectator has no say."""
    for name, delay in delays.items():
        await type_(stage, name, f"/set delay {delay}")
    stage.screens["ann"].voice = Voice(each=client == "machine")
    stage.screens["ann"].takes_packets = client == "gmcp"
    monkeypatch.setattr(type(stage.table(1).publisher), "since_row", 0.0)

    assert expected == pause_of(stage.table(1))


async def test_a_program_does_not_make_bots_faster_for_the_others(stage, monkeypatch):
    """The table waits for the player who wants the longest pause."""
    await type_(stage, "ann", "/leave")
    await type_(stage, "ann", "/new ohell max=3 bob")
    await type_(stage, "bob", "/sit ohell-2")
    stage.screens["ann"].takes_packets = True
    monkeypatch.setattr(type(stage.table(2).publisher), "since_row", 0.0)

    assert 60.0 == pause_of(stage.table(2))


async def test_the_moves_of_a_row_are_due_one_pause_after_the_other_and_the_sixth_at_once(stage, monkeypatch):
    publisher = stage.table(1).publisher
    monkeypatch.setattr(type(publisher), "since_row", 60.0)
    dues = []
    for waiting in range(7):
        monkeypatch.setattr(type(publisher), "waiting", waiting)
        dues.append(pause_of(stage.table(1)))

    assert [15.0, 60.0, 120.0, 180.0, 240.0, 240.0, 240.0] == dues


async def test_bots_have_the_least_pause_in_a_game_by_mail(stage):
    await type_(stage, "ann", "/new ohell clock=3d")

    assert 15.0 == pause_of(stage.table(2))
