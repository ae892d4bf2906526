"""Commands after a start wait only for the tables they need: others may take for ever to come back."""

import asyncio
from functools import partial

import pytest

from lilygames.gametest.stage import Stage
from lilygames.moderation.desk import SHELL
from lilygames.tables.restore import unrestored
from tests import holding
from tests.deadline import DEADLINE
from tests.toys import TOYS


@pytest.fixture
async def two(stage, table):
    """A second table, of cat and dan, who wait for a third player."""
    await stage.create_account("dan", "plums and pears")
    for name in ("cat", "dan"):
        stage.enter(name)
    await stage.type("cat", "/new tally max=3")
    await stage.type("dan", "/sit 2")


@pytest.fixture
def hold(store, monkeypatch):
    """Return a function that never lets the logs of some tables be read."""
    return partial(holding.hold, monkeypatch, store)


@pytest.fixture
def restarted(two, store):
    """Return a function that starts a place on the same store, with eve, a sysop, and fay, who play nowhere."""

    async def start():
        after = await Stage.open(TOYS, store=store, at_once=False)
        for name in ("eve", "fay"):
            await after.create_account(name, "plums and pears")
            after.enter(name).take()
        await after.desk.appoint(SHELL, "eve", "sysop")
        after.screens["eve"].take()
        return after

    return start


@pytest.fixture
def types(restarted):
    """Return a function that types lines of eve's after a start, and returns the answers as one text."""

    async def answers(*lines):
        after = await restarted()
        async with asyncio.timeout(DEADLINE):
            return "\n".join([row for line in lines for row in await after.type("eve", line)])

    return answers


BACK = "the server has just restarted: 2 tables will be back in a moment"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/quick", "Pick a game by its number."),
        ("/quick high", "High"),
        ("/quick tally", "you sit at tally-3"),
        ("/seeks", BACK),
        ("/tables", BACK),
        ("/rooms", "tally-2"),
        ("/what", "tally-2"),
        ("/how", "0 tables playing, and 2 coming back"),
        ("/create den", "you've created the room den"),
        ("/join lobby", "you are in lobby"),
        ("/new tally", "table #3 is open"),
        ("/new high fay", "it starts when fay has answered"),
        ("/seek tally 3", "the game starts when 3 players have joined tally-3"),
        ("/unseek", "you aren't looking for players"),
        ("/sit", "there is no table here"),
        ("/decline", "nobody has invited you"),
        ("/games", "tally: Tally"),
        ("/options tally", "max="),
        ("/learn", "no lessons are installed"),
        ("/simul", "you have no simul"),
        ("/simul tally 2", "each table starts when someone joins tally-3"),
        ("/tournament", "there are no tournaments"),
        ("/daily", "Daily deals for"),
        ("/events", "event"),
        ("/preset", "preset"),
        ("/rematch", "there is no table here"),
        ("/report fay hums", "The staff will look at it"),
        ("/feedback hello", "Thank"),
        ("/rename evelyn", "you are now called evelyn"),
        ("/unregister", "deletes your account"),
        ("/reports", "no reports are waiting"),
        ("/warn fay hums", "fay is warned"),
        ("/mute fay 1h hums", "fay is muted"),
        ("/kick fay hums", "fay is out of the place"),
        ("/ban fay 1d hums", "This bans fay"),
        ("/ban yes! fay 60m hums", "fay is banned"),
        ("/ban 192.0.2.0/24 1d hums", "This bans 192.0.2.0/24"),
        ("/freeze 3 why", "there is no table “3” now"),
    ],
)
async def test_command_is_answered_although_tables_that_it_does_not_concern_never_come_back(
    types, hold, line, expected
):
    hold(1, 2)

    assert expected in await types(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/join tally-2", "you are in tally-2"),
        ("/join tally-", "you are in tally-2"),
        ("/sit 2", "you sit at tally-2 with cat and dan"),
        ("/watch tally-2", "You're watching tally-2"),
        ("/at 2 options", "max=3"),
        ("/freeze 2 why", "that game hasn't started"),
        ("/adjudicate 2 void why", "that game hasn't started"),
        ("/kick dan hums", "dan is out of the place"),
    ],
)
async def test_command_about_a_table_a_room_or_a_player_waits_for_that_table_only(types, hold, line, expected):
    hold(1)

    assert expected in await types(line)


async def test_quick_joins_the_people_who_wait_although_a_table_in_play_never_comes_back(restarted, hold):
    after = await restarted()
    after.enter("cat")
    after.enter("dan")
    hold(1)

    assert "you sit at tally-2 with cat and dan" in "\n".join(await after.type("eve", "/quick tally"))


async def test_quick_opens_a_table_although_one_with_a_long_log_never_comes_back(restarted, hold, monkeypatch):
    monkeypatch.setattr(unrestored, "SHORT", 1)
    after = await restarted()
    after.enter("cat")
    after.enter("dan")
    hold(1, 2)

    assert "you sit at tally-3" in "\n".join(await after.type("eve", "/quick tally"))


async def test_room_stays_open_although_the_last_one_in_it_leaves_before_its_table_is_back(restarted):
    after = await restarted()
    host = after.host
    room = host.rooms["tally-2"]
    host.close_room(room)
    await after.tables.unrestored.finish()

    assert room is after.table(2).room is host.rooms["tally-2"]


async def test_room_is_closed_when_its_table_turns_out_to_be_over(restarted, finish, stage, store):
    await stage.type("cat", "/start")
    await finish(2)
    await store.keep("open", "2", "")
    after = await restarted()
    assert "tally-2" in after.rooms

    await after.tables.unrestored.finish()
    assert "tally-2" not in after.rooms


async def test_private_room_is_seen_by_its_host_and_guests_only_while_its_table_waits(stage, table, restarted):
    await stage.type("ann", "/new tally private=on bob")
    room = stage.table(max(stage.open_tables)).room.name
    after = await restarted()
    for name in ("ann", "bob"):
        after.enter(name)
    waiting = after.rooms[room]

    assert [True, True, False] == [waiting.may_see(after.people[name]) for name in ("ann", "bob", "eve")]


async def test_tables_with_the_shortest_logs_come_back_first(restarted, stage, store):
    await stage.type("bob", "/bid 0")
    lengths = await store.heads(["table/1", "table/2"])
    after = await restarted()

    assert lengths["table/1"] > lengths["table/2"]
    assert [2, 1] == [*after.tables.unrestored.numbers]
