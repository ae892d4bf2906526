"""Open tables by the people who have seats there, by room, and by whether people can join: as if each were asked."""

import pytest

from lilygames.errors import UserError
from lilygames.gametest.stage import Stage

PEOPLE = ("ann", "bob", "cat")


@pytest.fixture
async def stage(stage):
    for name in PEOPLE:
        if name not in stage.people:
            stage.enter(name)
    return stage


@pytest.fixture
async def tables(stage):
    """Returns a function that compares the lookups with a look at every table."""

    def compared(stage=stage):
        tables = stage.place.tables
        for name in PEOPLE:
            each = [number for number, bot in sorted(tables.open.items()) if bot.keeps_seat(name)]
            assert each == [bot.table.header.number for bot in tables.seating(name)]
            assert bool(each) == stage.place.host.keeps_seat(name)
        waiting = {number for number, bot in tables.open.items() if not bot.table.started}
        joined = {number for number, bot in tables.open.items() if bot.table.game.joins}
        assert waiting | joined == {*tables.joinable}
        assert len(tables.open) - len(waiting) == stage.place.host.playing()
        return {name: [bot.table.header.number for bot in tables.seating(name)] for name in PEOPLE}

    return compared


async def test_seats_are_known_as_people_sit_down_and_leave(stage, tables):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/sit 1")
    await stage.type("cat", "/new tally")
    assert {"ann": [1], "bob": [1], "cat": [2]} == tables()
    await stage.type("bob", "/sit 2")
    await stage.type("ann", "/leave")

    assert {"ann": [], "bob": [1, 2], "cat": [2]} == tables()


async def test_seat_that_a_bot_keeps_is_known_and_one_given_up_is_not(stage, tables):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")
    await stage.type("bob", "/leave")
    await stage.quiet()

    assert [1] == tables()["ann"]
    assert tables()["bob"] == ([1] if stage.table(1).keeps_seat("bob") else [])


async def test_seats_are_known_after_a_restart(stage, tables, store, tally):
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")
    again = await Stage.open(tally, store=store)

    assert {"ann": [1], "bob": [1], "cat": []} == tables(again)


async def test_finished_table_keeps_no_seat_and_leaves_its_room(stage, tables, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    assert [1] == [*stage.place.tables.joinable]
    await stage.type("ann", "/start")
    tables()
    assert not stage.place.tables.joinable
    room = stage.table(1).room.name
    assert stage.table(1) is stage.place.tables.find(room.upper())
    await finish()

    assert {"ann": [], "bob": [], "cat": []} == tables()
    with pytest.raises(UserError, match="no table is open"):
        stage.place.tables.find(room)


async def test_person_knows_the_rooms_they_are_in(stage):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/join tally")
    bob, rooms = stage.people["bob"], stage.place.host.rooms
    assert {room for room in rooms.values() if "bob" in room.people} == {*bob.rooms}
    assert 2 == len(bob.rooms)
    stage.drop("bob")

    assert not bob.rooms
    assert not any("bob" in room.people for room in rooms.values())


async def test_room_of_a_table_that_is_over_is_closed_when_its_last_member_logs_out(stage, finish):
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/new tally max=3 first-dealer=host")
    await stage.type("ann", "/sit 2")
    await stage.type("bob", "/start")
    room = stage.table(2).room
    assert not room.lasting
    await stage.type("cat", f"/join {room.name}")
    await finish(2)
    for name in ("ann", "bob"):
        await stage.type(name, f"/quit {room.name}")
    assert room in stage.place.host.rooms.values()
    stage.drop("cat")

    assert room not in stage.place.host.rooms.values()
